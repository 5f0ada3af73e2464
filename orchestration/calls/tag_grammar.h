#pragma once
// What may follow a closing tag of E5, E6 and E7: a value may hold the very text of its own close tag, which
// therefore counts only where the format goes on. Borrows the resolved format. Immutable, any thread, never
// fails. Looks ahead a bounded number of bytes.

#include "orchestration/calls/call_input.h"

namespace parley::orchestration::calls {

struct ValueEnd {
  Match match = Match::no;
  std::size_t length = 0;  // of the close tag; 0 where it was forgotten before the close tag of the function
  // All is closed and then comes text: prose behind the call, or the value quotes markup and goes on.
  bool is_doubtful = false;
};

class TagGrammar {
 public:
  explicit TagGrammar(const CallFormat& format) : format_(format) {}

  ValueEnd match_value_end(Ahead ahead) const;

 private:
  Match after_value(Ahead ahead) const;
  Match after_call(Ahead ahead) const;
  // `match` of what follows the tag that was found, where one was found.
  template <class Follow>
  Match followed_by(Ahead ahead, const Found& tag, const Follow& follow) const;

  const CallFormat& format_;
};

}  // namespace parley::orchestration::calls
