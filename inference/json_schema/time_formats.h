#pragma once
// Dates, times and durations as RFC 3339 writes them (section 5.6, appendix A). Pure, any thread.

#include <string_view>

namespace parley::inference::json_schema {

bool is_date(std::string_view text);
// With an offset; second 60 only where a leap second can be, at 23:59 UTC.
bool is_time(std::string_view text);
bool is_date_time(std::string_view text);
bool is_duration(std::string_view text);

}  // namespace parley::inference::json_schema
