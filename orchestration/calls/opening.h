#pragma once
// Where a call begins in prose. A marker counts only when something legal follows it, so that prose about
// markup stays prose. Plain functions, any thread, never fail. They look ahead a bounded number of bytes.

#include "orchestration/calls/call_reader.h"

namespace parley::orchestration::calls {

enum class OpeningKind : std::uint8_t {
  section,   // the marker of a section, before the first call
  call,      // the marker of a call
  pythonic,  // [name( without a marker
};

struct Opening {
  Match match = Match::no;
  OpeningKind kind = OpeningKind::call;
  std::size_t length = 0;  // of the marker
};

Opening match_opening(Ahead ahead, const CallContext& context);

// A call of an offered tool, and all that is written up to its first argument or its end: where text is more
// likely to speak of markup than to be it.
Match match_offered_call(Ahead ahead, const CallContext& context);

// Whether what follows the marker of a call is legal.
Match match_call_body(Ahead after_marker, const CallContext& context);

// A list of calls that begins a line without a marker: the first name must be one that was offered.
Opening match_bare_pythonic(Ahead ahead, const CallContext& context);

// The reader for what follows a call's marker and was found legal.
std::unique_ptr<CallReader> make_call_reader(const CallContext& context, Ahead after_marker);

}  // namespace parley::orchestration::calls
