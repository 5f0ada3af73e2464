#pragma once
// Reads the fields of one object of a tools file, each with its place. The first problem refuses the whole
// entry (`refusal`): what follows then reads as absent, so callers need not check after each field. Unknown
// keys are warnings. One object per JSON object, one thread; nothing here throws.

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inference/json/json.h"
#include "orchestration/tools/config_variables.h"
#include "orchestration/tools/known_keys.h"
#include "orchestration/tools/tools_file.h"

namespace parley::orchestration::tools {

// What is shared while a file is read.
struct ReadingState {
  ConfigVariables& variables;
  std::vector<ConfigIssue>& issues;
};

struct IntRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

class EntryReader {
 public:
  EntryReader(ReadingState& state, const inference::json::JsonObject& object, ObjectKind kind,
              std::string place);

  // Nullptr when it is absent or null. Aliases: the first name that is there wins.
  const inference::json::JsonValue* find(std::string_view key) const;
  std::string_view first_of(std::initializer_list<std::string_view> keys) const;  // empty: none of them

  std::optional<bool> flag(std::string_view key);
  std::optional<std::int64_t> number(std::string_view key, IntRange range);
  std::optional<std::chrono::milliseconds> milliseconds(std::string_view key);
  std::optional<std::string> plain_text(std::string_view key);  // variables are left alone
  std::optional<std::string> text(std::string_view key);        // variables filled in
  std::vector<std::string> texts(std::string_view key);         // a list of strings; a single one will do
  std::map<std::string, std::string> text_map(std::string_view key);  // numbers and booleans as their text
  const inference::json::JsonObject* object(std::string_view key);
  std::optional<Decision> decision(std::string_view key);
  // One of these words; its index. Absent: nullopt.
  std::optional<std::size_t> choice(std::string_view key, std::initializer_list<std::string_view> words);

  std::string place_of(std::string_view key) const;
  void refuse(std::string_view key, std::string message);  // empty key: the entry itself
  void refuse_quietly() { refused_ = true; }               // a part of it said why
  void warn(std::string_view key, std::string message);
  bool refused() const { return refused_; }
  ReadingState& state() { return state_; }

 private:
  const inference::json::JsonValue* take(std::string_view key) const;
  std::string filled_in(std::string_view key, std::string_view text);
  void warn_of_unknown_keys(ObjectKind kind);

  ReadingState& state_;
  const inference::json::JsonObject& object_;
  std::string place_;
  bool refused_ = false;
};

}  // namespace parley::orchestration::tools
