#include "orchestration/turn/answer_reader.h"

#include <cassert>
#include <string_view>
#include <utility>

#include "orchestration/calls/lenient_reader.h"

namespace parley::orchestration::turn {

using inference::engine::GeneratedToken;

namespace {

constexpr std::size_t kMaxRecentBytes = 256;

// White space before it included.
std::size_t begin_of_held(std::string_view text, const calls::Markers& openings) {
  std::size_t space = 0;  // where the white space before `begin` begins
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    if (calls::is_space(text[begin])) continue;
    if (calls::match_lenient_start({text.substr(begin), false}, openings) == calls::Match::yes) return space;
    space = begin + 1;
  }
  return text.size();
}

}  // namespace

void AnswerReader::take(const GeneratedToken& token, ChatDelta& delta) {
  assert(want_ == Want::more);
  if (parts_.parser) {
    take_parsed(token, delta);
  } else {
    take_plain(token, delta);
  }
  if (matched_stop()) want_ = Want::end;
}

void AnswerReader::take_plain(const GeneratedToken& token, ChatDelta& delta) {
  // The name of a special token is no text of the answer.
  if (!parts_.tokenizer->is_special(token.token_id)) {
    delta.text += parts_.text->push(parts_.tokenizer->token_bytes(token.token_id));
  }
  waiting_.push_back(token);
  release(waiting_.size(), delta);
}

void AnswerReader::take_parsed(const GeneratedToken& token, ChatDelta& delta) {
  const std::string_view bytes = parts_.tokenizer->token_bytes(token.token_id);
  const bool is_behind_call = tail_ && tail_->state() == CallTail::State::open;
  const auto tail = is_behind_call ? tail_->push(bytes) : CallTail::State::open;
  if (tail == CallTail::State::foreign && parts_.calls == CallLimit::one) {
    want_ = Want::end;
    return;
  }
  recent_ += bytes;
  if (recent_.size() > 2 * kMaxRecentBytes) recent_.erase(0, recent_.size() - kMaxRecentBytes);
  waiting_.push_back(token);
  apply(parts_.parser->push(token.token_id, bytes), delta);
  const bool has_one_section = !parts_.format->section_close.empty() && !parts_.format->section_per_call;
  const bool ends = parts_.calls == CallLimit::one || has_one_section;
  const bool is_closed = tail_ && tail_->state() == CallTail::State::closed;
  if (want_ == Want::more && ((ends && is_closed) || parts_.parser->closed())) want_ = Want::end;
}

void AnswerReader::apply(std::vector<calls::CallEvent> events, ChatDelta& delta) {
  if (events.empty()) return;
  for (calls::CallEvent& event : events) {
    if (want_ == Want::more && is_wanted(event)) apply(std::move(event), delta);
  }
  if (want_ == Want::again) return;
  if (is_pending_) return release_before_held(delta);
  shown_rest_.clear();
  release(waiting_.size(), delta);
}

// What is held back begins inside what the waiting tokens spell, behind prose or markup that is decided on.
void AnswerReader::release_before_held(ChatDelta& delta) {
  std::string spelled;
  for (const GeneratedToken& token : waiting_) spelled += parts_.tokenizer->token_bytes(token.token_id);
  const std::size_t held = begin_of_held(spelled, parts_.format->call_open);
  std::size_t count = 0;
  std::size_t released = 0;
  while (count < waiting_.size()) {
    const std::size_t bytes = parts_.tokenizer->token_bytes(waiting_[count].token_id).size();
    if (released + bytes > held) break;
    released += bytes;
    ++count;
  }
  shown_rest_ = spelled.substr(released, held - released);
  release(count, delta);
}

// Further calls in an answer that may have one are left out.
bool AnswerReader::is_wanted(const calls::CallEvent& event) const {
  if (parts_.calls == CallLimit::any) return true;
  if (const auto* begin = std::get_if<calls::CallBegin>(&event)) return begin->index == 0;
  if (const auto* part = std::get_if<calls::ArgumentsDelta>(&event)) return part->index == 0;
  if (const auto* end = std::get_if<calls::CallEnd>(&event)) return end->index == 0;
  return num_calls_ == 0;
}

void AnswerReader::apply(calls::CallEvent event, ChatDelta& delta) {
  is_pending_ = std::holds_alternative<calls::CallPending>(event);
  if (const auto* content = std::get_if<calls::ContentDelta>(&event)) return apply_text(content->text, delta);
  if (auto* reasoning = std::get_if<calls::ReasoningDelta>(&event)) {
    delta.reasoning += reasoning->text;
    return;
  }
  if (std::holds_alternative<calls::UnknownLenientCall>(event)) {
    want_ = Want::again;
    return;
  }
  if (std::holds_alternative<calls::CallBegin>(event)) {
    ++num_calls_;
    tail_.reset();
    recent_.clear();
  }
  if (std::holds_alternative<calls::CallEnd>(event)) tail_.emplace(*parts_.format, recent_);
  delta.calls.push_back(std::move(event));
}

void AnswerReader::apply_text(const std::string& text, ChatDelta& delta) {
  delta.text += parts_.text->push(text);
  if (matched_stop()) want_ = Want::end;
}

void AnswerReader::finish(calls::AnswerEnd end, ChatDelta& delta) {
  if (parts_.parser && want_ == Want::more) apply(parts_.parser->finish(end), delta);
  if (want_ == Want::again) return;
  delta.text += end == calls::AnswerEnd::complete ? parts_.text->finish() : parts_.text->finish_cut();
  release(waiting_.size(), delta);
}

void AnswerReader::release(std::size_t count, ChatDelta& delta) {
  for (std::size_t i = 0; i < count; ++i) {
    delta.token_ids.push_back(waiting_[i].token_id);
    if (parts_.scored) delta.scores.push_back(score(waiting_[i]));
  }
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
}

ScoredToken AnswerReader::score(const GeneratedToken& token) const {
  ScoredToken result;
  result.token_id = token.token_id;
  result.bytes = parts_.tokenizer->token_bytes(token.token_id);
  result.logprob = token.logprob;
  for (const auto& candidate : token.top) {
    result.top.emplace_back(parts_.tokenizer->token_bytes(candidate.token_id), candidate.logprob);
  }
  return result;
}

std::vector<std::int32_t> AnswerReader::ids_of_shown_rest() const {
  return parts_.tokenizer->encode(shown_rest_);
}

}  // namespace parley::orchestration::turn
