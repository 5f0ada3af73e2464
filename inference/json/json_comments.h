#pragma once
// Configuration files are JSON that people write: with comments, and with a comma after the last element.
// Pure, any thread; never fails. What else is wrong with the text is the parser's to say.

#include <string>
#include <string_view>

namespace parley::inference::json {

// Comments (// and /* */) outside strings become spaces, so that places in messages stay right.
std::string blank_comments(std::string_view json);

// So do commas before a closing bracket or brace. Comments must be blank already.
std::string blank_trailing_commas(std::string_view json);

}  // namespace parley::inference::json
