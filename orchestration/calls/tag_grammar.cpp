#include "orchestration/calls/tag_grammar.h"

#include <algorithm>

namespace parley::orchestration::calls {
namespace {

// Any of them.
Match any_of(Match a, Match b) {
  if (a == Match::yes || b == Match::yes) return Match::yes;
  return std::max(a, b);
}

}  // namespace

template <class Follow>
Match TagGrammar::followed_by(Ahead ahead, const Found& tag, const Follow& follow) const {
  return tag.match == Match::yes ? follow(ahead.from(tag.length)) : tag.match;
}

ValueEnd TagGrammar::match_value_end(Ahead ahead) const {
  const Found value = match_marker(ahead, format_.argument.value_close);
  const Match legal = followed_by(ahead, value, [this](Ahead rest) { return after_value(rest); });
  if (legal != Match::no) return {legal, legal == Match::yes ? value.length : 0};
  if (value.match == Match::yes) {
    const Found call = match_after_space(ahead.from(value.length), format_.call_close);
    if (call.match == Match::yes) return {Match::yes, value.length, true};
  }
  const Found call = match_marker(ahead, format_.call_close);
  return {followed_by(ahead, call, [this](Ahead rest) { return after_call(rest); }), 0};
}

Match TagGrammar::after_value(Ahead ahead) const {
  const Found argument = match_after_space(ahead, format_.argument.open);
  const Found again = match_after_space(ahead, format_.argument.value_close);
  const Found section = match_after_space(ahead, format_.section_close);
  const Found call = match_after_space(ahead, format_.call_close);
  const Match closed = followed_by(ahead, call, [this](Ahead rest) { return after_call(rest); });
  const Match twice = again.match;
  return any_of(any_of(argument.match, twice), any_of(any_of(section.match, closed), match_end(ahead)));
}

Match TagGrammar::after_call(Ahead ahead) const {
  const Found section = match_after_space(ahead, format_.section_close);
  const Found call = match_after_space(ahead, format_.call_open);
  const Found open = match_after_space(ahead, format_.section_open);
  const Found again = match_after_space(ahead, format_.call_close);
  return any_of(any_of(section.match, call.match), any_of(any_of(open.match, again.match), match_end(ahead)));
}

}  // namespace parley::orchestration::calls
