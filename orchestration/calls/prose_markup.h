#pragma once
// What may stand in prose that is not text. The first kind that applies counts, and one that still may apply
// is waited for. Immutable, any thread, never fails. Looks ahead a bounded number of bytes.
//
// Markers that are tokens of their own count wherever they stand. Where a vocabulary has none, they are
// spelled, and prose and code may spell them too (`text.split("</think>")`): those of reasoning count before
// all prose only, other ones there and at the very end.

#include <array>
#include <cstdint>

#include "orchestration/calls/opening.h"
#include "orchestration/calls/text_scan.h"

namespace parley::orchestration::calls {

enum class CallDetection : std::uint8_t {
  off,      // tool_choice none: markup is text
  native,   // the family's own markers only
  lenient,  // calls without markers, too (lenient_reader.h)
};

enum class MarkupKind : std::uint8_t {
  reasoning_open,
  reasoning_close,  // without a block before it, which a prompt may have opened
  dropped,          // other markup that nobody should see
  section,
  call,
  pythonic,  // a list of calls without a marker
  lenient,   // what may become a call without a marker
  fence,     // of a code block, opening or closing
};

struct Markup {
  Match match = Match::no;
  MarkupKind kind = MarkupKind::dropped;
  std::size_t length = 0;  // of the marker
};

// Where in prose a place is.
struct ProsePlace {
  LineStart line_start = LineStart::no;
  bool nothing_before = false;  // since the beginning, a call, or reasoning
  bool in_code_block = false;
};

class ProseMarkup {
 public:
  // `spelled_openings`: the markers of calls as text. Borrows its arguments.
  ProseMarkup(const CallContext& context, const Markers& spelled_openings, CallDetection detection);

  Markup at(Ahead ahead, ProsePlace place) const;

 private:
  Found match_dropped(Ahead ahead, ProsePlace place) const;
  Markup at_line_start(Ahead ahead, ProsePlace place) const;
  void note_first_bytes(const Markers& markers);

  const CallContext context_;
  const Markers& spelled_openings_;
  const CallDetection detection_;
  std::array<bool, 256> may_begin_{};  // by first byte
};

}  // namespace parley::orchestration::calls
