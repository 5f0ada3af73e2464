#pragma once
// Makes JSON of literals as Python and Gemma write them (E8, E9): 'x', True, {key: <Q>text<Q>}, f(a=1). It
// begins inside a container and ends with it; strings come out as they are read. A quote ends a string only
// where something legal follows. Belongs to one call reader, used by one thread. Never fails: bad text is a
// status. Linear.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestration/calls/call_input.h"
#include "orchestration/calls/marker_symbols.h"

namespace parley::orchestration::calls {

class LiteralReader {
 public:
  enum class Status : std::uint8_t { more, done, bad };
  // Name of the argument at a place, for arguments without names.
  using ArgumentNames = std::function<std::optional<std::string>(std::size_t)>;

  // `open`: the bracket that was just taken, ( of arguments, { or [. `quote`: of raw strings, besides ' and
  // ".
  LiteralReader(const MarkerSymbols& symbols, const Markers& quote, char open, ArgumentNames names = {});

  // Takes what is certain and appends JSON to `out`.
  Status read(CallInput& input, std::string& out);

  const std::string& problem() const { return problem_; }

 private:
  enum class Step : std::uint8_t { on, wait, done, bad };
  enum class State : std::uint8_t { item, value, string, word, after_value };

  struct Container {
    char open = '(';
    std::size_t num_items = 0;
  };

  Step next(CallInput& input, std::string& out);
  Step item(CallInput& input, std::string& out);
  Step named_item(CallInput& input, std::string& out);
  Step bare_key(CallInput& input, std::string& out);
  Step value(CallInput& input, std::string& out);
  Step string(CallInput& input, std::string& out);
  Step escape(CallInput& input, std::string& out);
  Step word(CallInput& input, std::string& out);
  Step after_value(CallInput& input, std::string& out);
  Step end_string(CallInput& input, std::string& out, std::size_t length);
  Step close(CallInput& input, std::string& out);
  Step fail(std::string problem);

  bool open_string(Ahead ahead);
  Found match_string_end(Ahead ahead) const;
  bool in_map() const { return containers_.back().open != '['; }

  const MarkerSymbols& symbols_;
  const Markers& quote_;
  const ArgumentNames names_;
  State state_ = State::item;
  std::vector<Container> containers_;
  bool begun_ = false;
  std::string end_;  // of the string that is read
  bool raw_ = false;
  bool is_key_ = false;
  std::string word_;
  std::string problem_;
};

// Of a list or dictionary in Python's or JSON's syntax; nullopt if it is neither.
std::optional<std::string> json_of_literal(std::string_view text);

// A name with an opening bracket behind it: `get_weather(`.
Found match_call_head(Ahead ahead, std::string_view brackets);

bool is_name_byte(char byte);

}  // namespace parley::orchestration::calls
