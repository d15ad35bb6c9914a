// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/layerformulas.h"
#include "solver/models/detailed/tables.h"

#include <array>
#include <vector>

/// What the tables and the schedule keep of one walk through the layer formulas.
namespace fleetwright::detailed {

struct LayerRecorder {
    struct Kind {
        enum Group : std::size_t { Tp, Cp, Ep };
        struct Seen {
            Group group;
            Pass pass;
            ObservedCollective collective;
        };
        std::vector<ObservedProduct> products;
        std::vector<Seen> collectives;
        ObservedAttention attention;
        ObservedLayer work;
        double elementwiseBytes = 0, elementwiseForward = 0, elementwiseBackward = 0;
    };
    std::array<Kind, 2> kinds;
    ProductTime logits;
    double logitsM = 0, logitsN = 0, lossBytes = 0, embeddingBytes = 0;

    void product(int kind, const ObservedProduct &seen) { of(kind).products.push_back(seen); }
    void elementwise(int kind, double bytes, double forward, double backward)
    {
        of(kind).elementwiseBytes = bytes;
        of(kind).elementwiseForward = forward;
        of(kind).elementwiseBackward = backward;
    }
    void attention(int kind, const ObservedAttention &seen) { of(kind).attention = seen; }
    void layer(int kind, const LayerPrice &, const ObservedLayer &work) { of(kind).work = work; }
    void tp(int kind, Pass pass, const ObservedCollective &seen)
    {
        of(kind).collectives.push_back({Kind::Tp, pass, seen});
    }
    void cp(int kind, bool backward, const ObservedCollective &seen)
    {
        of(kind).collectives.push_back({Kind::Cp, backward ? Pass::Backward : Pass::Forward, seen});
    }
    void ep(int kind, Pass pass, const ObservedCollective &seen)
    {
        of(kind).collectives.push_back({Kind::Ep, pass, seen});
    }
    void logitsAndLoss(const ProductTime &product, double m, double n, double loss)
    {
        logits = product;
        logitsM = m;
        logitsN = n;
        lossBytes = loss;
    }
    void embedding(double bytes) { embeddingBytes = bytes; }

private:
    Kind &of(int kind) { return kinds[static_cast<std::size_t>(kind)]; }
};

/// Embedding and output layer of one microbatch by pass, seconds.
struct EndTimes {
    double embeddingForward = 0, embeddingBackward = 0, logitsForward = 0, logitsBackward = 0;
};
[[nodiscard]] EndTimes endTimes(const Prepared &in, const LayerPrices &prices, const LayerRecorder &seen);

/// Seconds of every chunk of every stage, one microbatch: element stage x chunks + chunk.
struct ChunkTimes {
    std::vector<double> forward, backward;
    int chunks = 1;
};
/// Runs the schedule with these times; a result reaches the next stage `hop` seconds after it is ready. With more than
/// one chunk `microbatches` is a multiple of `stages`.
[[nodiscard]] Schedule runSchedule(const ChunkTimes &times, int stages, int microbatches, double hop);

} // namespace fleetwright::detailed
