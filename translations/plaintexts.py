# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts that people read in the layers without Qt, which know nothing of languages: they make English sentences, and
src/text/localized.h recognises these where they are shown. A sentence that is joined of parts ("At least " + n +
" nodes.") is a pattern with places: "At least {1} nodes.". Words in those places are texts of their own.
"""
import json
import re

LAYERS = ("units", "domain", "solver", "exchange", "storage", "cli")
# What refusals say there passes as plain text, too, and some names of columns are not where lupdate looks.
LAYERS_WITH_QT = ("text", "jobs", "itemmodels", "charts", "reports", "outputs", "app")
# What is written for shells, not for people.
OTHERS = {"completion.cpp"}
# What the code joins of words too short to be found: parts of sentences that are recognised all the same.
PARTS = (", {1} over", ", {1} short", ", {1} left", ", {1} points short", ", {1} too late", "{1} less {2}", "{1} fewer {2}",
         "With {1} instead of {2}", "{1} months", "{1} month", "{1} worse", "{1} better", "{1} fleets of {2}",
         "{1}, low end", "{1}, high end", "It would add {1}", "{1} per node", "{1} per accelerator", "{1} per accelerator and year", "{1} per cluster", "{1} per piece",
         "{1} per W of IT load", "{1} per kW and month", "{1} per kW", "{1} per MW", "{1} per TB of raw capacity",
         "{1} per TB of usable capacity", "{1} per TB and month", "{1} per GB", "{1} per label",
         "{1} per person and year", "{1} per accelerator and hour", "{1} per switch", "{1} per year", "{1} per month",
         "{1} per kWh", "{1} per rack", "{1} per port", "purchase",
         "an estimate of {1}", "a market price of {1}", "a vendor\u2019s specification of {1}", "a measurement of {1}",
         "a paper of {1}", "a market price", "an estimate", "selective recomputation", "full recomputation",
         "The best with another split that leaves {1} of the memory free is {2}: {3} ({4}), and it uses {5}.",
         "{1} layouts looked at", "{1} feasible", "{1} left", "{1} points left", "{1} node needs {2} and keeps the rest",
         "{1} nodes need {2} and keep the rest", "{1} node reaches {2} and keeps the rest",
         "{1} nodes reach {2} and keep the rest",
         "Its step takes {1}, {2} longer than {3} ({4}).", "Its step takes {1}, {2} less than {3} ({4}).",
         "Its step takes {1}, as long as {2} ({3}).", "It loses {1}, and gains {2}.", "It loses {1}.", "It gains {1}.",
         "It holds more: {1}, and holds less: {2}.", "It holds more: {1}.", "It holds less: {1}.",
         "{1} equals {2}", ", {1} fewer", "{1} and a batch of {2} instead of {3} for job {4}", "Recompute none",
         "Recompute selective", "Recompute full", "Sequence parallel yes", "Sequence parallel no", "failures Goodput",
         "beyond", "interleaved 1F1B", "Norms, residuals, biases, rotary embedding, activation", "The Parallelism Paradox",
         "Derived by arithmetic from other fields of the same item (this catalog)", "bound by memory bandwidth",
         "{1} if its steps take {2} less time than predicted (an MFU of {3} instead of {4}).",
         "{1} if its steps take {2} more time than predicted (an MFU of {3} instead of {4}).",
         "With \u201c{1}\u201d {2} lower for {3}, {4} alone, {5}.", "With \u201c{1}\u201d {2} higher for {3}, {4} alone, {5}.",
         "{1} falls below {2} at {3}; at {4} it lies on it.", "{1} falls below {2} at {3}; at {4} it does not yet.",
         "{1} rises above {2} at {3}; at {4} it lies on it.", "{1} rises above {2} at {3}; at {4} it does not yet.",
         "{1} is {2}, at least the {3} asked for.", "{1} is {2}, less than the {3} asked for.",
         "{1} is {2}, within the {3} allowed.", "{1} is {2}, more than the {3} allowed.",
         "{1} of the {2} plans that keep their limits", "{1} of the {2} plans known to keep their limits",
         "{1} (the only plan that keeps its limits)", "{1} (the only plan known to keep its limits)",
         "Examples:", "recommended", "capital", "{1} more days of the run", "{1} fewer days of the run", "{1} more cost of the run",
         "{1} less cost of the run", "{1} alone may make it {2} instead of {3}.", "{1} alone may make the run cost {2} instead of {3}.", "{1} on {2} tokens in {3}",
         "{1} by {2}\u00a0days", "{1} by {2} days", "{1} reserved for {2}", "topology {1}", "fat tree",
         "lines and total: at least eight draws in ten, and the likely value; each is drawn as a whole, so the ends of the "
         "lines do not add up to those of the total",
         "The days from {1} to {2}: {3}", "the days from {1} to {2}: {3}", "the cost of the run from {1} to {2}: {3}",
         "The cost of the run from {1} to {2}: {3}", "With \u201c{1}\u201d {2} lower for all, {3}.",
         "With \u201c{1}\u201d {2} higher for all, {3}.",
         *(limit + who + ", {1}" for limit in ("deadline", "capital", "memory", "goodput") for who in ("", " by your run", " by your runs")),
         *(before + by + behind for by in (" by your run", " by your runs") for before, behind in (
             ("likely", ""), (", {1} likely", ""), ("as fast", ""), ("{1} slower", ""), ("{1} faster", ", too little to tell"),
             ("{1} faster", ", and not among the formula\u2019s best"), ("{1} less time", ""), ("{1} more time", ""),
             ("None of the formula\u2019s best layouts is faster", ""),
             ("None of the formula\u2019s best layouts that leave {1} of the memory free is faster", "."),
             (": the fastest", " of those nearest to the formula\u2019s best."),
             (": the simplest that cannot be told from the fastest", ", which is {1} and would add {2}."),
             ("The fastest", ", {1}, would add {2}"))),
         *("It needs {1} of memory, " + other + " {2}." for other in ("the best", "the recommended one", "the one above")),
         "{1} to {2}, {3} likely by your run",
         *("It was interrupted {1} times as often as the " + which + " published fleet rate gives: {2}."
           for which in ("higher", "lower")),
         "{1}, failures per 1,000 node-days {2}", "{1}, owned wins", "{1} on 8,000 accelerators and more, of {2}: {3}.",
         "{1} on 8,000 accelerators and more, {2} scored, of {3}: {4}.", "OLMo 2 and OLMoE, development (all runs)",
         "fraction of wall time", "fraction of nodes", "fraction of dense peak", "per GPU-hour", "pJ per operation",
         "pJ per byte", "pJ per FLOP", "achieved TFLOP/s per GPU", "model TFLOP/s per GPU", "FLOP per parameter per token",
         "J per 1e6 bytes", "J per 1e3 bytes", "count of 419 unexpected in 54 days", "{1} per rack and month",
         *("{1} " + way + " in the offer: {2} at catalog prices."
           for way in ("is not", "are not", "is not priced", "are not priced")),
         "(liquid-cooled)", "(air-cooled)", "{1} and a batch of {2} instead of {3}", "{1} and Batch of job {2}: {3}",
         *("Approval of {1} of rent " + while_ + "; no power of the own site."
           for while_ in ("until the reservation ends", "for these jobs")),
         "The provider\u2019s site supplies the {1}; the limit of {2} was held against every fleet, bought or rented.",
         "{1} more carbon of the run\u2019s energy",
         "none with {1}", "Planning default \u201c{1}\u201d", "Rent {1} reserved for {2}", "{1} is no axis of a Pareto front; use one of {2}.",
         *("Your site takes {1} " + way + " time than a typical one, by these runs." for way in ("more", "less")),
         "T_m = P w / (t p e) (1 + activation traffic * b) / bandwidth; unsharded: not divided",
         "{1} too slow", "{1} too fast", "Read as research code, eager, nothing overlapped, {1}.", "fused attention of generation {1}",
         "likely *", "yes *", "Literature: {1}",
         *("\u201c{1}\u201d {2} " + way + " for all" for way in ("lower", "higher")),
         *("Step times of all {1} fleets together alone may make " + what + " {2} instead of {3}."
           for what in ("it", "the run cost")),
         "With spares for all, {1} is the best: {2} against {3} ({4}).",
         "With spares for all, none of the fleets found without them keeps all limits; {1} breaks them.",
         "binds {1}",
         "against the rent {1}", "as fast", "{1} less time", "{1} more time",
         *("The " + size + kind + " {1} has {2}; the plan" + whose + " has {3}, " + by
           for size, by in (("largest ", "more than {4} as many."), ("smallest ", "less than a tenth."))
           for kind, whose in (("validated run on", ""), ("model validated on", "'s"))),
         "Owning has cost no more than {1} from month {2} on, in present value.",
         "Owning has first cost no more than {1} in month {2}; at the end of its {3} it has cost more again, in present value.",
         "from the order: first run after {1}, jobs done after {2}",
         "Of {1} nodes some are in repair: {2} spare ones suffice 99 % of the time, and 0 are ordered",
         "Of {1} nodes some are in repair: {2} spare ones suffice 99 % of the time, and 0 are ordered; {3} more would cost {4}.",
         *(start + "rom {1} " + way + bracket + " on: {" + last + "}" for start in ("F", "; f") for way in ("lower", "higher")
           for bracket, last in (("", "2"), (" ({2})", "3"))),
         *("{1} would make the choice right in " + most + "{2} of draws instead of {3}, worth " + most + "{4} on average."
           for most in ("", "at most ")),
         "Rent {1} on demand",
         "Compared with {1} runs with {2}, of {3}, each predicted without its source: typically {4} off.",
         "s, ns, \u00b5s, us, \u03bcs, ms, min, h, d, days, years", "planning default \u201c{1}\u201d",
         "confidence: paper", "Not refused: {1}",
         "{1} days over", "GB/s of 1024 MB", "{1} stages, {2} virtual stages each, {3}", "twice", "Samples/s", "for {1} alone",
         *("{1} or " + whom + " alone" for whom in ("for the present choice", "for it", "for {2}")),
         *("It may be chance: a single run scatters by {1} beside what its site does, so that of its error of {2} a part "
           "alone is taken for the site's (a step just like this run's is then likely to take {3} " + way + " than by the formula, one of another "
           "layout or batch is moved by less), and constants move only as far as one run "
           "can tell them apart. More runs that agree move them further." for way in ("more", "less")),
         "\u201c{1}\u201d is no {2}; did you mean {3}?", "\u201c{1}\u201d is no {2}; use one of {3}.",
         *("\u201c{1}\u201d {2} " + way + " for all or for " + whom + " alone" for way in ("lower", "higher")
           for whom in ("it", "the present choice", "{3}")),
         *("The range is that of prices: published purchases were missed by " + most + "{1}" + rest
           for most in ("", "a median of ") for rest in (".", ", by {2} with the discount of large buyers.")),
         *("Published rents were missed by " + most + "{1}." for most in ("", "a median of ")),
         *("From month {1} on, owning has cost less than renting {2}, rented, " + term + " all year, the cheapest rent that "
           "keeps the limits, in present value of what is paid by the month." for term in ("on demand", "{3}")),
         *("Owning stays dearer than renting {1}, rented, " + term + " all year, the cheapest rent that keeps the limits, "
           "in present value of what is paid by the month." for term in ("on demand", "{2}")),
         "by {1} runs with {2}, of {3}, typically off by {4} where their source was left out",
         *("A step of \u201c{1}\u201d and \u201c{2}\u201d" + measured + " takes " + rest for measured in ("", ", which you measured,")
           for rest in ("as long as before.", "{3} by the fitted constants, {4} by those before the fit ({5}).")),
         "stated: {1}", "RunCost", "CashFlow", "BuyOrRent", "Tokens/s", "rentals are typically {1} off", "United States",
         *("The worksheet says {1}" + span + ": " + way + " {" + last + "}." for span, last in ((", {2}", "3"),
           (" ({2} to {3}), {4}", "5")) for way in ("within", "beyond")),
         *("The worksheet says {1} ({2} to {3}), {4}: the published figure lies " + way + " this range."
           for way in ("in", "outside")),
         *(who + " of H200 and later paid {1} of what the worksheet says at the catalog's quotes ({2}). With this discount it "
           "says {3}, {4}, " + way + " {5}." for who in ("The other large order", "Other large orders")
           for way in ("within", "beyond")),
         *("A step time: the cost models are scored on it on the first tab.",
           "An estimate of the authors over 90 days beside hours that leave out restarts: the two do not go together.",
           "The hours are not stated, and the power is a constant.",
           "Watts of a system per {1}: the catalog knows no maximum of its host, and 1.75 x TDP is of GPU servers.",
           "Watts of a {1}: the worksheet draws power by node, and a boundary is never compared with another.",
           "Watts of a {1}: the worksheet draws power by node. They are entered for the energy of {2}.",
           "chip with its memory", "GPU alone"),
         "{1} or {2} fewer", "{1} or {2} less", "{1} or {2} more", "Mixture of experts", "Default electricity price", "{1}, where {2} costs {3}", "feed-forward", "element-wise", "element-wise work",
         "decoder only transformer", "MoE decoder only transformer", "encoder only transformer", "{1} in the rent", "{1} owned", "{1} rented", "{1} on demand", "attention not fused", "90 % within", "Not scored: {1}", "{1} TP or PP not stated", "{1} inconsistent",
         "{1} to {2}, {3} likely by your runs", "Closest is {1}.", "up to {1} months", "up to {1} month",
         "{1}, rented, reserved for {2} wins with {3}.", "Latent attention and experts: {1}",
         *("{1} wins with {2}, or with \u201c{3}\u201d {4} " + way + " {5}." for way in ("lower", "higher")),
         *("{1}, rented, reserved for {2} wins with {3}, or with \u201c{4}\u201d {5} " + way + " {6}."
           for way in ("lower", "higher")),
         "less cost of the run", "fewer days of the run", "less capital", "less cost of the fleet in a year",
         "less carbon of the run\u2019s energy", "less energy of the run",
         "That price is an estimate and no order: {1}", "Marked \u201cshare only\u201d: {1}", "Marked \u201cno\u201d: {1}",
         *("Marked \u201c" + mark + "\u201d: {1}" for mark in ("no (duplicate)", "trend only", "ceiling", "no (constant power)")),
         "(whole project)",
         *("{1} " + one + " not made for such a plan; {2} " + other + " it." for one in ("was", "were")
           for other in ("refuses", "refuse")),
         *("{1} " + one + " not made for such a plan." for one in ("was", "were")),
         *("{1} " + other + " it." for other in ("refuses", "refuse")),
         "Nothing with {1} is kept out by {2} alone.", "Nothing with {1} is kept out by {2}, each alone.",
         "if {1} = \u201cliquid\u201d: {2}; otherwise: {3}", "= if {1} = \u201cliquid\u201d: {2}; otherwise: {3}",
         "Racks and power distribution are not in the offer{1}", "Racks and power distribution are not priced in the offer{1}",
         "{1} model dimensions", "{1} no batch", "{1} no sequence length", "{1} no step time", "{1} out of memory",
         "{1} precision not stated", "{1} unknown accelerator", "{1} whole-run average", "Read as {1}, {2}, {3}.",
         "Published: {1} ({2}): {3}.", "Published: {1}: {2}.", "Marked \u201c{1}\u201d: {2}",
         *(part + " ({1}) and {2}" for part in (
             "the microbatch", "virtual stages", "recomputation", "the attention kernel", "the precision", "the ZeRO stage",
             "sequence parallelism", "the network between nodes", "the vocabulary")),
         *("{1} " + part for part in (
             "in compute", "in TP communication", "in PP communication", "in CP communication", "in expert exchange",
             "in DP communication", "in the pipeline bubble", "in the optimizer", "in overheads",
             "waiting for stragglers", "of weights", "of gradients", "of optimizer state", "of activations",
             "of everything else")))
# What stands alone in columns and lists of choices, where localizedWord() says it; in sentences it may be a key or part
# of a name.
ALONE = (
         "coal", "gas", "geothermal", "hydro", "nuclear", "oil", "wind", "other renewable", "generic", "copper",
         "multimode", "Tokyo", "Japan (Tokyo)", "hours", "fraction", "market",
         "paper", "attention", "experts", "host", "logits", "embedding", "optimizer", "down", "loss", "gate", "up", "router",
         "update", "compute", "latency", "dependency", "gradients", "parameters", "tree", "Operator", "auto", "on",
         "off", "selective", "full", "tuned", "framework", "research", "published", "corrected", "replica",
         "unsharded", "cloud", "workstation", "mobile", "edge", "tiny", "server", "rack scale", "cloud instance",
         "TPU host", "TPU slice", "shipping", "legacy", "announced", "reference", "operational", "reference fleet",
         "reference pod", "higher", "lower", "deployed system", "deployment tier", "reference profile", "country", "country group",
         "US state", "US division", "cloud region", "scale out", "scale up", "host link", "appliance", "dac", "aec",
         "aoc", "adapter", "wafer", "air", "liquid", "mixed", "used", "spot", "capacity block", "reserved 1 y",
         "reserved 3 y", "reserved 5 y", "lease", "subscription 1 y", "subscription 3 y", "subscription 5 y",
         "perpetual", "network", "storage", "labeling", "carbon", "colocation", "facility", "license", "licences",
         "support", "staff", "insurance", "rack cooling", "installation", "language", "vision", "multimodal",
         "speech", "recommendation", "state space", "diffusion", "robotics", "learned", "RoPE partial", "alibi",
         "relative", "hybrid", "compressed", "unknown", "decoder only transformer", "MoE decoder only transformer",
         "encoder only transformer", "encoder decoder transformer", "hybrid MoE", "hybrid SSM", "diffusion policy",
         "CVAE transformer", "component MTTF", "reliability", "recovery", "efficiency", "overhead", "software",
         "scaling law", "orchestration", "economics", "accuracy", "energy", "technology", "measured reliability",
         "published throughput", "published MFU", "embodied carbon", "lead time", "acceptance", "contract",
         "useful life", "residual value", "rental index", "warranty", "spares", "failure rate", "repair",
         "node power", "cooling profile", "rack", "threshold", "datacenter", "operator average", "survey",
         "construction cost", "fabrics", "network gear", "grids", "fabric", "grid", "price", "workload", "cluster",
         "currency", "weeks", "days", "months", "years", "share", "per year", "of the fleet", "of the nodes",
         "of the wall time", "of the dense peak", "of the capital per year", "dimensionless", "pJ per FLOP",
         "GPU-days", "per 1,000 node-days", "nodes", "stated", "estimated", "decision", "tutorial", "ten-megawatts",
          "two-tier Clos", "single mode", "unique", "pJ per byte", "pJ per operation",
         "per GPU-hour", "FLOP per parameter per token", "J per 1e6 bytes", "J per 1e3 bytes",
         "count of 419 unexpected in 54 days", "failures per 1,000 node-days", "achieved TFLOP/s per GPU",
         "model TFLOP/s per GPU",
         # What stands for what is typed in the helps of commands, and what lines of their answers are about.
         "FILE", "FOLDER", "VALUES", "VALUE", "KEY", "FROM", "TO", "FIGURE", "LAYOUT", "DAY", "DATE", "WHO", "SIZE",
         "NAMES", "SECONDS", "OBJECTIVE", "ENTRY", "CATALOG", "KIND", "WHAT", "MODEL", "INPUT", "DECISION", "OFFER",
         "PROJECT", "DOCUMENT", "DAMAGED", "COMMAND", "OPTIONS", "ok", "FAILS", "likely", "limits", "layout", "reading", "range",
         "beyond", "run", "cost", "failures", "assumed", "note")
# Words that stand alone and are no keys.
WORDS = {"paper", "measurement", "estimate", "derived", "source read", "owned", "As of", "electricity", "included", "same", "pass", "undecided",
         "fail", "likely", "reaches"}
EXAMPLE = re.compile(r"^[a-z-]+ .*\b[\w-]+\.(fleetwright|yaml|json|pdf|csv|sh)\b")

TOKEN = re.compile(
    r'(?P<blank>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#[^\n]*)'
    r'|(?:u8|u|U|L)?R"(?P<fence>[^(\s]*)\((?P<raw>.*?)\)(?P=fence)"(?P<rawend>\w*)'
    r'|(?:u8|u|U|L)?"(?P<text>(?:[^"\\\n]|\\.)*)"(?P<end>\w*)'
    r"|(?:u8|u|U|L)?'(?P<char>(?:[^'\\\n]|\\.)+)'"
    r"|(?P<number>\.?\d(?:[\w.]|'\d|(?<=[eE])[+-])*)"
    r'|(?P<word>[A-Za-z_]\w*)'
    r'|(?P<sign>->|::|\+\+|--|\+=|<<|>>|<=|>=|==|!=|&&|\|\||[^\s\w])', re.S | re.M)
ESCAPE = re.compile(r'\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|x[0-9A-Fa-f]+|[0-7]{1,3}|.)', re.S)
SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
CLOSING = {"(": ")", "[": "]", "{": "}"}
# What ends an expression of + or <<.
ENDS = {",", ";", "?", ":", "=", "+=", ">>", "&&", "||", "==", "!=", "<=", ">=", "!", "-", "*", "/", "%", "|", "&"}
WRAPPERS = {"string", "string_view", "QStringLiteral", "QString", "QLatin1String"}


def unescaped(text):
    def one(match):
        code = match.group(1)
        if code[0] in "uUx":
            return chr(int(code[1:], 16))
        return SIMPLE.get(code, chr(int(code, 8)) if code.isdigit() else code)
    return ESCAPE.sub(one, text)


def tree(source):
    """The tokens, what stands in brackets as a list behind its bracket."""
    root = []
    open_lists, closers = [root], []
    for match in TOKEN.finditer(source):
        if match.group("blank") is not None:
            continue
        if match.group("text") is not None or match.group("raw") is not None:
            raw = match.group("raw")
            open_lists[-1].append(("text", unescaped(match.group("text")) if raw is None else raw))
        elif match.group("word") is not None:
            open_lists[-1].append(("word", match.group("word")))
        elif match.group("sign") in CLOSING:
            group = []
            open_lists[-1].append(("group", match.group("sign"), group))
            open_lists.append(group)
            closers.append(CLOSING[match.group("sign")])
        elif closers and match.group("sign") == closers[-1]:
            closers.pop()
            open_lists.pop()
        else:
            open_lists[-1].append(("sign", match.group("sign") or "'"))
    return root


def operands(tokens):
    """The runs of a sequence that + or << joins, each a list of operands."""
    runs, run, operand = [], [], []

    def end_operand():
        nonlocal operand
        if operand:
            run.append(operand)
        operand = []

    def end_run():
        nonlocal run
        end_operand()
        if run:
            runs.append(run)
        run = []

    for i, token in enumerate(tokens):
        if token in (("sign", "+"), ("sign", "<<")):
            end_operand()
        elif token[0] == "sign" and token[1] in ENDS or token == ("word", "return") or token == ("word", "case"):
            end_run()
        elif token[0] == "group" and token[1] == "{" and not (operand and operand[-1][0] == "word" and run):
            operand.append(token)
            end_run()
        else:
            operand.append(token)
    end_run()
    return runs


def literal(operand):
    """The text of an operand that is nothing else; none otherwise."""
    if all(token[0] == "text" for token in operand):
        return "".join(token[1] for token in operand)
    if operand[-1][0] == "group" and operand[-1][1] in "({" and all(
            token[0] == "word" and token[1] in WRAPPERS | {"std"} or token == ("sign", "::") for token in operand[:-1]):
        inner = operand[-1][2]
        if inner and len(operand) > 1 and all(token[0] == "text" for token in inner):
            return "".join(token[1] for token in inner)
    return None


def parts(run):
    """The pieces of what a run makes: texts, and None for what stands between them. Brackets around a sum are opened."""
    for operand in run:
        text = literal(operand)
        if text is not None:
            yield text
        elif len(operand) == 1 and operand[0][0] == "group" and operand[0][1] == "(":
            inner = operands(operand[0][2])
            if len(inner) == 1 and not any(token in (("sign", "?"), ("sign", ":")) for token in operand[0][2]):
                yield from parts(inner[0])
            else:
                yield None
        else:
            yield None


def pattern(pieces):
    out, place = "", 0
    for piece in pieces:
        if piece is None:
            if out.endswith("}") and re.search(r"\{\d+\}$", out):
                continue  # two values side by side are one
            place += 1
            out += "{%d}" % place
        else:
            out += piece
    return out


def walk(tokens, found):
    previous = None
    for i, token in enumerate(tokens):
        if token[0] == "group":
            name = next((t[1] for t in reversed(tokens[max(0, i - 1):i]) if t[0] == "word"), "")
            walk(token[2], found)
            if name == "counted":
                for run in operands(token[2]):
                    if len(run) == 1 and literal(run[0]):
                        found.append("{1} " + literal(run[0]))
        elif token[0] == "text" and i + 2 < len(tokens) and tokens[i + 1] == ("sign", ".") and tokens[i + 2] in (
                ("word", "arg"), ("word", "append")):
            found.append(re.sub(r"%(\d)", r"{\1}", token[1]))
    for run in operands(tokens):
        if run[0][-1][1] in ("cout", "cerr", "out", "stream", "os"):
            run = run[1:]
        pieces = list(parts(run))
        if any(piece for piece in pieces if piece is not None):
            found.append(pattern(pieces))


SQL = re.compile(r"^\s*(SELECT|INSERT|UPDATE|DELETE|PRAGMA|CREATE|DROP|ALTER|ROLLBACK|RELEASE|SAVEPOINT|BEGIN|COMMIT|VACUUM|"
                 r"ATTACH|DETACH|FROM|WHERE|ORDER BY|VALUES|REPLACE|WITH RECURSIVE)\b")


def for_people(text):
    if text in WORDS:
        return True
    bare = re.sub(r"\{\d+\}", " ", text)
    if SQL.match(bare) or EXAMPLE.match(text) or re.search(r"[\x00-\x08\x0b-\x1f]", text):
        return False
    if not re.search(r"[A-Za-z]{2}", bare):
        return False
    if text.startswith("^"):
        return False  # a regular expression
    if "://" in bare and " " not in bare.strip() or bare.lstrip().startswith(("#include", "%%")):
        return False
    if bare.lstrip().startswith("--") and not re.search(r"[a-z]{2,} [a-z]{2,} [a-z]{2,}", bare):
        return False
    if re.search(r"\w_\w", bare) and re.search(r"[*/+=<>]", bare) and not re.search(r"[a-z]{3,} [a-z]{3,} [a-z]{2,}|; [a-z]+ [a-z]+ [a-z]+ ", bare):
        return False  # a formula over keys
    words = re.findall(r"[A-Za-z][A-Za-z\u2019'-]*", bare)
    if not any(len(word) >= 3 for word in words):
        return False
    if re.search(r"[A-Za-z\"\u201c,.;:)\u201d] +[A-Za-z(\"\u201c]|\} [a-z]{2}|[a-z]{2}[,:]? \{", text):
        return True
    return re.match(r"^[A-Z][a-z]+[a-z-]*$", bare.strip()) is not None


def for_people_beside_tr(text):
    """Whether lupdate should have found it: sentences, since names of objects and formats stand there as well."""
    return re.search(r"[\\<>]|\(\?|^\(|yyyy|%\d \{", text) is None and re.search(
        r"^[A-Z0-9{\u201c].*[a-z]{2,} .*[a-z]{2,} .*[a-z]{2,}|^[A-Z][a-z]+ [a-z]+ [a-z]+|^\{1\} [a-z]+ [a-z]+", text) is not None


def texts(root, layers=LAYERS):
    """Each text with its file, in the order of files; a text stands once."""
    seen = set()
    for layer in layers:
        for file in sorted((root / "src" / layer).rglob("*")):
            if file.suffix not in (".cpp", ".h") or file.name in OTHERS:
                continue
            found = []
            walk(tree(file.read_text(encoding="utf-8")), found)
            for text in found:
                if layer in LAYERS:  # no tr() there: a text with %1 is handed on before its places are filled
                    text = re.sub(r"%(\d)(?!\d)", r"{\1}", text)
                if text not in seen and for_people(text):
                    seen.add(text)
                    yield text, file


STUDY_TEXT = re.compile(r"^(?P<indent> *(?:- )?)(?:title|summary|text|reply): (?P<text>.*)$|^ +- (?P<point>[A-Z].*)$")


def study_texts(root):
    """What the guided studies say, which stands in files of its own (values on one line, or in blocks behind |-)."""
    for file in sorted((root / "resources" / "studies").glob("*.yaml")):
        lines = iter(file.read_text(encoding="utf-8").splitlines() + [""])
        line = next(lines, None)
        while line is not None:
            match, line_behind = STUDY_TEXT.match(line), None
            if match and match.group("text") == "|-":
                block, indent = [], len(match.group("indent"))
                for line_behind in lines:
                    if line_behind.strip() and len(line_behind) - len(line_behind.lstrip()) <= indent:
                        break
                    block.append(line_behind.strip())
                yield "\n".join(block).strip(), file
            elif match:
                yield match.group("text") or match.group("point"), file
            line = line_behind if line_behind is not None else next(lines, None)


def cost_notes(root):
    """What is said of published costs beside the worksheet's, sentence by sentence, as it is recognised."""
    file = root / "resources" / "validation" / "cost_comparisons.json"
    rows = json.loads(file.read_text(encoding="utf-8"))
    for row in [*rows["figures"], *rows["comparisons"], *rows["not_scored"]]:
        for text in (row.get("note"), row.get("reason"), row.get("scope")):
            for sentence in re.split(r"(?<=\.) (?=[A-Z])", text or ""):
                if sentence:
                    yield sentence, file


SAMPLE_TEXT = re.compile(r'(?:^[ {-]*|[{,] *)"?(?:name|decision|sweep|question|label|outputs)"?: (?:"(?P<quoted>[^"]*)"|(?P<bare>[^"\n]*))')


def sample_texts(root):
    """What the samples' documents are called and ask, which a new sample says in the language of the program."""
    seen = set()
    for file in sorted((root / "resources" / "samples").rglob("*.*")):
        for line in file.read_text(encoding="utf-8").splitlines():
            for match in SAMPLE_TEXT.finditer(line):
                text = match.group("quoted")
                if text is None:  # in braces a value ends where the next key begins
                    text = re.split(r", \w+: |\}", match.group("bare"))[0] if "{" in line else match.group("bare")
                if text not in seen and re.search("[a-z]{2}", text):  # else marks alone: "1 x 2"
                    seen.add(text)
                    yield text, file


# Items of the other catalogs are called by the names of products and models.
NAMED_IN_WORDS = ("clusters", "currencies", "economics_reliability_defaults", "fabrics", "facilities", "grids",
                  "network_gear", "prices")
# The names of others are those of products, but for what some say in brackets.
SAID_OF_PRODUCTS = re.compile(r"\((?!GPU)[^)]*\b(of|server|reference|chips?|part|per card|die|class|cooled)\b|\(GPU part|^Reference ")
# Fields that say something in words.
SAYING = ("notes", "latency_basis", "typical_topology", "tdp_basis", "max_power_basis", "power_basis",
          "achievable_basis", "oversubscription_note", "topology", "embodied_carbon_scope", "carbon_basis",
          "scale_up_topology", "derivation_exception", "active_exception", "extra_params_reason")


def catalog_texts(root):
    """What the shipped items are called, what their notes say, and what they warn of."""
    for file in sorted((root / "resources" / "catalog").glob("*.json")):
        for item in json.loads(file.read_text(encoding="utf-8"))["items"]:
            if file.stem in NAMED_IN_WORDS or (
                    file.stem in ("accelerators", "nodes") and SAID_OF_PRODUCTS.search(item["name"])):
                yield item["name"], file
            for text in [*item.get("known_confusions", []), *(item.get(field) for field in SAYING)]:
                if text and re.search(r" .*[a-z]{3}|[a-z]{3}.* |\.$", text):  # one word may be a key
                    yield text, file


if __name__ == "__main__":
    import pathlib
    for text, file in texts(pathlib.Path(__file__).resolve().parent.parent):
        print(f"{file.name}\t{text!r}")
