#pragma once
// The schemas of schemas: the only documents beside the user's own that a `$ref` may reach. Immutable, any
// thread.

#include <optional>
#include <span>
#include <string_view>

namespace parley::inference::json_schema {

struct Metaschema {
  std::string_view uri;  // without a fragment
  std::string_view text;
};

std::span<const Metaschema> metaschemas_of_draft7();
std::span<const Metaschema> metaschemas_of_draft2019();
std::span<const Metaschema> metaschemas_of_draft2020();

// The metaschema, or the part of one, with this URI (without a fragment).
std::optional<Metaschema> find_metaschema(std::string_view uri);

}  // namespace parley::inference::json_schema
