#pragma once
// The rows of the table in call_formats.h, by kind of encoding. Each row says in a comment which template it
// was checked against; "unverified" rows are from the families' documentation only.

#include <vector>

#include "orchestration/calls/call_format.h"

namespace parley::orchestration::calls {

std::vector<CallFormat> tagged_format_rows();   // E5, E6, E7
std::vector<CallFormat> named_format_rows();    // E3, E4, E10
std::vector<CallFormat> literal_format_rows();  // E8, E9
std::vector<CallFormat> json_format_rows();     // E1, E2

}  // namespace parley::orchestration::calls
