#include "orchestration/jinja/value_json.h"

#include <utility>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

namespace parley::orchestration::jinja {
namespace {

namespace json = boost::json;
using Kind = Value::Kind;

Value from_array(const json::array& array, Origin origin) {
  ValueList items;
  items.reserve(array.size());
  for (const json::value& item : array) items.push_back(from_json(item, origin));
  return Value::list(std::move(items));
}

Value from_object(const json::object& object, Origin origin) {
  Dict dict;
  for (const auto& member : object) {
    dict.set(Value::text(std::string(member.key()), origin), from_json(member.value(), origin));
  }
  return Value::dict(std::move(dict));
}

std::string json_key(const Value& key) {
  if (key.is(Kind::text)) return std::string(key.as_text().view());
  return json::serialize(to_json(key));
}

}  // namespace

Value from_json(const json::value& value, Origin origin) {
  switch (value.kind()) {
    case json::kind::null:
      return Value::none();
    case json::kind::bool_:
      return Value::boolean(value.get_bool());
    case json::kind::int64:
      return Value::integer(value.get_int64());
    case json::kind::uint64:
      return Value::floating(static_cast<double>(value.get_uint64()));
    case json::kind::double_:
      return Value::floating(value.get_double());
    case json::kind::string:
      return Value::text(std::string(value.get_string()), origin);
    case json::kind::array:
      return from_array(value.get_array(), origin);
    case json::kind::object:
      return from_object(value.get_object(), origin);
  }
  return Value::none();
}

json::value to_json(const Value& value) {
  switch (value.kind()) {
    case Kind::undefined:
    case Kind::none:
    case Kind::object:
      return nullptr;
    case Kind::boolean:
      return value.as_boolean();
    case Kind::integer:
      return value.as_integer();
    case Kind::floating:
      return value.as_floating();
    case Kind::text:
      return json::string(value.as_text().view());
    case Kind::list: {
      json::array array;
      for (const Value& item : value.as_list()->items) array.push_back(to_json(item));
      return array;
    }
    case Kind::dict: {
      json::object object;
      for (const auto& [key, item] : value.as_dict()->entries()) object[json_key(key)] = to_json(item);
      return object;
    }
  }
  return nullptr;
}

}  // namespace parley::orchestration::jinja
