#pragma once
// Writes calls as a model of each family does: written from the families' documentation, independent of the
// parser's table.

#include <string>
#include <string_view>
#include <vector>

#include "inference/json/json.h"

namespace parley::orchestration::calls {

struct WrittenCall {
  std::string name;
  inference::json::JsonObject arguments;
};

// All families that the writer knows; the names are those of the table.
const std::vector<std::string>& written_families();

// One output: prose, reasoning (each may be empty), calls.
struct WrittenOutput {
  std::string reasoning = {};
  std::string prose = {};
  std::vector<WrittenCall> calls = {};
};

std::string write_output(std::string_view family, const WrittenOutput& output);

// Values in the syntax of Python, with True and single quotes.
std::string python_literal(const inference::json::JsonValue& value);

}  // namespace parley::orchestration::calls
