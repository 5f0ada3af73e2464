#include "orchestration/jinja/parse_json.h"

#include <simdjson.h>

#include <algorithm>
#include <utility>

namespace parley::orchestration::jinja {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kMaxJsonDepth = 128;
constexpr std::size_t kMinJsonCapacity = 64;

// Depth is bounded by the parser.
class JsonConverter {
 public:
  explicit JsonConverter(Origin origin) : origin_(origin) {}

  Value convert(dom::element element) const {
    switch (element.type()) {
      case dom::element_type::ARRAY:
        return convert_array(dom::array(element));
      case dom::element_type::OBJECT:
        return convert_object(dom::object(element));
      case dom::element_type::STRING:
        return text(std::string_view(element));
      case dom::element_type::INT64:
        return Value::integer(std::int64_t(element));
      case dom::element_type::UINT64:
        return Value::floating(static_cast<double>(std::uint64_t(element)));
      case dom::element_type::DOUBLE:
        return Value::floating(double(element));
      case dom::element_type::BOOL:
        return Value::boolean(bool(element));
      case dom::element_type::NULL_VALUE:
        break;
    }
    return Value::none();
  }

 private:
  Value text(std::string_view bytes) const { return Value::text(std::string(bytes), origin_); }

  Value convert_array(dom::array array) const {
    ValueList items;
    items.reserve(array.size());
    for (const dom::element item : array) items.push_back(convert(item));
    return Value::list(std::move(items));
  }

  // Of equal keys the last one counts, as in Python.
  Value convert_object(dom::object object) const {
    Dict dict;
    for (const dom::key_value_pair field : object) dict.set(text(field.key), convert(field.value));
    return Value::dict(std::move(dict));
  }

  Origin origin_;
};

}  // namespace

std::optional<Value> parse_json(std::string_view text, Origin origin) {
  dom::parser parser;
  if (parser.allocate(std::max(text.size(), kMinJsonCapacity), kMaxJsonDepth) != simdjson::SUCCESS)
    return std::nullopt;
  dom::element root;
  if (parser.parse(text.data(), text.size()).get(root) != simdjson::SUCCESS) return std::nullopt;
  return JsonConverter(origin).convert(root);
}

}  // namespace parley::orchestration::jinja
