#pragma once
// What a number in a spreadsheet cell means by its format: a date, a time, a share, or itself (ECMA-376 part
// 1, 18.8.30). Pure functions, any thread, nothing fails.

#include <cstdint>
#include <string>
#include <string_view>

namespace parley::retrieval::documents {

enum class NumberMeaning : std::uint8_t { number, percent, date, time, date_time, duration };

NumberMeaning builtin_meaning(int format_id);
// Of a format code such as "yyyy\-mm\-dd;@" or "0.0%"; only the first section counts.
NumberMeaning meaning_of_code(std::string_view code);

enum class DateSystem : std::uint8_t { from_1900, from_1904 };

// ISO 8601 dates and times ("2024-03-01 13:30:00"), "12.5%", else the shortest decimal that is the same
// number. What cannot be a date is written as a number.
std::string shown_number(double value, NumberMeaning meaning, DateSystem system);
// The same for the text of a cell: what is no number comes back as it is.
std::string shown_number(std::string_view text, NumberMeaning meaning, DateSystem system);

}  // namespace parley::retrieval::documents
