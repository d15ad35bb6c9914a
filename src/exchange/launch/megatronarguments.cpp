// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/megatronarguments.h"

#include "exchange/launch/importparts.h"
#include "exchange/launch/shellwords.h"
#include "units/editdistance.h"
#include "units/visibletext.h"
#include "units/words.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace fleetwright::exchange {

namespace {

/// What a plan has a place for, or what decides something in it.
constexpr auto mappedArguments = std::to_array<std::string_view>({"--accumulate-allreduce-grads-in-fp32",
    "--account-for-embedding-in-pipeline-split", "--account-for-loss-in-pipeline-split", "--add-qkv-bias",
    "--attention-backend", "--attention-dropout", "--bf16", "--ckpt-format", "--context-parallel-size",
    "--cpu-offloading-num-layers", "--cuda-graph-impl", "--data-parallel-sharding-strategy",
    "--decoder-first-pipeline-num-layers", "--decoder-last-pipeline-num-layers", "--disable-bias-linear",
    "--enable-cuda-graph", "--encoder-num-layers", "--encoder-seq-length", "--expert-model-parallel-size",
    "--expert-tensor-parallel-size", "--external-cuda-graph", "--ffn-hidden-size", "--fp16", "--fp4-format",
    "--fp8-format", "--global-batch-size", "--grad-reduce-in-bf16", "--group-query-attention", "--hidden-dropout",
    "--hidden-size", "--kv-channels", "--kv-lora-rank", "--make-vocab-size-divisible-by", "--max-position-embeddings",
    "--micro-batch-size", "--moe-ffn-hidden-size", "--moe-grouped-gemm", "--moe-layer-freq", "--moe-router-topk",
    "--moe-shared-expert-intermediate-size", "--moe-token-dispatcher-type", "--multi-latent-attention",
    "--no-overlap-p2p-communication", "--normalization", "--num-attention-heads",
    "--num-distributed-optimizer-instances", "--num-experts", "--num-layers", "--num-layers-per-virtual-pipeline-stage",
    "--num-query-groups", "--num-virtual-stages-per-pipeline-rank", "--optimizer-cpu-offload", "--overlap-grad-reduce",
    "--overlap-moe-expert-parallel-comm", "--overlap-param-gather", "--pipeline-model-parallel-layout",
    "--pipeline-model-parallel-size", "--position-embedding-type", "--q-lora-rank", "--qk-head-dim",
    "--qk-pos-emb-head-dim", "--recompute-activations", "--recompute-granularity", "--recompute-method",
    "--recompute-modules", "--recompute-num-layers", "--seq-length", "--sequence-parallel", "--swiglu",
    "--tensor-model-parallel-size", "--torch-fsdp2-no-reshard-after-forward", "--tp-comm-overlap", "--train-iters",
    "--train-samples", "--untie-embeddings-and-output-weights", "--use-distributed-optimizer", "--use-megatron-fsdp",
    "--use-rotary-position-embeddings", "--use-torch-fsdp2", "--v-head-dim", "--vocab-size"});

/// Known and without a place in a plan; others are told as unknown.
constexpr auto placelessArguments = std::to_array<std::string_view>({"--adam-beta1", "--adam-beta2", "--adam-eps",
    "--apply-layernorm-1p", "--async-save", "--attention-softmax-in-fp32", "--auto-detect-ckpt-format", "--clip-grad",
    "--cp-comm-type", "--cross-entropy-fusion-impl", "--cross-entropy-loss-fusion", "--data-cache-path", "--data-path",
    "--decoder-num-layers", "--decoder-seq-length", "--delay-wgrad-compute", "--dist-ckpt-strictness",
    "--distributed-backend", "--distributed-timeout-minutes", "--eval-interval", "--eval-iters", "--eod-mask-loss",
    "--exit-duration-in-mins", "--exit-interval", "--first-last-layers-bf16", "--fp4-recipe", "--fp8-amax-compute-algo",
    "--fp8-amax-history-len", "--fp8-margin", "--fp8-param-gather", "--fp8-recipe",
    "--hierarchical-context-parallel-sizes", "--init-method-std", "--load", "--log-interval", "--log-throughput",
    "--lr", "--lr-decay-iters", "--lr-decay-samples", "--lr-decay-style", "--lr-warmup-fraction", "--lr-warmup-iters",
    "--lr-warmup-samples", "--manual-gc", "--manual-gc-interval", "--merge-file",
    "--microbatch-group-size-per-virtual-pipeline-stage", "--min-lr", "--mock-data", "--moe-aux-loss-coeff",
    "--moe-permute-fusion", "--moe-router-bias-update-rate", "--moe-router-dtype", "--moe-router-load-balancing-type",
    "--moe-router-pre-softmax", "--moe-router-score-function", "--mtp-num-layers",
    "--no-create-attention-mask-in-dataloader", "--no-gradient-accumulation-fusion", "--no-load-optim", "--no-load-rng",
    "--no-masked-softmax-fusion", "--no-mmap-bin-files", "--no-rope-fusion", "--no-save-optim", "--norm-epsilon",
    "--num-dataset-builder-threads", "--num-workers", "--optimizer", "--outer-dp-sharding-strategy",
    "--override-opt-param-scheduler", "--override-opt_param-scheduler", "--profile", "--qk-layernorm",
    "--rampup-batch-size", "--reset-attention-mask", "--reset-position-ids", "--rotary-base", "--rotary-percent",
    "--save", "--save-interval", "--seed", "--spec", "--split", "--squared-relu", "--tensorboard-dir",
    "--tiktoken-pattern", "--tokenizer-model", "--tokenizer-type", "--train-data-path", "--transformer-impl",
    "--use-flash-attn", "--use-mcore-models", "--use-rope-scaling", "--valid-data-path", "--vocab-file",
    "--wandb-exp-name", "--wandb-project", "--wandb-save-dir", "--weight-decay", "--weight-decay-incr-style"});

/// What Megatron-LM had once or its users guess, and what stands in its place at the snapshot.
struct FormerArgument {
    std::string_view name, instead;
};
constexpr auto formerArguments = std::to_array<FormerArgument>({{"--batch-size", "--micro-batch-size"},
    {"--warmup", "--lr-warmup-fraction"}, {"--model-parallel-size", "--tensor-model-parallel-size"},
    {"--checkpoint-activations", "--recompute-granularity full --recompute-method uniform --recompute-num-layers 1"},
    {"--checkpoint-num-layers", "--recompute-num-layers"}, {"--activations-checkpoint-method", "--recompute-method"},
    {"--DDP-impl", "nothing: there is one implementation"}, {"--fp8-e4m3", "--fp8-format e4m3"},
    {"--fp8-hybrid", "--fp8-format hybrid"}, {"--use-custom-fsdp", "--use-megatron-fsdp"},
    {"--standalone-embedding-stage", "--account-for-embedding-in-pipeline-split"},
    {"--pipeline-model-parallel-split-rank", "nothing: encoders have no ranks of their own"},
    {"--encoder-tensor-model-parallel-size", "--tensor-model-parallel-size"},
    {"--encoder-pipeline-model-parallel-size", "--pipeline-model-parallel-size"},
    {"--moe-extended-tp", "--expert-tensor-parallel-size"},
    {"--virtual-pipeline-model-parallel-size", "--num-virtual-stages-per-pipeline-rank"}});

constexpr std::size_t mostArguments = 2000;

template <class Names> bool isAmong(std::string_view name, const Names &names)
{
    return std::ranges::find(names, name) != names.end();
}
bool isKnownArgument(std::string_view name)
{
    return isAmong(name, mappedArguments) || isAmong(name, placelessArguments);
}

/// Options of torchrun, srun and env before the script's name; underscores are read as hyphens.
constexpr auto launcherNodes = std::to_array<std::string_view>({"--nnodes", "--nodes"});
constexpr auto launcherPerNode = std::to_array<std::string_view>(
    {"--nproc-per-node", "--ntasks-per-node", "--gpus-per-node"});

bool isScript(const ShellWord &word) { return word.text.ends_with(".py"); }

bool isTraining(const ShellCommand &command)
{
    return std::ranges::any_of(
        command.words, [](const ShellWord &word) { return isScript(word) && word.text.contains("train"); });
}

/// "--name" and, behind "=", its value.
struct SplitOption {
    std::string name;
    std::optional<std::string> value;
};
SplitOption splitOption(const std::string &word)
{
    const auto at = word.find('=');
    return at == std::string::npos ? SplitOption{word, std::nullopt}
                                   : SplitOption{word.substr(0, at), word.substr(at + 1)};
}

std::string shownName(std::string_view name) { return inQuotes(visibleText(name, TextShape::OneLine)); }

bool isNearLength(std::string_view a, std::string_view b)
{
    return a.size() <= b.size() + 2 && b.size() <= a.size() + 2;
}

/// Refused: a name of another version, or one that is nearly one of those that decide something.
Expected<void> checkName(const std::string &name)
{
    const auto former = std::ranges::find(formerArguments, name, &FormerArgument::name);
    if (former != formerArguments.end())
        return refuse(ErrorCode::UnsupportedValue, name,
            "Megatron-LM has no argument " + shownName(name) + " any more; instead it has "
                + std::string(former->instead) + ".");
    if (isKnownArgument(name))
        return {};
    auto hyphened = name;
    std::ranges::replace(hyphened, '_', '-');
    for (const auto known : mappedArguments)
        if (hyphened == known || (isNearLength(name, known) && editDistance(name, known) <= 2))
            return refuse(ErrorCode::UnsupportedValue, name,
                "Megatron-LM has no argument " + shownName(name) + "; did you mean " + std::string(known) + "?");
    return {};
}

/// Lists of whole numbers in Python: "[0]*3", sums of them, parentheses.
class PatternReader {
public:
    explicit PatternReader(std::string_view text) : m_text(text) { }
    std::optional<std::vector<int>> read()
    {
        auto list = sum(0);
        return list && m_at == m_text.size() ? list : std::nullopt;
    }

private:
    static constexpr std::size_t longest = 4096;
    static constexpr int deepest = 20;

    bool take(char c)
    {
        if (m_at >= m_text.size() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }
    std::optional<int> whole()
    {
        int value = 0;
        const auto [end, problem] = std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), value);
        if (problem != std::errc() || value < 0)
            return std::nullopt;
        m_at = std::size_t(end - m_text.data());
        return value;
    }
    std::optional<std::vector<int>> sum(int depth)
    {
        auto list = product(depth);
        while (list && take('+')) {
            const auto more = product(depth);
            if (!more || list->size() + more->size() > longest)
                return std::nullopt;
            list->insert(list->end(), more->begin(), more->end());
        }
        return list;
    }
    std::optional<std::vector<int>> product(int depth)
    {
        auto list = single(depth);
        while (list && take('*')) {
            const auto times = whole();
            if (!times || list->size() * std::size_t(*times) > longest)
                return std::nullopt;
            std::vector<int> repeated;
            for (int i = 0; i < *times; ++i)
                repeated.insert(repeated.end(), list->begin(), list->end());
            list = std::move(repeated);
        }
        return list;
    }
    std::optional<std::vector<int>> single(int depth)
    {
        if (depth > deepest)
            return std::nullopt;
        if (take('(')) {
            auto list = sum(depth + 1);
            return take(')') ? list : std::nullopt;
        }
        if (!take('['))
            return std::nullopt;
        std::vector<int> list;
        do {
            const auto value = whole();
            if (!value || list.size() >= longest)
                return std::nullopt;
            list.push_back(*value);
        } while (take(','));
        return take(']') ? std::optional(std::move(list)) : std::nullopt;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace

Expected<void> MegatronArguments::add(const std::string &name, Option option)
{
    const auto found = m_options.find(name);
    if (found == m_options.end()) {
        if (m_options.size() >= mostArguments)
            return fleetwright::refuse(ErrorCode::ParseError, "", "There are more arguments than any launch has.");
        m_options.emplace(name, std::move(option));
        return {};
    }
    // Python takes the last; which one was meant is not ours to guess.
    if (found->second.values != option.values || found->second.unknown != option.unknown)
        return fleetwright::refuse(ErrorCode::UnsupportedValue, name,
            "The argument " + shownName(name) + " is given twice with different values (lines "
                + std::to_string(found->second.line) + " and " + std::to_string(option.line) + "); keep one.");
    return {};
}

Expected<MegatronArguments> MegatronArguments::read(std::string_view text)
{
    auto commands = shellCommands(text);
    if (!commands)
        return std::unexpected(commands.error());
    if (std::ranges::any_of(*commands, isTraining))
        std::erase_if(*commands, [](const ShellCommand &command) { return !isTraining(command); });
    const auto scripts = std::ranges::count_if(*commands, isTraining);
    if (scripts > 1)
        return fleetwright::refuse(ErrorCode::ParseError, "",
            "The text starts training " + std::to_string(scripts) + " times; import one command at a time.");
    MegatronArguments arguments;
    for (const auto &command : *commands) {
        const auto script = std::ranges::find_if(command.words, isScript);
        bool launcher = script != command.words.end();
        for (auto word = command.words.begin(); word != command.words.end();) {
            launcher = launcher && word < script;
            if (!word->text.starts_with("--") || word->text == "--") {
                ++word;
                continue;
            }
            auto [name, value] = splitOption(word->text);
            Option option{.values = {}, .unknown = word->unknown, .line = word->line};
            if (value)
                option.values.push_back(std::move(*value));
            ++word;
            for (; !value && word != command.words.end() && word != script && !word->text.starts_with("--"); ++word) {
                option.values.push_back(word->text);
                if (option.unknown.empty())
                    option.unknown = word->unknown;
                if (launcher)
                    break; // the program that is started follows the last option
            }
            auto hyphened = name;
            std::ranges::replace(hyphened, '_', '-');
            if (isAmong(hyphened, launcherNodes))
                name = launcherNodes.front();
            else if (isAmong(hyphened, launcherPerNode))
                name = launcherPerNode.front();
            else if (launcher)
                continue; // where its processes meet and are logged is no plan's business
            else if (const auto known = checkName(name); !known)
                return std::unexpected(known.error());
            if (auto added = arguments.add(name, std::move(option)); !added)
                return std::unexpected(added.error());
        }
    }
    if (arguments.m_options.empty())
        return fleetwright::refuse(
            ErrorCode::ParseError, "", "The text holds no arguments of Megatron-LM (such as --num-layers 80).");
    return arguments;
}

void MegatronArguments::refuse(ErrorCode code, std::string_view name, std::string sentence)
{
    if (!m_error)
        m_error = Error{code, std::string(name), std::move(sentence)};
}

MegatronArguments::Option *MegatronArguments::use(std::string_view name)
{
    const auto found = m_options.find(name);
    if (found == m_options.end())
        return nullptr;
    auto &option = found->second;
    option.read = true;
    if (!option.unknown.empty())
        refuse(ErrorCode::MissingField, name,
            "The value of " + std::string(name) + " is " + shownName(option.unknown)
                + ", which the text does not set (line " + std::to_string(option.line) + "); write the value out.");
    return &option;
}

std::optional<std::string> MegatronArguments::only(std::string_view name)
{
    const auto *option = use(name);
    if (!option)
        return std::nullopt;
    if (option->values.size() != 1) {
        refuse(ErrorCode::UnsupportedValue, name,
            "The argument " + std::string(name) + " takes one value (line " + std::to_string(option->line) + ").");
        return std::nullopt;
    }
    return option->values.front();
}

std::optional<std::int64_t> MegatronArguments::number(std::string_view name, std::int64_t low)
{
    constexpr std::int64_t most = 1'000'000'000'000'000;
    const auto text = only(name);
    if (!text)
        return std::nullopt;
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (problem == std::errc() && end == text->data() + text->size() && value >= low && value <= most)
        return value;
    refuse(ErrorCode::OutOfRange, name,
        "The argument " + std::string(name) + " takes a whole number of at least " + std::to_string(low) + ", not "
            + shownName(*text) + ".");
    return std::nullopt;
}

int MegatronArguments::asCount(std::int64_t value, std::string_view name)
{
    const auto counted = planCount(value, name);
    if (!counted)
        refuse(counted.error().code, name, counted.error().message);
    return counted.value_or(1);
}

std::optional<int> MegatronArguments::count(std::string_view name, std::int64_t low)
{
    const auto value = number(name, low);
    return value ? std::optional(asCount(*value, name)) : std::nullopt;
}

int MegatronArguments::required(std::string_view name, std::string_view otherName)
{
    const bool other = has(otherName);
    if (other && has(name))
        refuse(ErrorCode::UnsupportedValue, otherName,
            std::string(name) + " and " + std::string(otherName) + " exclude each other.");
    const auto value = count(other ? otherName : name);
    if (!value)
        refuse(ErrorCode::MissingField, name,
            "The arguments lack " + std::string(name) + ", without which Megatron-LM does not start.");
    return value.value_or(1);
}

std::optional<double> MegatronArguments::decimal(std::string_view name)
{
    const auto text = only(name);
    if (!text)
        return std::nullopt;
    double value = 0;
    const auto [end, problem] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (problem == std::errc() && end == text->data() + text->size() && value >= 0 && value <= 1)
        return value;
    refuse(ErrorCode::OutOfRange, name,
        "The argument " + std::string(name) + " takes a number from 0 to 1, not " + shownName(*text) + ".");
    return std::nullopt;
}

std::optional<std::string> MegatronArguments::word(std::string_view name) { return only(name); }

bool MegatronArguments::flag(std::string_view name)
{
    const auto *option = use(name);
    if (option && !option->values.empty())
        refuse(ErrorCode::UnsupportedValue, name,
            "The argument " + std::string(name) + " takes no value (line " + std::to_string(option->line) + ").");
    return option != nullptr;
}

std::vector<std::string> MegatronArguments::words(std::string_view name)
{
    const auto *option = use(name);
    return option ? option->values : std::vector<std::string>();
}

std::optional<std::vector<int>> MegatronArguments::pattern(std::string_view name)
{
    auto text = only(name);
    if (!text)
        return std::nullopt;
    std::erase(*text, ' ');
    if (!text->contains('[')) {
        const auto value = number(name);
        return value && *value <= 4096 ? std::optional(std::vector{int(*value)}) : std::nullopt;
    }
    auto list = PatternReader(*text).read();
    if (!list)
        refuse(ErrorCode::UnsupportedValue, name,
            "The argument " + std::string(name) + " takes a number or a list such as ([0]*3+[1]*58), not "
                + shownName(*text) + ".");
    return list;
}

std::vector<std::string> MegatronArguments::unread(bool known) const
{
    std::vector<std::string> names;
    for (const auto &[name, option] : m_options) {
        if (!option.read && isKnownArgument(name) == known)
            names.push_back(name);
    }
    return names;
}

bool looksLikeMegatron(std::string_view text)
{
    constexpr std::array<std::string_view, 7> telling{"--tensor-model-parallel-size", "--pipeline-model-parallel-size",
        "--micro-batch-size", "--num-attention-heads", "--num-layers ", "--num-layers=", "--model-parallel-size"};
    return std::ranges::any_of(telling, [text](std::string_view name) { return text.contains(name); });
}

} // namespace fleetwright::exchange
