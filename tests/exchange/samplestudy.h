// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/studydocuments.h"

/// A short study with every kind of step.
namespace samplestudy {

inline constexpr const char *text = R"(fleetwright: 1
id: short-study
title: A short study
summary: One question, one instrument.
context: 3d
steps:
  - id: start
    kind: brief
    title: What this is about
    text: |
      First paragraph: with a colon.

      Second paragraph.
  - id: guess
    kind: predict
    title: First guess
    text: Which fits?
    choices:
      - {id: few, text: TP 1, reply: "No, too few.", right: false}
      - {id: many, text: "TP 1, PP 32", reply: "Yes.", right: true}
  - id: cube
    kind: instrument
    title: Try it
    text: Move the sliders.
    instrument: cube
    unlocked_by: guess
    start: {tp: 1, pp: 1, microbatches: 16, variant: published}
    movable: [tp, pp]
  - id: answer
    kind: reveal
    title: Answer
    of: guess
  - id: think
    kind: reflect
    title: Your words
    text: What surprised you?
  - id: end
    kind: takeaways
    title: Remember
    points: [Memory divides., Bubbles grow.]
)";

inline fleetwright::StudyDocument document() { return fleetwright::exchange::studyFromText(text).value(); }

} // namespace samplestudy
