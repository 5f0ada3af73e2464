#include "orchestration/tools/entry_reader.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "inference/json/json_writer.h"
#include "inference/json/nearest_name.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonObject;
using inference::json::JsonValue;

constexpr std::int64_t kLongestTime = 3'600'000;  // ms

std::string in_quotes(std::string_view text) { return '"' + std::string(text) + '"'; }

// In a place, a key that is no plain word is put in brackets.
std::string place_part(std::string_view key) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-$";
  if (!key.empty() && key.find_first_not_of(kPlain) == std::string_view::npos) return '.' + std::string(key);
  return '[' + inference::json::to_json_text(JsonValue(key)) + ']';
}

std::optional<std::int64_t> whole_number(const JsonValue& value) {
  if (value.is_int64()) return value.get_int64();
  if (value.is_double()) {
    const double number = value.get_double();
    const auto whole = static_cast<std::int64_t>(number > -1e15 && number < 1e15 ? number : 0);
    if (static_cast<double>(whole) == number) return whole;
  }
  return std::nullopt;
}

}  // namespace

EntryReader::EntryReader(ReadingState& state, const JsonObject& object, ObjectKind kind, std::string place)
    : state_(state), object_(object), place_(std::move(place)) {
  warn_of_unknown_keys(kind);
}

void EntryReader::warn_of_unknown_keys(ObjectKind kind) {
  const auto known = known_keys(kind);
  for (const auto& field : object_) {
    const std::string_view key = field.key();
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string_view near = inference::json::nearest_name(key, known);
    std::string message = "unknown key, which is not used";
    if (!near.empty()) message += "; did you mean " + in_quotes(near) + '?';
    warn(key, std::move(message));
  }
}

std::string EntryReader::place_of(std::string_view key) const {
  if (key.empty()) return place_;
  std::string part = place_part(key);
  return place_.empty() && part[0] == '.' ? part.substr(1) : place_ + part;
}

void EntryReader::refuse(std::string_view key, std::string message) {
  if (refused_) return;  // the first problem is the one to mend first
  refused_ = true;
  state_.issues.push_back(
      {.severity = ConfigIssue::Severity::error, .place = place_of(key), .message = std::move(message)});
}

void EntryReader::warn(std::string_view key, std::string message) {
  state_.issues.push_back(
      {.severity = ConfigIssue::Severity::warning, .place = place_of(key), .message = std::move(message)});
}

const JsonValue* EntryReader::find(std::string_view key) const {
  const JsonValue* value = object_.if_contains(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

const JsonValue* EntryReader::take(std::string_view key) const {
  return refused_ || key.empty() ? nullptr : find(key);
}

std::string_view EntryReader::first_of(std::initializer_list<std::string_view> keys) const {
  for (const std::string_view key : keys) {
    if (find(key) != nullptr) return key;
  }
  return {};
}

std::optional<bool> EntryReader::flag(std::string_view key) {
  const JsonValue* value = take(key);
  if (value == nullptr) return std::nullopt;
  if (value->is_bool()) return value->get_bool();
  refuse(key, "expected true or false");
  return std::nullopt;
}

std::optional<std::int64_t> EntryReader::number(std::string_view key, IntRange range) {
  const JsonValue* value = take(key);
  if (value == nullptr) return std::nullopt;
  const auto whole = whole_number(*value);
  if (whole && *whole >= range.low && *whole <= range.high) return whole;
  refuse(key,
         "expected a whole number from " + std::to_string(range.low) + " to " + std::to_string(range.high));
  return std::nullopt;
}

std::optional<std::chrono::milliseconds> EntryReader::milliseconds(std::string_view key) {
  const auto count = number(key, {.low = 1, .high = kLongestTime});
  if (!count) return std::nullopt;
  if (*count < 500) {
    warn(key,
         std::to_string(*count) + " milliseconds is very short; times are in milliseconds, not in seconds");
  }
  return std::chrono::milliseconds(*count);
}

std::optional<std::string> EntryReader::plain_text(std::string_view key) {
  const JsonValue* value = take(key);
  if (value == nullptr) return std::nullopt;
  if (value->is_string()) return std::string(value->get_string());
  refuse(key, "expected a string");
  return std::nullopt;
}

std::string EntryReader::filled_in(std::string_view key, std::string_view text) {
  Expansion expansion = state_.variables.expand(text);
  if (!expansion.problem.empty()) refuse(key, std::move(expansion.problem));
  return std::move(expansion.text);
}

std::optional<std::string> EntryReader::text(std::string_view key) {
  const auto plain = plain_text(key);
  if (!plain) return std::nullopt;
  return filled_in(key, *plain);
}

std::vector<std::string> EntryReader::texts(std::string_view key) {
  std::vector<std::string> out;
  const JsonValue* value = take(key);
  if (value == nullptr) return out;
  if (value->is_string()) return {filled_in(key, value->get_string())};
  if (!value->is_array()) {
    refuse(key, "expected a list of strings");
    return out;
  }
  for (const JsonValue& item : value->get_array()) {
    if (!item.is_string()) {
      refuse(key, "expected a list of strings; element " + std::to_string(out.size()) + " is none");
      break;
    }
    out.push_back(filled_in(key, item.get_string()));
  }
  return out;
}

std::map<std::string, std::string> EntryReader::text_map(std::string_view key) {
  std::map<std::string, std::string> out;
  const JsonObject* fields = object(key);
  if (fields == nullptr) return out;
  for (const auto& field : *fields) {
    const JsonValue& value = field.value();
    if (value.is_object() || value.is_array() || value.is_null()) {
      refuse(key, "expected strings; " + in_quotes(field.key()) + " is none");
      break;
    }
    out[field.key()] =
        value.is_string() ? filled_in(key, value.get_string()) : inference::json::to_json_text(value);
  }
  return out;
}

const JsonObject* EntryReader::object(std::string_view key) {
  const JsonValue* value = take(key);
  if (value == nullptr) return nullptr;
  if (value->is_object()) return &value->get_object();
  refuse(key, "expected an object { … }");
  return nullptr;
}

std::optional<std::size_t> EntryReader::choice(std::string_view key,
                                               std::initializer_list<std::string_view> words) {
  const auto word = plain_text(key);
  if (!word) return std::nullopt;
  const auto found = std::find(words.begin(), words.end(), *word);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  std::string list;
  for (const std::string_view known : words) list += (list.empty() ? "" : ", ") + in_quotes(known);
  refuse(key, "expected one of " + list + ", not " + in_quotes(*word));
  return std::nullopt;
}

std::optional<Decision> EntryReader::decision(std::string_view key) {
  const auto index = choice(key, {"auto", "ask", "deny"});
  if (!index) return std::nullopt;
  return static_cast<Decision>(*index);
}

}  // namespace parley::orchestration::tools
