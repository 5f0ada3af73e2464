#pragma once
// What may follow a closing tag of E5, E6 and E7: a value may hold the very text of its own close tag, which
// therefore counts only where the format goes on. Borrows the resolved format. Immutable, any thread, never
// fails. Looks ahead a bounded number of bytes.

#include "orchestration/calls/call_input.h"
#include "orchestration/calls/tagged_call_reader.h"

namespace parley::orchestration::calls {

class TagGrammar {
 public:
  TagGrammar(const CallFormat& format, SectionMark section) : format_(format), section_(section) {}

  // The end of a value that stands here; its length is that of the close tag of the value, and 0 where that
  // was forgotten before the close tag of the function.
  Found match_value_end(Ahead ahead) const;

 private:
  Match after_value(Ahead ahead) const;
  Match after_call(Ahead ahead) const;
  // `match` of what follows the tag that was found, where one was found.
  template <class Follow>
  Match followed_by(Ahead ahead, const Found& tag, const Follow& follow) const;

  const CallFormat& format_;
  const SectionMark section_;
};

}  // namespace parley::orchestration::calls
