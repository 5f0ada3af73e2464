#pragma once
// Finds the next place in prose or reasoning where something may stand that is not text. White space before
// such a place belongs to the markup, so it is held back, too (at most kMaxSpace bytes of it). A plain
// function, any thread; never fails. What is held back is bounded, so that scanning it again is cheap.

#include <string_view>

#include "orchestration/calls/call_input.h"

namespace parley::orchestration::calls {

struct TextSpot {
  std::size_t text_end = 0;  // before it: text, certainly
  std::size_t begin = 0;     // of what was found; from text_end to here is white space
  Match match = Match::no;   // partial: wait for more; no: all was text up to text_end
};

enum class LineStart : std::uint8_t { no, yes };

// Whether a line would begin after the text, if one began (or not) before it.
LineStart line_start_after(std::string_view text, LineStart before);

// `probe(ahead, line_start)` says whether something stands at a place. It is asked at each byte that is not
// white space.
template <class Probe>
TextSpot find_spot(Ahead ahead, LineStart line_start, const Probe& probe) {
  const std::string_view text = ahead.text;
  std::size_t i = 0;
  while (i < text.size()) {
    std::size_t place = i;
    while (place < text.size() && is_space(text[place])) ++place;
    const std::size_t text_end = place - i > kMaxSpace ? place - kMaxSpace : i;
    if (place == text.size()) {
      if (ahead.ended) break;
      return {text_end, place, Match::partial};
    }
    line_start = line_start_after(text.substr(i, place - i), line_start);
    const Match match = probe(ahead.from(place), line_start);
    if (match != Match::no) return {text_end, place, match};
    line_start = LineStart::no;
    i = place + 1;
  }
  return {text.size(), text.size(), Match::no};
}

}  // namespace parley::orchestration::calls
