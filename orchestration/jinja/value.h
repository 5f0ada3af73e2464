#pragma once
// Values of the template language: undefined, none, booleans, 64-bit integers, floats, text, lists, ordered
// dicts, and objects (functions, namespaces, loops) that exist only during a render. Text remembers where
// each byte came from, so that text of users and documents can be told from the template's. Values built by a
// caller are immutable and may be shared between threads; one render uses them on one thread. Only a wrong
// as_…() fails: a bug.

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "orchestration/jinja/text.h"

namespace parley::orchestration::jinja {

class Value;
class Dict;
class Object;
using ValueList = std::vector<Value>;

// What was looked up in vain, for the error message. Views of the template's own names.
struct Undefined {
  std::string_view owner;  // type of the value that lacks the attribute; empty: a variable
  std::string_view name;   // empty: not known
};

// How Python would call a list: only `list` and `tuple` can be indexed, a generator is used up by iteration.
enum class Sequence : std::uint8_t { list, tuple, view, generator };

struct List {
  ValueList items;
  Sequence sequence = Sequence::list;
  bool frozen = true;  // false: made by the template, which may append and pop
};

class Value {
 public:
  // In the order of the variant's alternatives.
  enum class Kind : std::uint8_t { undefined, none, boolean, integer, floating, text, list, dict, object };

  Value() = default;  // undefined
  Value(Text text) : data_(std::move(text)) {}
  Value(Undefined undefined) : data_(undefined) {}
  Value(std::shared_ptr<List> list) : data_(std::move(list)) {}
  Value(std::shared_ptr<const Dict> dict) : data_(std::move(dict)) {}
  Value(std::shared_ptr<Object> object) : data_(std::move(object)) {}

  static Value none() { return Value(Data(nullptr)); }
  static Value boolean(bool value) { return Value(Data(value)); }
  static Value integer(std::int64_t value) { return Value(Data(value)); }
  static Value floating(double value) { return Value(Data(value)); }
  static Value text(std::string bytes, Origin origin) { return Text(std::move(bytes), origin); }
  static Value list(ValueList items);
  static Value dict(Dict dict);

  Kind kind() const { return static_cast<Kind>(data_.index()); }
  bool is(Kind kind) const { return this->kind() == kind; }

  // Each requires the kind of its name.
  const Undefined& as_undefined() const { return std::get<Undefined>(data_); }
  bool as_boolean() const { return std::get<bool>(data_); }
  std::int64_t as_integer() const { return std::get<std::int64_t>(data_); }
  double as_floating() const { return std::get<double>(data_); }
  const Text& as_text() const { return std::get<Text>(data_); }
  const std::shared_ptr<List>& as_list() const { return std::get<std::shared_ptr<List>>(data_); }
  const std::shared_ptr<const Dict>& as_dict() const { return std::get<std::shared_ptr<const Dict>>(data_); }
  const std::shared_ptr<Object>& as_object() const { return std::get<std::shared_ptr<Object>>(data_); }

 private:
  using Data = std::variant<Undefined, std::nullptr_t, bool, std::int64_t, double, Text,
                            std::shared_ptr<List>, std::shared_ptr<const Dict>, std::shared_ptr<Object>>;
  explicit Value(Data data) : data_(std::move(data)) {}

  Data data_;
};

// Keys in insertion order. Keys are none, booleans, numbers and text (`hashable`), equal as in Python (1
// == 1.0 == true).
class Dict {
 public:
  using Entry = std::pair<Value, Value>;

  static bool hashable(const Value& key);

  const std::vector<Entry>& entries() const { return entries_; }
  std::size_t size() const { return entries_.size(); }
  // What a copy takes, without what the values share with it.
  std::size_t copy_bytes() const;

  // Null when absent. Requires hashable(key).
  const Value* find(const Value& key) const;
  const Value* find(std::string_view key) const;
  // Replaces the value of an equal key. Requires hashable(key).
  void set(Value key, Value value);
  void set(std::string_view key, Value value);  // the key counts as the template's text

 private:
  static constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);
  std::size_t position(const Value& key) const;
  std::size_t position(std::string_view key) const;
  void index_last();

  std::vector<Entry> entries_;
  std::map<std::string, std::size_t, std::less<>>
      index_;  // canonical key to entry; filled for large dicts only
};

// Python's name of the value's type, such as "str" or "NoneType".
std::string_view type_name(const Value& value);

}  // namespace parley::orchestration::jinja
