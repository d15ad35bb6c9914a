// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/search/candidates.h"
#include "solver/search/recommendation.h"

#include <bit>
#include <map>
#include <tuple>

namespace fleetwright::size {

/// Which layouts a job takes on fleets of one node and fabric: what a search over every layout would recommend, found
/// with bounds. The work of a layer depends on TP, CP, EP, microbatch and settings, not on the number of accelerators,
/// so that what it is at the least is computed once for all fleets. For one thread.
class LayoutChooser {
    /// What stays the same over pipelines, virtual stages and ZeRO.
    struct Setting {
        double leastWork = 0; ///< accelerator-seconds of a sequence, with any microbatch of its class
        Recompute recompute = Recompute::None;
        bool sequenceParallel = false;
    };
    /// A class of microbatches goes from one power of two to the next, whose work is the bound: ranges of batches have
    /// microbatches without number, which all differ.
    using MicrobatchClass = std::size_t; ///< the logarithm of that power
    [[nodiscard]] static MicrobatchClass classOf(int microbatch)
    {
        return MicrobatchClass(std::bit_width(unsigned(microbatch - 1)));
    }
    /// What one choice of TP, CP and EP means on any number of nodes.
    struct Known {
        Split split;
        bool legal = true; ///< with some pipeline
        std::vector<std::vector<Setting>> settings; ///< by class, those that take least first; empty: not asked yet
    };

public:
    LayoutChooser(const CostModel &model, LayoutSearchSpace space, bool pruning)
        : m_model(model), m_space(std::move(space)), m_pruning(pruning)
    {
    }

    /// The job on one fleet. The plan must outlive it.
    class Fleet {
    public:
        Fleet(const Fleet &) = delete; // its rules refer to its traits
        Fleet &operator=(const Fleet &) = delete;
        /// No layout of this fleet has a shorter step; infinity where no layout is legal.
        [[nodiscard]] double leastSeconds() const { return m_leastSeconds; }
        /// The best layouts of each class, of those that fit the memory and take no longer than `mostSeconds`: what
        /// recommends one. Classes that cannot matter may be absent.
        [[nodiscard]] const layoutsearch::BestByComplexity &best(double mostSeconds, const std::stop_token &stop);
        /// Of the layouts that were looked at, legal ones; infinity before the first.
        [[nodiscard]] double leastMemoryBytes() const { return m_leastMemory; }
        /// The highest MFU of those that fit the memory, whatever limits they break; NaN before the first.
        [[nodiscard]] double mostMfu() const { return m_mostMfu; }
        [[nodiscard]] std::uint64_t priced() const { return m_priced; }

    private:
        friend class LayoutChooser;
        Fleet(LayoutChooser &chooser, const Plan &plan, std::unique_ptr<LayoutPricing> pricing,
            const LayoutSearchTraits &traits, layoutsearch::OptionValues values);
        struct Ranks {
            Known *known = nullptr;
            bool hasPipelines = false;
            std::vector<layoutsearch::Candidate> pipelines;
        };
        /// Accelerator-seconds of a sequence.
        [[nodiscard]] double leastWorkOf(const Known &known, const Setting &setting, int microbatch);
        void look(Ranks &ranks, const Setting &setting, int microbatch, double mostSeconds);
        [[nodiscard]] const std::vector<Setting> &settingsOf(Known &known, MicrobatchClass microbatches);
        /// Whether some layout of this time could matter, whatever its class.
        [[nodiscard]] bool canMatter(double seconds, double mostSeconds) const;
        [[nodiscard]] bool isNeedless(double seconds, const Layout &layout, double mostSeconds) const;

        LayoutChooser &m_chooser;
        const Plan &m_plan;
        std::unique_ptr<LayoutPricing> m_pricing;
        LayoutSearchTraits m_traits;
        LayoutRules m_rules;
        Limits m_limits;
        layoutsearch::OptionValues m_values;
        std::vector<Ranks> m_ranks;
        std::vector<std::pair<MicrobatchClass, std::vector<int>>> m_microbatches; ///< of each class, ascending
        double m_sequencesEach = 1; ///< of a step, for each accelerator
        layoutsearch::BestByComplexity m_best;
        double m_searched = -1; ///< seconds up to which m_best is known
        double m_leastSeconds = 0, m_leastMemory = 0;
        double m_mostMfu = std::numeric_limits<double>::quiet_NaN();
        std::uint64_t m_priced = 0;
    };

    /// Refused as CostModel::prepareLayouts() and candidatesOf().
    [[nodiscard]] Expected<std::unique_ptr<Fleet>> on(const Plan &plan);

private:
    /// Those of every EP, in the order of the values.
    [[nodiscard]] std::vector<Known> &knownOf(Fleet &fleet, int tp, int cp);
    std::map<std::tuple<std::int64_t, int, int>, std::vector<Known>> m_known; ///< by scale-up domain, TP, CP
    const CostModel &m_model;
    LayoutSearchSpace m_space;
    bool m_pruning;
};

} // namespace fleetwright::size
