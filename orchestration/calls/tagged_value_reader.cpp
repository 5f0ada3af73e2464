#include "orchestration/calls/tagged_value_reader.h"

#include <algorithm>
#include <utility>

#include "orchestration/calls/opening.h"

namespace parley::orchestration::calls {

TaggedValueReader::Status TaggedValueReader::read(CallInput& input, std::string& out) {
  for (;;) {
    const Step step = doubt_ ? look_on(input) : read_one(input, out);
    if (step != Step::on) return step == Step::done ? Status::done : Status::more;
  }
}

std::size_t TaggedValueReader::newline_at(Ahead ahead) const {
  return context_.format.argument.in_newlines && ahead.text.starts_with('\n') ? 1 : 0;
}

TaggedValueReader::Step TaggedValueReader::read_one(CallInput& input, std::string& out) {
  const Ahead ahead = input.ahead();
  if (ahead.text.empty()) return Step::wait;
  if (num_settled_ == 0) {
    const std::size_t newline = newline_at(ahead);
    ValueEnd end = grammar_.match_value_end(ahead.from(newline));
    if (end.match == Match::no && is_json_done_ && form_ == ValueForm::json) {
      const Found close = match_marker(ahead.from(newline), context_.format.argument.value_close);
      end = {close.match, close.length};
    }
    if (end.match == Match::partial) return Step::wait;
    if (end.match == Match::yes) return meet_end(input, end, newline);
  }
  const std::size_t unit = MarkerSymbols::is_symbol(ahead.text) ? MarkerSymbols::kSymbolSize : 1;
  follow_json(ahead.text.substr(0, unit));
  out += context_.symbols.spelled(ahead.text.substr(0, unit));
  input.take(unit);
  num_settled_ -= std::min(unit, num_settled_);
  return Step::on;
}

void TaggedValueReader::follow_json(std::string_view unit) {
  const char byte = unit.front();
  if (!begun_ && !is_space(byte)) {
    begun_ = true;
    const bool is_container = byte == '{' || byte == '[';
    const bool may_follow = is_container ? form_ != ValueForm::text : form_ == ValueForm::json && byte == '"';
    if (may_follow) json_.emplace();
  }
  for (const char each : unit) {
    if (!json_) {
      is_json_done_ = is_json_done_ && is_space(each);
      continue;
    }
    const JsonScanner::Status status = json_->push(each);
    is_json_done_ = status == JsonScanner::Status::done;
    if (status != JsonScanner::Status::more) json_.reset();
  }
}

TaggedValueReader::Step TaggedValueReader::meet_end(CallInput& input, const ValueEnd& end,
                                                    std::size_t newline) {
  const bool is_in_string = json_ && json_->within_string();
  const bool is_doubtful = is_in_string || (end.is_doubtful && !is_json_done_);
  Doubt doubt{.end = newline + end.length};
  if (is_in_string) doubt.json = json_;
  doubt_ = std::move(doubt);
  return is_doubtful ? Step::on : decide(input, Match::no);
}

TaggedValueReader::Step TaggedValueReader::look_on(CallInput& input) {
  for (;;) {
    const Ahead ahead = input.ahead();
    if (!input.may_reread(doubt_->num_seen)) return decide(input, Match::no);
    const bool is_behind = doubt_->num_seen >= ahead.text.size();
    if (is_behind && !doubt_->is_json_done) return ahead.ended ? decide(input, Match::no) : Step::wait;
    const std::size_t before = doubt_->num_seen;
    const Match is_text =
        doubt_->json || doubt_->is_json_done ? look_at_json(*doubt_, ahead) : look_at_text(*doubt_, ahead);
    if (is_text != Match::partial) return decide(input, is_text);
    if (doubt_->num_seen == before) return Step::wait;
  }
}

// `yes`: the JSON is complete and the end of the value follows, so that this one was text. `no`: this is no
// JSON. `partial`: not decided; nothing more was seen if more input has to come.
Match TaggedValueReader::look_at_json(Doubt& doubt, Ahead ahead) {
  if (doubt.is_json_done) {
    return match_after_space(ahead.from(doubt.num_seen), context_.format.argument.value_close).match;
  }
  const JsonScanner::Status status = doubt.json->push(ahead.text[doubt.num_seen]);
  if (status == JsonScanner::Status::bad) return Match::no;
  ++doubt.num_seen;
  doubt.is_json_done = status == JsonScanner::Status::done;
  return Match::partial;
}

// The same of a call that text follows: `yes` where the call is closed once more and then all is as it has to
// be, `no` where another call begins first.
Match TaggedValueReader::look_at_text(Doubt& doubt, Ahead ahead) {
  const std::size_t place = std::max<std::size_t>(doubt.num_seen, 1);
  if (place >= ahead.text.size()) {
    doubt.num_seen = place;
    return Match::partial;
  }
  const Ahead rest = ahead.from(place);
  const Match call = match_offered_call(rest, context_);
  if (call == Match::yes) return Match::no;
  const ValueEnd end = grammar_.match_value_end(rest.from(newline_at(rest)));
  if (end.match == Match::yes && !end.is_doubtful) {
    doubt.num_seen = place;
    return Match::yes;
  }
  const bool waits = call == Match::partial || end.match == Match::partial;
  if (!waits) doubt.num_seen = place + 1;
  return Match::partial;
}

TaggedValueReader::Step TaggedValueReader::decide(CallInput& input, Match is_text) {
  const Doubt doubt = *std::exchange(doubt_, std::nullopt);
  if (is_text == Match::yes) {
    num_settled_ = doubt.num_seen;
    return Step::on;
  }
  input.note_reread(doubt.num_seen);
  input.take(doubt.end);
  return Step::done;
}

}  // namespace parley::orchestration::calls
