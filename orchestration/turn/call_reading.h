#pragma once
// How a model is read: its family's way to write calls, and whether it reasons; and how far it can be trusted
// with tools where nobody says so. Plain values and pure functions, any thread. Never fails: a template that
// is not known gets the generic format.

#include <cstdint>
#include <string_view>

#include "orchestration/calls/call_formats.h"
#include "orchestration/calls/prose_markup.h"
#include "orchestration/turn/chat_model.h"

namespace parley::orchestration::turn {

enum class Reasoning : std::uint8_t {
  never,     // an answer without tools is prose, whatever is in it
  possible,  // markers of reasoning are looked for in every answer
};

struct CallReading {
  const calls::CallFormat* format = &calls::generic_call_format();  // of the table
  calls::CallDetection detection = calls::CallDetection::lenient;   // with tools offered
  Reasoning reasoning = Reasoning::never;
};

// `format` overrides what the template says; null: it does not.
CallReading call_reading(std::string_view chat_template, const calls::CallFormat* format = nullptr);

// Of a model that the catalogue does not list. A template that shows no tools: none. Below three billion
// parameters models call when they should not, so: weak.
ToolProfile usual_tool_profile(std::string_view chat_template, std::int64_t num_parameters);

}  // namespace parley::orchestration::turn
