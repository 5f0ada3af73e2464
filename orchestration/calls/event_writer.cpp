#include "orchestration/calls/event_writer.h"

namespace parley::orchestration::calls {
namespace {

template <class Delta>
void append_text(std::vector<CallEvent>& events, std::string_view text) {
  if (text.empty()) return;
  if (!events.empty()) {
    if (auto* last = std::get_if<Delta>(&events.back())) {
      last->text += text;
      return;
    }
  }
  events.emplace_back(Delta{std::string(text)});
}

}  // namespace

void EventWriter::content(std::string_view text) { append_text<ContentDelta>(events_, text); }

void EventWriter::reasoning(std::string_view text) { append_text<ReasoningDelta>(events_, text); }

void EventWriter::begin_call(std::string name, std::string id) {
  events_.emplace_back(CallBegin{num_calls_, std::move(name), std::move(id)});
  in_call_ = true;
}

void EventWriter::arguments(std::string_view json) {
  if (json.empty()) return;
  auto* last = events_.empty() ? nullptr : std::get_if<ArgumentsDelta>(&events_.back());
  if (last != nullptr && last->index == num_calls_) {
    last->json += json;
  } else {
    events_.emplace_back(ArgumentsDelta{num_calls_, std::string(json)});
  }
}

void EventWriter::end_call(std::string id) {
  events_.emplace_back(CallEnd{num_calls_++, {}, std::move(id)});
  in_call_ = false;
}

void EventWriter::fail_call(std::string problem) {
  if (!in_call_) begin_call({}, {});
  events_.emplace_back(CallEnd{num_calls_++, std::move(problem), {}});
  in_call_ = false;
}

}  // namespace parley::orchestration::calls
