#pragma once
// Arguments of get_weather (parse_helper.h) whose strings are made of a family's markers and of what stands
// around them, so that much in them could be taken for markup.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "inference/json/json.h"
#include "orchestration/calls/call_format.h"

namespace parley::orchestration::calls {

inline std::vector<std::string> markers_of(const CallFormat& format) {
  std::vector<std::string> markers;
  const ArgumentTags& tags = format.argument;
  for (const Markers* some :
       {&format.section_open, &format.section_close, &format.call_open, &format.name_end, &format.id_open,
        &format.call_close, &format.quote, &tags.open, &tags.name_end, &tags.attribute_end, &tags.value_open,
        &tags.value_close, &format.reasoning_open, &format.reasoning_close}) {
    markers.insert(markers.end(), some->begin(), some->end());
  }
  return markers;
}

class RandomText {
 public:
  RandomText(std::vector<std::string> markers, std::uint64_t seed)
      : random_(seed), pieces_(std::move(markers)) {
    for (const char* text : {" ", "\n", "a", "b c", "\"", "'", "\\", "{", "}", "[", "]", ",", ":", "now"})
      pieces_.emplace_back(text);
  }

  std::string next() {
    std::string text;
    for (std::size_t left = below(9); left > 0; --left) text += pieces_[below(pieces_.size())];
    return text;
  }
  std::size_t below(std::size_t limit) { return random_() % limit; }

 private:
  std::mt19937_64 random_;
  std::vector<std::string> pieces_;
};

inline inference::json::JsonObject random_arguments(RandomText& random) {
  inference::json::JsonObject arguments{{"city", random.next()}};
  if (random.below(2) == 0) arguments["places"] = inference::json::JsonArray{random.next(), 1, random.next()};
  if (random.below(2) == 0)
    arguments["options"] = inference::json::JsonObject{{"a", random.next()}, {"b", nullptr}};
  if (random.below(2) == 0) arguments["days"] = 3;
  return arguments;
}

// Random pieces of 1 to `longest` bytes.
inline std::vector<std::string_view> random_pieces(std::string_view text, std::size_t longest,
                                                   RandomText& random) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    const std::size_t length = std::min(text.size(), 1 + random.below(longest));
    pieces.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return pieces;
}

}  // namespace parley::orchestration::calls
