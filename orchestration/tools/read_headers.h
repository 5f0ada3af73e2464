#pragma once
// Reads what requests are made of: URLs and header fields. Their values may be secrets and are remembered as
// such. Problems go to the reader. Any thread that owns it.

#include <string>
#include <string_view>
#include <vector>

#include "orchestration/tools/entry_reader.h"
#include "orchestration/tools/tools_file.h"

namespace parley::orchestration::tools {

std::string read_url(EntryReader& reader, std::string_view key);
std::vector<HttpHeader> read_headers(EntryReader& reader, std::string_view key);

// {"bearer": "…"}, {"basic": {"user": "password"}} or {"header": {"X-Key": "…"}} as header fields.
std::vector<HttpHeader> read_auth(EntryReader& reader, std::string_view key);

}  // namespace parley::orchestration::tools
