#pragma once
// Deltas of an answer with tool calls, as a text tells them, one line each:
//   !think TEXT        reasoning
//   !say TEXT          prose
//   !call NAME JSON    a call without an id; its arguments come a few characters at a time
//   !call#ID NAME JSON one with the id that the model wrote
//   !broken NAME JSON  a call whose arguments stop being JSON there
// Plain functions, any thread; other lines are ignored.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orchestration/turn/chat_model.h"

namespace parley::tests::fakes {

using Deltas = std::vector<orchestration::turn::ChatDelta>;

// Cut anywhere but inside a character, as tokens are.
inline std::vector<std::string> cut_in_pieces(std::string_view text, std::size_t piece_bytes = 5) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    std::size_t end = std::min(piece_bytes, text.size());
    while (end < text.size() && (text[end] & 0xC0) == 0x80) ++end;
    pieces.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return pieces;
}

// What stands before the next space, which is taken off the text.
inline std::string take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  std::string word(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

inline void add_call(Deltas& deltas, int index, const std::string& directive, std::string_view line) {
  namespace calls = orchestration::calls;
  const auto add = [&](calls::CallEvent event) {
    orchestration::turn::ChatDelta& delta = deltas.emplace_back();
    delta.calls.push_back(std::move(event));
    delta.token_ids.push_back(static_cast<std::int32_t>(deltas.size()));
  };
  calls::CallBegin begin;
  begin.index = index;
  begin.name = take_word(line);
  if (directive.starts_with("!call#")) begin.id = directive.substr(6);
  add(begin);
  for (const std::string& piece : cut_in_pieces(line)) add(calls::ArgumentsDelta{index, piece});
  const bool broken = directive == "!broken";
  add(calls::CallEnd{index, broken ? "the arguments are not valid JSON" : "", ""});
}

inline Deltas scripted_calls(std::string_view text, const orchestration::turn::ToolOffer& offer) {
  Deltas deltas;
  int num_calls = 0;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::string directive = take_word(line);
    if (directive == "!think") {
      deltas.emplace_back().reasoning = line;
    } else if (directive == "!say") {
      deltas.emplace_back().text = line;
    } else if (directive.starts_with("!call") || directive == "!broken") {
      if (num_calls == 0 || offer.parallel) add_call(deltas, num_calls++, directive, line);
    }
  }
  return deltas;
}

}  // namespace parley::tests::fakes
