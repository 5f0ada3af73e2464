#pragma once
// tokenizer_goldens.json, written by tests/goldens/tokenizer/make_tokenizer_goldens.py. Throws if it is not
// there.

#include <simdjson.h>

#include <map>
#include <string>
#include <vector>

#include "inference/tokenizer/tokenizer.h"

namespace parley::inference::tokenizer {

struct RepeatedIds {
  std::size_t num_ids = 0;
  std::string fnv1a;
};

struct GoldenIds {
  std::vector<std::vector<TokenId>> texts;
  std::vector<std::vector<TokenId>> special_as_data;
  std::vector<std::vector<TokenId>> special_as_template;
  std::vector<RepeatedIds> repeated;
};

struct Goldens {
  std::vector<std::string> texts;
  std::vector<std::string> special_texts;
  std::vector<std::string> repeated;                            // written out
  std::map<std::string, std::vector<std::vector<int>>> pieces;  // lengths in bytes, by pre-tokenizer and text
  std::map<std::string, GoldenIds> ids;                         // by pre-tokenizer
};

namespace golden_detail {

inline std::vector<std::string> strings(simdjson::dom::element array) {
  std::vector<std::string> result;
  for (const auto element : array) result.emplace_back(std::string_view(element));
  return result;
}

inline std::vector<std::vector<std::int32_t>> lists(simdjson::dom::element array) {
  std::vector<std::vector<std::int32_t>> result;
  for (const auto list : array) {
    auto& numbers = result.emplace_back();
    for (const auto number : list) numbers.push_back(static_cast<std::int32_t>(std::int64_t(number)));
  }
  return result;
}

inline GoldenIds ids(simdjson::dom::element object) {
  GoldenIds result;
  result.texts = lists(object["texts"]);
  result.special_as_data = lists(object["special_as_data"]);
  result.special_as_template = lists(object["special_as_template"]);
  for (const auto entry : object["repeated"]) {
    result.repeated.push_back(
        {std::uint64_t(entry["num_ids"]), std::string(std::string_view(entry["fnv1a"]))});
  }
  return result;
}

}  // namespace golden_detail

inline Goldens load_goldens() {
  simdjson::dom::parser parser;
  const simdjson::dom::element root =
      parser.load(PARLEY_SOURCE_DIR "/tests/goldens/tokenizer/tokenizer_goldens.json");
  Goldens goldens;
  goldens.texts = golden_detail::strings(root["texts"]);
  goldens.special_texts = golden_detail::strings(root["special_texts"]);
  for (const auto entry : root["repeated"]) {
    std::string& text = goldens.repeated.emplace_back();
    for (std::uint64_t index = 0; index < std::uint64_t(entry["count"]); ++index) {
      text += std::string_view(entry["unit"]);
    }
  }
  for (const auto [name, value] : simdjson::dom::object(root["pieces"])) {
    goldens.pieces[std::string(name)] = golden_detail::lists(value);
  }
  for (const auto [name, value] : simdjson::dom::object(root["ids"])) {
    goldens.ids[std::string(name)] = golden_detail::ids(value);
  }
  return goldens;
}

}  // namespace parley::inference::tokenizer
