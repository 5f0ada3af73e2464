#include "orchestration/calls/channel_reader.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "orchestration/calls/json_value_reader.h"
#include "orchestration/calls/text_scan.h"

namespace parley::orchestration::calls {
namespace {

constexpr std::size_t kMaxHeaderBytes = 512;

// The recipient in a header: "functions.NAME" of " to=functions.NAME".
std::string recipient_in(const std::string& header) {
  const std::size_t begin = header.find("to=");
  if (begin == std::string::npos) return {};
  const std::size_t end = header.find_first_of(" <\n\t", begin + 3);
  return header.substr(begin + 3, end == std::string::npos ? end : end - begin - 3);
}

constexpr std::string_view kRole = "assistant";

// <|channel|>NAME and what may come behind the name.
Match match_channel(Ahead ahead, const CallFormat& row) {
  static const Markers kChannels = {"analysis", "commentary", "final"};
  static const Markers kSpace = {" "};
  const Found open = match_marker(ahead, row.call_open);
  if (open.match != Match::yes) return open.match;
  const Found channel = match_after_space(ahead.from(open.length), kChannels);
  if (channel.match != Match::yes) return channel.match;
  const Ahead rest = ahead.from(open.length + channel.length);
  const Match message = match_marker(rest, row.name_end).match;
  const Match space = match_marker(rest, kSpace).match;
  return std::max({message, space, match_marker(rest, row.dropped).match});
}

class ChannelReader final : public CallReader {
 public:
  ChannelReader(const CallContext& context, ChannelStart start)
      : context_(context), state_(start == ChannelStart::analysis ? State::reasoning : State::header) {}

  ReadStatus read(CallInput& input, EventWriter& writer) override {
    Step step = Step::on;
    while (step == Step::on) step = next(input, writer);
    if (!input.ended()) return ReadStatus::more;
    if (writer.in_call()) writer.fail_call(kEndedInCall);
    return ReadStatus::done;
  }

 private:
  enum class Step { on, wait };
  enum class State { header, content, reasoning, call, dropped };

  // The row's markers: a header begins with section_open (<|start|>) or call_open (<|channel|>), ends with
  // name_end (<|message|>); a body ends with call_close.
  const CallFormat& row() const { return context_.format; }

  Step next(CallInput& input, EventWriter& writer) {
    if (state_ == State::header) return read_header(input, writer);
    if (state_ != State::call) return read_text(input, writer);
    return arguments_ ? read_arguments(input, writer) : begin_arguments(input, writer);
  }

  Found match_turn(Ahead ahead) const {
    return first_of(match_marker(ahead, row().call_close), match_marker(ahead, row().section_open));
  }

  // The end of a message, or the header of the next one. Text may speak of either: what is not a token of its
  // own ends a message only where the next header follows, or nothing.
  Match match_text_end(Ahead ahead) const {
    const Found close = match_marker(ahead, row().call_close);
    if (state_ == State::dropped) {
      return std::max(match_turn(ahead).match, match_marker(ahead, row().call_open).match);
    }
    if (close.match == Match::yes) {
      const Ahead rest = ahead.from(close.length);
      if (MarkerSymbols::is_symbol(ahead.text)) return Match::yes;
      return std::max(match_end(rest), match_start(rest));
    }
    const Match header = std::max(match_start(ahead), match_channel(ahead, row()));
    return std::max(close.match, header);
  }

  // <|start|>assistant and how a header goes on.
  Match match_start(Ahead ahead) const {
    const Found start = match_marker(ahead, row().section_open);
    if (start.match != Match::yes) return start.match;
    const Found role = match_text(ahead.from(start.length), kRole);
    if (role.match != Match::yes) return role.match;
    const Ahead rest = ahead.from(start.length + role.length);
    const Match part = match_after_space(rest, row().call_open).match;
    const Match message = match_after_space(rest, row().name_end).match;
    return std::max({part, message, match_text(rest, " to=").match, match_end(rest)});
  }

  Step read_header(CallInput& input, EventWriter& writer) {
    const Ahead ahead = input.ahead();
    if (ahead.text.empty()) {
      if (ahead.ended) lose_header(writer);
      return Step::wait;
    }
    const Found message = match_marker(ahead, row().name_end);
    const Found turn = match_turn(ahead);
    const Found part = match_marker(ahead, row().call_open);
    if (message.match == Match::partial || turn.match == Match::partial || part.match == Match::partial)
      return Step::wait;
    if (message.match == Match::yes) return begin_body(input, message.length);
    if (turn.match == Match::yes) {
      lose_header(writer);
      return take(input, turn.length);
    }
    if (part.match == Match::yes) {
      has_channel_ = true;
      header_ += context_.symbols.spelled(ahead.text.substr(0, part.length));
      return take(input, part.length);
    }
    return read_header_byte(input, writer);
  }

  Step read_header_byte(CallInput& input, EventWriter& writer) {
    const std::string_view text = input.text();
    if (MarkerSymbols::is_symbol(text)) {
      header_ += ' ';
      return take(input, MarkerSymbols::kSymbolSize);
    }
    // The body of a call whose <|message|> was forgotten.
    if (text.front() == '{' && !recipient_in(header_).empty()) return begin_body(input, 0);
    header_ += text.front();
    input.take(1);
    // Text without a header: an output that begins with neither a channel nor a recipient, or a header that
    // does not end.
    const bool may_be_header = has_channel_ || std::string_view(" to=assistant").starts_with(header_) ||
                               header_.starts_with(" to=") ||
                               std::string_view("assistant").starts_with(header_) ||
                               header_.starts_with("assistant");
    if (may_be_header && header_.size() < kMaxHeaderBytes) return Step::on;
    lose_header(writer);
    state_ = State::content;
    return Step::on;
  }

  // A header without its message: its words are shown only where they are no header at all.
  void lose_header(EventWriter& writer) {
    if (!has_channel_ && header_.find_first_not_of(" \n") != std::string::npos && header_ != "assistant")
      writer.content(header_);
    header_.clear();
    has_channel_ = false;
  }

  Step begin_body(CallInput& input, std::size_t taken) {
    input.take(taken);
    recipient_ = recipient_in(header_);
    const bool is_analysis = header_.find("analysis") != std::string::npos;
    state_ = !recipient_.empty() && recipient_ != "all" && recipient_ != "user" ? State::call
             : is_analysis                                                      ? State::reasoning
                                                                                : State::content;
    header_.clear();
    has_channel_ = false;
    return Step::on;
  }

  Step read_text(CallInput& input, EventWriter& writer) {
    const auto probe = [this](Ahead ahead, LineStart) { return match_text_end(ahead); };
    const TextSpot spot = find_spot(input.ahead(), LineStart::no, probe);
    const std::string text = context_.symbols.spelled(input.text().substr(0, spot.text_end));
    if (state_ == State::reasoning) writer.reasoning(text);
    if (state_ == State::content) writer.content(text);
    if (spot.match != Match::yes) {
      input.take(spot.text_end);
      return Step::wait;
    }
    input.take(spot.begin);
    input.take(match_turn(input.ahead()).length);
    state_ = State::header;
    return Step::on;
  }

  Step begin_arguments(CallInput& input, EventWriter& writer) {
    if (!writer.in_call()) {
      if (recipient_.starts_with("functions.")) recipient_.erase(0, std::string_view("functions.").size());
      writer.begin_call(recipient_, {});
    }
    input.take_space();
    const Ahead ahead = input.ahead();
    if (ahead.text.empty()) return Step::wait;
    const Found turn = match_turn(ahead);
    if (turn.match == Match::partial) return Step::wait;
    if (turn.match == Match::yes) {
      writer.arguments("{}");
      return end_call(writer);
    }
    if (ahead.text.front() != '{') {
      writer.fail_call("the arguments are not a JSON object");
      state_ = State::dropped;
      return Step::on;
    }
    arguments_.emplace(context_.symbols, row().call_close);
    return Step::on;
  }

  Step read_arguments(CallInput& input, EventWriter& writer) {
    std::string json;
    const JsonValueReader::Status status = arguments_->read(input, json);
    writer.arguments(json);
    if (status == JsonValueReader::Status::more) return Step::wait;
    const std::string problem =
        input.text().empty() ? kEndedInCall : "the arguments are not valid JSON: " + arguments_->problem();
    arguments_.reset();
    if (status == JsonValueReader::Status::done) return end_call(writer);
    writer.fail_call(problem);
    state_ = State::dropped;
    return Step::on;
  }

  Step end_call(EventWriter& writer) {
    writer.end_call();
    state_ = State::dropped;
    return Step::on;
  }

  static Step take(CallInput& input, std::size_t count) {
    input.take(count);
    return Step::on;
  }

  const CallContext context_;
  State state_;
  std::string header_;
  bool has_channel_ = false;
  std::string recipient_;
  std::optional<JsonValueReader> arguments_;
};

}  // namespace

std::unique_ptr<CallReader> make_channel_reader(const CallContext& context, ChannelStart start) {
  return std::make_unique<ChannelReader>(context, start);
}

}  // namespace parley::orchestration::calls
