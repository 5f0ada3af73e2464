#pragma once
// Reads what an HTTP tool sends as its body: a word, or a template. Problems go to the reader. Any thread
// that owns it.

#include "inference/json/json.h"
#include "orchestration/tools/entry_reader.h"

namespace parley::orchestration::tools {

// With ${variables} filled in, and the secrets among them remembered; $name stays, since GraphQL has
// variables of its own. `parameters`: the tool's schema; a {name} that it does not know is warned about.
// Null: there is none.
inference::json::JsonValue read_http_body(EntryReader& fields, const inference::json::JsonObject& parameters);

}  // namespace parley::orchestration::tools
