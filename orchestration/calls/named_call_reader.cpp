#include "orchestration/calls/named_call_reader.h"

#include <optional>
#include <string>
#include <utility>

#include "orchestration/calls/json_value_reader.h"

namespace parley::orchestration::calls {
namespace {

constexpr std::string_view kType = "function";  // DeepSeek V3 writes it, and a separator, before the name
const Markers kOpenFence = {"```json", "```"};

class NamedCallReader final : public CallReader {
 public:
  explicit NamedCallReader(const CallContext& context) : context_(context) {}

  ReadStatus read(CallInput& input, EventWriter& writer) override {
    for (;;) {
      const Step step = arguments_ ? read_arguments(input, writer) : next(input, writer);
      if (step == Step::on) continue;
      if (step == Step::wait && !input.ended()) return ReadStatus::more;
      if (step == Step::wait) fail(writer, kEndedInCall);
      return step == Step::done ? ReadStatus::done : ReadStatus::broken;
    }
  }

 private:
  enum class Step { on, wait, done, broken };
  enum class State { name, id, body, fence };

  Step next(CallInput& input, EventWriter& writer) {
    if (state_ == State::fence) return end_fence(input);
    return state_ == State::body ? begin_body(input, writer) : read_head(input, writer);
  }

  // The name, or the id after it, byte by byte up to what ends it.
  Step read_head(CallInput& input, EventWriter& writer) {
    std::string& part = state_ == State::name ? name_ : id_;
    const Ahead ahead = input.ahead();
    const Found id = match_marker(ahead, context_.format.id_open);
    const Found end = match_marker(ahead, context_.format.name_end);
    const Found close = match_marker(ahead, context_.format.call_close);
    if (id.match == Match::partial || end.match == Match::partial || close.match == Match::partial)
      return Step::wait;
    if (end.match == Match::yes && part == kType) {
      part.clear();
      input.take(end.length);
      return Step::on;
    }
    if (id.match == Match::yes) return go(input, State::id, id.length);
    if (end.match == Match::yes) return go(input, State::body, end.length);
    if (close.match == Match::yes) return go(input, State::body, 0);
    if (ahead.text.empty()) return name_.empty() ? Step::wait : go(input, State::body, 0);
    const char byte = ahead.text.front();
    if (byte == '{' || (byte == '\n' && !part.empty())) return go(input, State::body, 0);
    if (part.size() == kMaxNameBytes || MarkerSymbols::is_symbol(ahead.text))
      return fail(writer, "the name of the call does not end");
    if (!is_space(byte)) part += byte;
    input.take(1);
    return Step::on;
  }

  Step begin_body(CallInput& input, EventWriter& writer) {
    input.take_space();
    const Ahead ahead = input.ahead();
    const Found fence = match_marker(ahead, kOpenFence);
    if (fence.match == Match::partial) return Step::wait;
    if (fence.match == Match::yes) {
      fenced_ = true;
      input.take(fence.length);
      return Step::on;
    }
    begin_call(writer);
    if (ahead.text.empty() || ahead.text.front() != '{') return without_arguments(ahead, writer);
    arguments_.emplace(context_.symbols, context_.format.call_close);
    return Step::on;
  }

  void begin_call(EventWriter& writer) {
    if (writer.in_call()) return;
    if (context_.format.id_rule == IdRule::functions_and_count) split_id();
    if (name_.starts_with("functions.")) name_.erase(0, std::string_view("functions.").size());
    writer.begin_call(name_, id_);
  }

  // functions.NAME:3 is Kimi's id, and the name is in it.
  void split_id() {
    const std::size_t colon = name_.rfind(':');
    if (colon == std::string::npos) return;
    id_ = name_;
    name_.resize(colon);
  }

  Step without_arguments(Ahead ahead, EventWriter& writer) {
    const Found close = match_marker(ahead, context_.format.call_close);
    if (close.match == Match::partial) return Step::wait;
    if (name_.empty() || (close.match == Match::no && !ahead.text.empty())) {
      return fail(writer, name_.empty() ? "the call has no name" : "the arguments are not a JSON object");
    }
    if (ahead.text.empty()) return Step::wait;
    writer.arguments("{}");
    writer.end_call();
    return Step::done;
  }

  Step read_arguments(CallInput& input, EventWriter& writer) {
    std::string json;
    const JsonValueReader::Status status = arguments_->read(input, json);
    writer.arguments(json);
    if (status == JsonValueReader::Status::more) return Step::wait;
    if (status == JsonValueReader::Status::bad) {
      return fail(writer, input.text().empty()
                              ? kEndedInCall
                              : "the arguments are not valid JSON: " + arguments_->problem());
    }
    writer.end_call();
    if (!fenced_) return Step::done;
    arguments_.reset();
    return go(input, State::fence, 0);
  }

  // The closing fence may be missing.
  static Step end_fence(CallInput& input) {
    input.take_space();
    const Found fence = match_text(input.ahead(), kCodeFence);
    if (fence.match == Match::partial) return Step::wait;
    input.take(fence.length);
    return Step::done;
  }

  Step go(CallInput& input, State state, std::size_t taken) {
    input.take(taken);
    state_ = state;
    return Step::on;
  }

  static Step fail(EventWriter& writer, std::string problem) {
    writer.fail_call(std::move(problem));
    return Step::broken;
  }

  const CallContext context_;
  State state_ = State::name;
  std::string name_;
  std::string id_;
  bool fenced_ = false;
  std::optional<JsonValueReader> arguments_;
};

}  // namespace

std::unique_ptr<CallReader> make_named_call_reader(const CallContext& context) {
  return std::make_unique<NamedCallReader>(context);
}

}  // namespace parley::orchestration::calls
