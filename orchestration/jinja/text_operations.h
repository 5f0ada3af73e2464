#pragma once
// What str methods and text filters share. Every byte of a result keeps the origin of the byte it came from.
// On the render's thread, to which work and memory are charged; too much of either ends the render.

#include <functional>
#include <optional>
#include <string_view>

#include "orchestration/jinja/characters.h"
#include "orchestration/jinja/interpreter.h"
#include "orchestration/jinja/text.h"

namespace parley::orchestration::jinja {

enum class Side : std::uint8_t { left, right, both };

// Strips the given characters, or whitespace when there is no such text.
Text strip(Interpreter& interpreter, const Text& text, const std::optional<Text>& characters, Side side);

// `max_count` below 0: all of them.
Text replace(Interpreter& interpreter, const Text& text, const Text& old_text, const Text& new_text,
             std::int64_t max_count);

// Each code point in upper or lower case, as the callback says; it sees them in order.
Text map_case(Interpreter& interpreter, const Text& text, const std::function<LetterCase(char32_t)>& choose);
Text to_upper(Interpreter& interpreter, const Text& text);
Text to_lower(Interpreter& interpreter, const Text& text);
Text capitalize(Interpreter& interpreter, const Text& text);

Text join(Interpreter& interpreter, const Text& separator, const ValueList& parts);
Text append(Interpreter& interpreter, const Text& left, const Text& right);

// As str.splitlines().
enum class LineEnds : bool { dropped, kept };
ValueList split_lines(Interpreter& interpreter, const Text& text, LineEnds ends);

// To a width in code points.
Text pad(Interpreter& interpreter, const Text& text, std::int64_t width, Side side, std::string_view fill);

}  // namespace parley::orchestration::jinja
