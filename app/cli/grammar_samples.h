#pragma once
// What constraints are measured with: JSON Schemas with a valid document each, and parameters of tools.
// Constants and pure functions, any thread; never fails.

#include <cstddef>
#include <span>
#include <vector>

#include "inference/json/json.h"

namespace parley::app::cli {

struct GrammarSample {
  const char* name;
  const char* schema;
  const char* document;
};
std::span<const GrammarSample> grammar_samples();

// JSON Schemas of the parameters of so many tools, no two of them equal.
std::vector<inference::json::JsonValue> sample_parameters(std::size_t num_tools);

// An answer that calls the first of two or more such tools, named tool_0, tool_1 and so on, in the way of
// Qwen.
const char* sample_call();

}  // namespace parley::app::cli
