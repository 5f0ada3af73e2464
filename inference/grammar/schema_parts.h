#pragma once
// JSON Schemas that must all hold at one place, with references and allOf followed. Plain values and
// functions; borrow the schemas. Never fails.

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inference/grammar/schema_budget.h"
#include "inference/grammar/schema_index.h"
#include "inference/grammar/schema_options.h"
#include "inference/json/json.h"

namespace parley::inference::grammar {

// Where a part stands: a step below another place. Written out only where somebody is told; names may be
// long, and shared by many parts.
struct SchemaPlace {
  static constexpr std::size_t kNoIndex = std::numeric_limits<std::size_t>::max();

  std::shared_ptr<const SchemaPlace> above;  // shared by all parts below it; null: the keyword is all
  std::string_view keyword;                  // or, of a beginning, # or a reference
  std::optional<std::string_view> name;      // of a member
  std::size_t index = kNoIndex;              // of an element
};

struct SchemaPart {
  const json::JsonValue* schema = nullptr;
  // Only the keywords that speak of the value itself: references and combinations have been dealt with.
  bool is_bare = false;
  std::shared_ptr<const SchemaPlace> place;  // shared with the parts below it
};
using SchemaParts = std::vector<SchemaPart>;

// A part that stands at no other one's; `place` has to live on.
SchemaPart first_part(const json::JsonValue& schema, std::string_view place);
// A part of `part`, in the keyword of it, or in a member or element of that keyword, which have to live on.
SchemaPart part_below(const SchemaPart& part, std::string_view keyword, const json::JsonValue& schema);
SchemaPart member_below(const SchemaPart& part, std::string_view keyword, std::string_view name,
                        const json::JsonValue& schema);
SchemaPart element_below(const SchemaPart& part, std::string_view keyword, std::size_t index,
                         const json::JsonValue& schema);
// As a JSON pointer behind a #.
std::string place_text(const SchemaPart& part);

// What tells a set of parts from another.
using PartsKey = std::vector<std::pair<const json::JsonValue*, bool>>;
PartsKey key_of(const SchemaParts& parts);

struct FlatSchema {
  bool is_never = false;
  SchemaParts parts;                // bare, all objects
  std::vector<SchemaParts> groups;  // of each one branch has to hold
};

class UncheckedList {
 public:
  void add(const SchemaPart& part, std::string_view keyword, std::string_view reason);
  std::vector<UncheckedKeyword> take() { return std::move(list_); }

 private:
  std::vector<UncheckedKeyword> list_;
};

// A step of the budget for each part that is looked at; what is left where that is over is not all.
FlatSchema flatten(const SchemaParts& parts, const SchemaIndex& index, UncheckedList& unchecked,
                   SchemaBudget& budget);

// The member of a bare part's object, or null.
const json::JsonValue* keyword(const SchemaPart& part, std::string_view name);

// The count or length that a keyword gives; nullopt for what is none.
std::optional<std::uint32_t> count_member(const SchemaPart& part, std::string_view name);

}  // namespace parley::inference::grammar
