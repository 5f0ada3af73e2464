#pragma once
// Template values from Boost.JSON and back, as a second way beside parse_json() and to_json_text().

#include <string>
#include <utility>

#include <boost/json.hpp>

#include "orchestration/jinja/value.h"

namespace parley::orchestration::jinja {

// All strings, keys included, get `origin`.
inline Value from_json(const boost::json::value& value, Origin origin);
// Undefined and objects become null, keys that are not text their JSON form.
inline boost::json::value to_json(const Value& value);

inline Value from_array(const boost::json::array& array, Origin origin) {
  ValueList items;
  items.reserve(array.size());
  for (const boost::json::value& item : array) items.push_back(from_json(item, origin));
  return Value::list(std::move(items));
}

inline Value from_object(const boost::json::object& object, Origin origin) {
  Dict dict;
  for (const auto& member : object) {
    dict.set(Value::text(std::string(member.key()), origin), from_json(member.value(), origin));
  }
  return Value::dict(std::move(dict));
}

inline std::string json_key(const Value& key) {
  if (key.is(Value::Kind::text)) return std::string(key.as_text().view());
  return boost::json::serialize(to_json(key));
}

inline Value from_json(const boost::json::value& value, Origin origin) {
  switch (value.kind()) {
    case boost::json::kind::null:
      return Value::none();
    case boost::json::kind::bool_:
      return Value::boolean(value.get_bool());
    case boost::json::kind::int64:
      return Value::integer(value.get_int64());
    case boost::json::kind::uint64:
      return Value::floating(static_cast<double>(value.get_uint64()));
    case boost::json::kind::double_:
      return Value::floating(value.get_double());
    case boost::json::kind::string:
      return Value::text(std::string(value.get_string()), origin);
    case boost::json::kind::array:
      return from_array(value.get_array(), origin);
    case boost::json::kind::object:
      return from_object(value.get_object(), origin);
  }
  return Value::none();
}

inline boost::json::value to_json(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::undefined:
    case Value::Kind::none:
    case Value::Kind::object:
      return nullptr;
    case Value::Kind::boolean:
      return value.as_boolean();
    case Value::Kind::integer:
      return value.as_integer();
    case Value::Kind::floating:
      return value.as_floating();
    case Value::Kind::text:
      return boost::json::string(value.as_text().view());
    case Value::Kind::list: {
      boost::json::array array;
      for (const Value& item : value.as_list()->items) array.push_back(to_json(item));
      return array;
    }
    case Value::Kind::dict: {
      boost::json::object object;
      for (const auto& [key, item] : value.as_dict()->entries()) object[json_key(key)] = to_json(item);
      return object;
    }
  }
  return nullptr;
}

}  // namespace parley::orchestration::jinja
