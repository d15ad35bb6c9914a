// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Documents that the YAML library refuses, in each way that was found to bring about another message of it.
namespace malformedyaml {

struct Document {
    const char *what;
    const char *text;
    const char *ours; ///< what the refusal must say
};

inline constexpr Document documents[] = {
    {"open list", "a: [1\n", "A list that begins with ["},
    {"open list over lines", "a: [1,\n2\nb: 3\n", "A list that begins with ["},
    {"open object", "a: {b: 1\n", "An object that begins with {"},
    {"keys of another depth", "a:\n  b: 1\n c: 2\n", "An object ends here"},
    {"text behind a quote", "a: \"b\" c\n", "An object ends here"},
    {"closing bracket", "a: ]\n", "A ] or } closes nothing"},
    {"closing brace", "a: }\n", "A ] or } closes nothing"},
    {"dash behind a key", "a: - 1\n", "A dash with a blank behind it"},
    {"key in a value", "a: ? b\n", "No key may begin here"},
    {"two colons", "a: b: c\n", "A colon with a blank behind it"},
    {"open double quote", "a: \"b", "A quote is opened and not closed."},
    {"open single quote", "a: 'b", "A quote is opened and not closed."},
    {"end of the document in quotes", "a: \"b\n---\nc\"\n", "that ends the document"},
    {"at sign", "a: @b\n", "A value begins with a character that none may begin with"},
    {"back quote", "a: `b`\n", "A value begins with a character that none may begin with"},
    {"unknown escape", "a: \"\\q\"\n", "a backslash stands before a character"},
    {"bad digits", "a: \"\\xZZ\"\n", "or no hexadecimal ones"},
    {"no character", "a: \"\\uD800\"\n", "those of no character"},
    {"depth of a block", "a: |0\n  b\n", "Behind | or >"},
    {"word behind a block's mark", "a: | b\n  c\n", "Behind | or >"},
    {"unknown alias", "a: *b\n", "Anchors and aliases"},
    {"alias without a name", "a: *\n", "Anchors and aliases"},
    {"anchor without a name", "a: & b\n", "Anchors and aliases"},
    {"mark in an alias", "a: *b&c\n", "Anchors and aliases"},
    {"two anchors", "a: &b &c d\n", "Anchors and aliases"},
    {"open tag", "a: !<b\n", "Tags (!)"},
    {"tag without an end", "a: !b! c\n", "Tags (!)"},
    {"two tags", "a: !b !c d\n", "Tags (!)"},
    {"version twice", "%YAML 1.2\n%YAML 1.2\n---\na: 1\n", "Directives"},
    {"version of more", "%YAML 1.2 3\n---\na: 1\n", "Directives"},
    {"later version", "%YAML 7.0\n---\na: 1\n", "Directives"},
    {"version that is none", "%YAML x\n---\na: 1\n", "Directives"},
    {"tag's shortcut", "%TAG !\n---\na: 1\n", "Directives"},
};

/// As its messages have them (yaml-cpp's exceptions.h), and the JSON library's.
inline constexpr const char *wordsOfTheLibrary[] = {"not found", "illegal", "invalid", "unknown token",
    "unknown escape", "bad character", "bad YAML", "repeated", "must have exactly", "the same node", "multiple nodes",
    "not defined", "zero indentation", "unexpected character", "no suffix", "parse_error", "yaml-cpp", "syntax error",
    "directives must"};

} // namespace malformedyaml
