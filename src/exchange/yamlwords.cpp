// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/yamlwords.h"

#include <yaml-cpp/exceptions.h>

#include <string_view>

namespace fleetwright::exchange {

const char *const noAnchors = "Anchors and aliases (& and *) are not accepted; write the value out, or quote it.";
const char *const noTags = "Tags (!) are not accepted; leave the tag out, or quote the value.";

namespace {

namespace Said = YAML::ErrorMsg;

constexpr std::string_view noDirectives =
    "Directives (a line that begins with %) are not accepted; leave the line out, or quote the value.";
constexpr std::string_view blockMark =
    "Behind | or >, which begin a text of several lines, only a digit from 1 to 9, + or - may stand.";

struct Fault {
    std::string_view said; ///< what the message begins with: some go on with what they are about
    std::string_view ours;
};

const Fault faults[] = {
    // not constexpr: the library does not declare its messages so
    {Said::END_OF_SEQ_FLOW, "A list that begins with [ is not closed; write ] behind its last value."},
    {Said::END_OF_MAP_FLOW, "An object that begins with { is not closed; write } behind its last value."},
    {Said::END_OF_SEQ,
        "A list ends here, and what follows belongs to nothing; begin each of its entries in the same column with a "
        "dash, and check its quotes."},
    {Said::END_OF_MAP,
        "An object ends here, and what follows belongs to nothing; begin each of its keys in the same column, and "
        "check its "
        "quotes."},
    {Said::FLOW_END, "A ] or } closes nothing; leave it out, or quote the value."},
    {Said::BLOCK_ENTRY,
        "A dash with a blank behind it begins an entry of a list, and none may begin here; quote the value."},
    {Said::MAP_KEY, "No key may begin here; begin a line with it, or quote the value."},
    {Said::MAP_VALUE,
        "A colon with a blank behind it belongs behind a key, and there is none here; quote the value that holds it."},
    {Said::EOF_IN_SCALAR, "A quote is opened and not closed."},
    {Said::DOC_IN_SCALAR, "A quote is opened and not closed before the line of --- or ... that ends the document."},
    {Said::CHAR_IN_SCALAR, "A value holds a character that has no place there; quote the value."},
    {Said::UNKNOWN_TOKEN, "A value begins with a character that none may begin with; quote the value."},
    {Said::INVALID_ESCAPE,
        "Between double quotes a backslash stands before a character that it gives no meaning; write two of them."},
    {Said::INVALID_HEX, "Between double quotes the digits behind \\x, \\u or \\U are too few, or no hexadecimal ones."},
    {Said::INVALID_UNICODE, "Between double quotes the digits behind \\u or \\U are those of no character."},
    {Said::SINGLE_QUOTED_CHAR, "A text between single quotes holds a character that has no place there."},
    {Said::TAB_IN_INDENTATION, "The line is indented with a tab; use spaces."},
    {Said::ZERO_INDENT_IN_BLOCK, blockMark},
    {Said::CHAR_IN_BLOCK, blockMark},
    {Said::ALIAS_NOT_FOUND, noAnchors},
    {Said::ANCHOR_NOT_FOUND, noAnchors},
    {Said::CHAR_IN_ALIAS, noAnchors},
    {Said::CHAR_IN_ANCHOR, noAnchors},
    {Said::MULTIPLE_ANCHORS, noAnchors},
    {Said::MULTIPLE_ALIASES, noAnchors},
    {Said::ALIAS_CONTENT, noAnchors},
    {Said::AMBIGUOUS_ANCHOR, noAnchors},
    {Said::UNKNOWN_ANCHOR, noAnchors},
    {Said::INVALID_ANCHOR, noAnchors},
    {Said::INVALID_ALIAS, noAnchors},
    {Said::CHAR_IN_TAG_HANDLE, noTags},
    {Said::TAG_WITH_NO_SUFFIX, noTags},
    {Said::END_OF_VERBATIM_TAG, noTags},
    {Said::MULTIPLE_TAGS, noTags},
    {Said::INVALID_TAG, noTags},
    {Said::YAML_DIRECTIVE_ARGS, noDirectives},
    {Said::YAML_VERSION, noDirectives},
    {Said::YAML_MAJOR_VERSION, noDirectives},
    {Said::REPEATED_YAML_DIRECTIVE, noDirectives},
    {Said::TAG_DIRECTIVE_ARGS, noDirectives},
    {Said::REPEATED_TAG_DIRECTIVE, noDirectives},
};

} // namespace

std::string yamlFaultInWords(const std::string &message)
{
    const Fault *found = nullptr; // "end of map" begins another message, too: the longest counts
    for (const auto &fault : faults)
        if (message.starts_with(fault.said) && (!found || fault.said.size() > found->said.size()))
            found = &fault;
    if (found)
        return std::string(found->ours);
    return "This is not valid YAML; check indentation, quotes, colons and brackets.";
}

} // namespace fleetwright::exchange
