#pragma once
// The drafts of JSON Schema and where each of them keeps subschemas. Immutable tables, any thread.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace parley::inference::json_schema {

enum class Draft : std::uint8_t { draft7, draft2019_09, draft2020_12 };

// A set of drafts that follow one another.
struct DraftRange {
  Draft first = Draft::draft7;
  Draft last = Draft::draft2020_12;

  bool holds(Draft draft) const { return first <= draft && draft <= last; }
};

inline constexpr DraftRange kAllDrafts{};
inline constexpr DraftRange kFrom2019{.first = Draft::draft2019_09};
inline constexpr DraftRange kFrom2020{.first = Draft::draft2020_12};
inline constexpr DraftRange kBefore2020{.last = Draft::draft2019_09};
inline constexpr DraftRange kOnly7{.last = Draft::draft7};
inline constexpr DraftRange kOnly2019{.first = Draft::draft2019_09, .last = Draft::draft2019_09};

// Of a `$schema` URI; draft-06, whose keywords draft-07 only added to, counts as draft-07.
std::optional<Draft> draft_of(std::string_view schema_uri);

enum class Holds : std::uint8_t {
  schema,
  schema_list,
  schema_map,              // of any names
  schema_or_list,          // `items` before 2020-12
  schema_or_name_list_map  // `dependencies`
};

struct SubschemaKeyword {
  std::string_view name;
  Holds holds = Holds::schema;
  DraftRange drafts;
};

std::span<const SubschemaKeyword> subschema_keywords();

}  // namespace parley::inference::json_schema
