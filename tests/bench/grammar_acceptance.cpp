// Which documents pass the constraint of a JSON Schema: one JSON object a line on standard input,
// {"schema": S, "documents": [TEXT, ...]}, one a line on standard output: {"accepts": [BOOLEAN, ...],
// "unchecked": ["PLACE KEYWORD: REASON", ...]}, or {"error": TEXT} for a schema that cannot be enforced.
// tests/bench/xgrammar_agreement.py asks it.

#include <iostream>
#include <string>
#include <variant>

#include "inference/grammar/grammar_machine.h"
#include "inference/grammar/schema_grammar.h"
#include "inference/json/json.h"
#include "inference/json/json_writer.h"

namespace {

namespace grammar = parley::inference::grammar;
namespace json = parley::inference::json;

json::JsonObject answer(const json::JsonObject& question) {
  const auto made = grammar::compile_schema(question.at("schema"));
  if (const auto* error = std::get_if<grammar::GrammarError>(&made)) return {{"error", error->message}};
  const auto& compiled = std::get<grammar::SchemaGrammar>(made);
  json::JsonArray accepts;
  for (const json::JsonValue& document : question.at("documents").as_array()) {
    accepts.emplace_back(grammar::accepts(compiled.grammar, std::string_view(document.as_string())));
  }
  json::JsonArray unchecked;
  for (const grammar::UncheckedKeyword& keyword : compiled.unchecked) {
    unchecked.emplace_back(keyword.place + " " + keyword.keyword + ": " + keyword.reason);
  }
  return {{"accepts", std::move(accepts)}, {"unchecked", std::move(unchecked)}};
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    const auto parsed = json::parse_json(line, {.max_bytes = line.size() + 1, .max_depth = 200});
    if (const auto* error = std::get_if<json::JsonError>(&parsed)) {
      std::cerr << "a line is no question: " << error->message << "\n";
      return 2;
    }
    std::cout << json::to_json_text(answer(std::get<json::JsonValue>(parsed).as_object())) << std::endl;
  }
  return 0;
}
