#pragma once
// Titles of conversations. Pure functions over valid UTF-8, any thread, never fail.

#include <string>
#include <string_view>

namespace parley::orchestration::turn {

// Whether there is more than spaces and control characters.
bool has_text(std::string_view text);

// On one line: runs of spaces and control characters become one space, none at the ends.
std::string tidy_title(std::string_view title);

// From a first message: its first line with text, cut at a word's border to about 60 characters. A character
// is never separated from the accents and joiners that belong to it. May be empty.
std::string title_from(std::string_view message);

}  // namespace parley::orchestration::turn
