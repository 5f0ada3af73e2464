#include "orchestration/jinja/value.h"

#include <cmath>
#include <cstring>
#include <optional>

#include "orchestration/jinja/object.h"

namespace parley::orchestration::jinja {
namespace {

using Kind = Value::Kind;

// Below this a linear search is faster than the index.
constexpr std::size_t kIndexFrom = 17;

std::optional<std::int64_t> whole_number(const Value& value) {
  switch (value.kind()) {
    case Kind::boolean:
      return value.as_boolean() ? 1 : 0;
    case Kind::integer:
      return value.as_integer();
    case Kind::floating: {
      const double number = value.as_floating();
      if (std::fabs(number) < 9e15 && number == std::trunc(number)) return static_cast<std::int64_t>(number);
      return std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

// Equal keys, and only they, have the same canonical form.
std::string canonical_key(const Value& key) {
  if (key.is(Kind::text)) return "t" + std::string(key.as_text().view());
  if (key.is(Kind::none)) return "n";
  if (const auto whole = whole_number(key)) return "i" + std::to_string(*whole);
  std::string bits(1 + sizeof(double), 'f');
  const double number = key.as_floating();
  std::memcpy(bits.data() + 1, &number, sizeof(number));
  return bits;
}

bool same_key(const Value& stored, const Value& wanted) {
  if (stored.is(Kind::text) || wanted.is(Kind::text)) {
    return stored.is(Kind::text) && wanted.is(Kind::text) &&
           stored.as_text().view() == wanted.as_text().view();
  }
  return canonical_key(stored) == canonical_key(wanted);
}

}  // namespace

Value Value::list(ValueList items) {
  auto list = std::make_shared<List>();
  list->items = std::move(items);
  return list;
}

Value Value::dict(Dict dict) { return std::make_shared<const Dict>(std::move(dict)); }

bool Dict::hashable(const Value& key) { return key.kind() >= Kind::none && key.kind() <= Kind::text; }

std::size_t Dict::copy_bytes() const {
  constexpr std::size_t kIndexEntryBytes = 96;
  std::size_t bytes = sizeof(Dict) + entries_.size() * sizeof(Entry);
  for (const auto& [key, place] : index_) bytes += key.size() + kIndexEntryBytes;
  return bytes;
}

std::size_t Dict::position(const Value& key) const {
  assert(hashable(key));
  if (index_.empty()) {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (same_key(entries_[i].first, key)) return i;
    }
    return kAbsent;
  }
  const auto found = index_.find(canonical_key(key));
  return found == index_.end() ? kAbsent : found->second;
}

const Value* Dict::find(const Value& key) const {
  const std::size_t found = position(key);
  return found == kAbsent ? nullptr : &entries_[found].second;
}

std::size_t Dict::position(std::string_view key) const {
  if (index_.empty()) {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const Value& stored = entries_[i].first;
      if (stored.is(Kind::text) && stored.as_text().view() == key) return i;
    }
    return kAbsent;
  }
  const auto found = index_.find("t" + std::string(key));
  return found == index_.end() ? kAbsent : found->second;
}

const Value* Dict::find(std::string_view key) const {
  const std::size_t found = position(key);
  return found == kAbsent ? nullptr : &entries_[found].second;
}

void Dict::set(Value key, Value value) {
  const std::size_t present = position(key);
  if (present != kAbsent) {
    entries_[present].second = std::move(value);
    return;
  }
  entries_.emplace_back(std::move(key), std::move(value));
  index_last();
}

void Dict::set(std::string_view key, Value value) {
  const std::size_t present = position(key);
  if (present != kAbsent) {
    entries_[present].second = std::move(value);
    return;
  }
  entries_.emplace_back(Value::text(std::string(key), kTemplateOrigin), std::move(value));
  index_last();
}

void Dict::index_last() {
  if (entries_.size() < kIndexFrom) return;
  const std::size_t first = index_.empty() ? 0 : entries_.size() - 1;
  for (std::size_t i = first; i < entries_.size(); ++i) index_.emplace(canonical_key(entries_[i].first), i);
}

std::string_view type_name(const Value& value) {
  switch (value.kind()) {
    case Kind::undefined:
      return "Undefined";
    case Kind::none:
      return "NoneType";
    case Kind::boolean:
      return "bool";
    case Kind::integer:
      return "int";
    case Kind::floating:
      return "float";
    case Kind::text:
      return "str";
    case Kind::list:
      break;
    case Kind::dict:
      return "dict";
    case Kind::object:
      return value.as_object()->type_name();
  }
  switch (value.as_list()->sequence) {
    case Sequence::tuple:
      return "tuple";
    case Sequence::generator:
      return "generator";
    case Sequence::list:
    case Sequence::view:
      return "list";
  }
  return "list";
}

}  // namespace parley::orchestration::jinja
