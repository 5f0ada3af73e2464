#include "inference/json_schema/metaschemas.h"

namespace parley::inference::json_schema {

std::optional<Metaschema> find_metaschema(std::string_view uri) {
  for (const auto documents :
       {metaschemas_of_draft7(), metaschemas_of_draft2019(), metaschemas_of_draft2020()}) {
    for (const Metaschema& document : documents) {
      if (document.uri == uri) return document;
    }
  }
  return std::nullopt;
}

}  // namespace parley::inference::json_schema
