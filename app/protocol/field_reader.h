#pragma once
// Reads typed fields of a JSON object and remembers the first thing that was wrong, so that a request is read
// in a straight line and asked once at the end. After a problem the getters return harmless values. Used by
// one thread; the object must outlive the reader.

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "inference/json/json.h"

namespace parley::app::protocol {

struct FieldError {
  std::string field;    // path of the field, for example "messages[2].role"
  std::string message;  // a sentence that names the field
};

struct IntegerRange {
  std::int64_t min = std::numeric_limits<std::int64_t>::min();
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
};

struct NumberRange {
  double min = 0;
  double max = 0;
};

class FieldReader {
 public:
  explicit FieldReader(const inference::json::JsonObject& object, std::string path = {});

  bool is_present(std::string_view name) const;  // null counts
  // Of any type. Absent or null: nullptr.
  const inference::json::JsonValue* find(std::string_view name) const;

  std::string text(std::string_view name);
  std::string uuid(std::string_view name);
  std::int64_t integer(std::string_view name, IntegerRange range);

  // Absent or null: nullopt.
  std::optional<std::string> optional_text(std::string_view name);
  std::optional<std::string> optional_uuid(std::string_view name);
  std::optional<std::int64_t> optional_integer(std::string_view name, IntegerRange range);
  std::optional<double> optional_number(std::string_view name, NumberRange range);
  std::optional<bool> optional_flag(std::string_view name);
  const inference::json::JsonObject* optional_object(std::string_view name);
  const inference::json::JsonArray* optional_array(std::string_view name);

  // Calls `read` with a reader of each object in the array, the field `name`, up to the first problem.
  void each_object(std::string_view name, const inference::json::JsonArray& array,
                   const std::function<void(FieldReader&)>& read);

  // Notes a problem with a field found by the caller: "`name` <problem>."
  void refuse(std::string_view name, std::string_view problem);
  // Takes over a problem that a reader of a part has found.
  void adopt(const std::optional<FieldError>& error);
  std::string path_of(std::string_view name) const;
  const std::optional<FieldError>& error() const { return error_; }

 private:
  const inference::json::JsonValue* require(std::string_view name);

  const inference::json::JsonObject& object_;
  std::string path_;
  std::optional<FieldError> error_;
};

}  // namespace parley::app::protocol
