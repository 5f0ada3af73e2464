#pragma once
// Reads the value between the tags of an argument (E5, E6, E7) up to its end. A close tag that is text of the
// value is told by what follows it and, in JSON, by the string that it stands in: where that leaves doubt,
// what comes next is looked at before anything is taken, and decides. Belongs to one call reader, used by one
// thread. Never fails. Linear.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "orchestration/calls/call_reader.h"
#include "orchestration/calls/json_scanner.h"
#include "orchestration/calls/tag_grammar.h"

namespace parley::orchestration::calls {

enum class ValueForm : std::uint8_t {
  text,       // as it is
  some_json,  // an object or a list, or text
  json,       // nothing but JSON
};

class TaggedValueReader {
 public:
  enum class Status : std::uint8_t { more, done };

  // Begins behind the opening tag. Borrows the first two.
  TaggedValueReader(const CallContext& context, const TagGrammar& grammar, ValueForm form)
      : context_(context), grammar_(grammar), form_(form) {}

  // Takes what is certain and appends it to `out`; done: the end was taken, too.
  Status read(CallInput& input, std::string& out);

 private:
  enum class Step : std::uint8_t { on, wait, done };
  // An end that may be text. Nothing from there on has been taken.
  struct Doubt {
    std::size_t end = 0;                             // bytes of the end itself
    std::size_t num_seen = 0;                        // from its beginning on
    std::optional<JsonScanner> json = std::nullopt;  // it stands in a string of this
    bool is_json_done = false;
  };

  Step read_one(CallInput& input, std::string& out);
  Step meet_end(CallInput& input, const ValueEnd& end, std::size_t newline);
  Step look_on(CallInput& input);
  Match look_at_json(Doubt& doubt, Ahead ahead);
  Match look_at_text(Doubt& doubt, Ahead ahead);
  Step decide(CallInput& input, Match is_text);
  void follow_json(std::string_view unit);
  std::size_t newline_at(Ahead ahead) const;

  const CallContext context_;
  const TagGrammar& grammar_;
  const ValueForm form_;
  bool begun_ = false;
  std::optional<JsonScanner> json_;  // while the value is JSON and not complete
  bool is_json_done_ = false;
  std::size_t num_settled_ = 0;  // bytes of the input that are text of the value, whatever they look like
  std::optional<Doubt> doubt_;
};

}  // namespace parley::orchestration::calls
