#include "inference/json_schema/draft.h"

#include <array>

namespace parley::inference::json_schema {
namespace {

// `definitions` and `dependencies` are deprecated since 2019-09, but its metaschemas still describe them.
constexpr std::array kSubschemaKeywords{
    SubschemaKeyword{"$defs", Holds::schema_map, kFrom2019},
    SubschemaKeyword{"definitions", Holds::schema_map, kAllDrafts},
    SubschemaKeyword{"properties", Holds::schema_map, kAllDrafts},
    SubschemaKeyword{"patternProperties", Holds::schema_map, kAllDrafts},
    SubschemaKeyword{"additionalProperties", Holds::schema, kAllDrafts},
    SubschemaKeyword{"propertyNames", Holds::schema, kAllDrafts},
    SubschemaKeyword{"unevaluatedProperties", Holds::schema, kFrom2019},
    SubschemaKeyword{"dependentSchemas", Holds::schema_map, kFrom2019},
    SubschemaKeyword{"dependencies", Holds::schema_or_name_list_map, kAllDrafts},
    SubschemaKeyword{"items", Holds::schema_or_list, kBefore2020},
    SubschemaKeyword{"items", Holds::schema, kFrom2020},
    SubschemaKeyword{"prefixItems", Holds::schema_list, kFrom2020},
    SubschemaKeyword{"additionalItems", Holds::schema, kBefore2020},
    SubschemaKeyword{"unevaluatedItems", Holds::schema, kFrom2019},
    SubschemaKeyword{"contains", Holds::schema, kAllDrafts},
    SubschemaKeyword{"allOf", Holds::schema_list, kAllDrafts},
    SubschemaKeyword{"anyOf", Holds::schema_list, kAllDrafts},
    SubschemaKeyword{"oneOf", Holds::schema_list, kAllDrafts},
    SubschemaKeyword{"not", Holds::schema, kAllDrafts},
    SubschemaKeyword{"if", Holds::schema, kAllDrafts},
    SubschemaKeyword{"then", Holds::schema, kAllDrafts},
    SubschemaKeyword{"else", Holds::schema, kAllDrafts},
    SubschemaKeyword{"contentSchema", Holds::schema, kFrom2019},
};

struct KnownDraft {
  std::string_view name;  // the URI without its scheme
  Draft draft;
};

constexpr std::array kKnownDrafts{
    KnownDraft{"://json-schema.org/draft-06/schema", Draft::draft7},
    KnownDraft{"://json-schema.org/draft-07/schema", Draft::draft7},
    KnownDraft{"://json-schema.org/draft/2019-09/schema", Draft::draft2019_09},
    KnownDraft{"://json-schema.org/draft/2020-12/schema", Draft::draft2020_12},
};

}  // namespace

std::optional<Draft> draft_of(std::string_view schema_uri) {
  if (schema_uri.ends_with('#')) schema_uri.remove_suffix(1);
  for (const std::string_view scheme : {"https", "http"}) {
    if (!schema_uri.starts_with(scheme)) continue;
    for (const KnownDraft& known : kKnownDrafts) {
      if (schema_uri.substr(scheme.size()) == known.name) return known.draft;
    }
  }
  return std::nullopt;
}

std::span<const SubschemaKeyword> subschema_keywords() { return kSubschemaKeywords; }

}  // namespace parley::inference::json_schema
