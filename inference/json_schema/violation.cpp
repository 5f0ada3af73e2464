#include "inference/json_schema/violation.h"

#include <algorithm>

#include "inference/json_schema/json_pointer.h"

namespace parley::inference::json_schema {
namespace {

constexpr std::size_t kMaxPlace = 120;

bool is_index(std::string_view step) {
  return !step.empty() && std::all_of(step.begin(), step.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

std::string readable_place(std::string_view pointer) {
  std::string place;
  for (const std::string& step : pointer_steps(pointer).value_or(std::vector<std::string>{})) {
    if (is_index(step)) {
      (place += '[').append(step) += ']';
    } else {
      if (!place.empty()) place += '.';
      place += step;
    }
  }
  if (place.size() <= kMaxPlace) return place;
  std::size_t head = kMaxPlace / 2;
  std::size_t tail = place.size() - kMaxPlace / 2;
  while (head > 0 && is_continuation(place[head])) --head;
  while (tail < place.size() && is_continuation(place[tail])) ++tail;
  return place.substr(0, head) + "\xE2\x80\xA6" + place.substr(tail);
}

std::string to_text(const Violation& violation) {
  if (violation.place.empty()) return violation.sentence;
  return "`" + readable_place(violation.place) + "`: " + violation.sentence;
}

std::string to_text(const SchemaError& error) {
  if (error.place.empty()) return error.message;
  return "at `" + readable_place(error.place) + "`: " + error.message;
}

}  // namespace parley::inference::json_schema
