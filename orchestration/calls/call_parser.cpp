#include "orchestration/calls/call_parser.h"

#include <array>
#include <optional>
#include <utility>

#include "inference/text/utf8_repair.h"
#include "orchestration/calls/channel_reader.h"
#include "orchestration/calls/lenient_reader.h"
#include "orchestration/calls/opening.h"
#include "orchestration/calls/text_scan.h"

namespace parley::orchestration::calls {
namespace {

class TableCallParser final : public CallParser {
 public:
  TableCallParser(const CallFormat& format, ParserOptions options)
      : symbols_(std::move(options.vocabulary)),
        spelled_openings_(format.call_open),
        format_(symbols_.resolve(format)),
        tools_(std::move(options.tools)),
        detection_(tools_.empty() ? CallDetection::off : options.detection),
        markup_(context(), spelled_openings_, detection_),
        starts_in_call_(format_.starts_in_call && detection_ != CallDetection::off) {
    const bool inside = options.reasoning == ReasoningStart::inside;
    const bool opened = inside || options.reasoning == ReasoningStart::opened ||
                        options.reasoning == ReasoningStart::only_closing;
    if (format_.encoding == Encoding::channels) {
      reader_ = make_channel_reader(context(), inside ? ChannelStart::analysis : ChannelStart::header);
      mode_ = Mode::channels;
    } else if (opened && !format_.reasoning_close.empty()) {
      begin_reasoning();
      if (inside) go_on_in_reasoning();
    } else if (starts_in_call_) {
      mode_ = Mode::call_start;
    }
  }

  std::vector<CallEvent> push(TokenId id, std::string_view bytes) override {
    if (mode_ == Mode::over) return {};
    std::string repaired;
    if (const auto symbol = symbols_.symbol_of(id)) {
      repair_.finish(repaired);
      repaired += *symbol;
    } else if (!symbols_.is_hidden(id, bytes)) {
      repair_.push(bytes, repaired);
    }
    input_.append(repaired);
    return run();
  }

  std::vector<CallEvent> finish(AnswerEnd end) override {
    if (mode_ == Mode::over) return {};
    std::string rest;
    if (end == AnswerEnd::complete) repair_.finish(rest);
    input_.append(rest);
    input_.end();
    return run();
  }

  bool closed() const override { return mode_ == Mode::over; }
  std::size_t num_looks() const override { return input_.num_looks(); }

 private:
  enum class Mode { prose, reasoning, call_start, call, tail, skip, held, channels, over };
  enum class Step { on, wait };

  CallContext context() const { return {format_, symbols_, tools_}; }

  std::vector<CallEvent> run() {
    while (next() == Step::on) {
    }
    return writer_.take();
  }

  Step next() {
    switch (mode_) {
      case Mode::prose:
        return read_prose();
      case Mode::reasoning:
        return read_reasoning();
      case Mode::call_start:
        return begin_in_call();
      case Mode::call:
        return read_call();
      case Mode::tail:
        return read_tail();
      case Mode::skip:
        return skip_broken();
      case Mode::held:
        return read_held();
      case Mode::channels:
        reader_->read(input_, writer_);
        return Step::wait;
      default:
        return Step::wait;
    }
  }

  Step go(Mode mode) {
    mode_ = mode;
    return Step::on;
  }

  Step begin_prose() {
    has_content_ = false;
    skip_space_ = true;
    line_start_ = LineStart::yes;
    return go(Mode::prose);
  }

  Step begin_reasoning() {
    last_reasoning_ = '\0';
    skip_space_ = true;
    line_start_ = LineStart::yes;
    return go(Mode::reasoning);
  }

  // White space belongs to the text, and a marker that opens a block is not expected.
  void go_on_in_reasoning() {
    last_reasoning_ = ' ';
    skip_space_ = false;
  }

  // After markup, white space is part of it.
  bool at_end_of_space() {
    if (skip_space_) input_.take_space();
    if (!input_.text().empty()) skip_space_ = false;
    return input_.text().empty();
  }

  Step read_prose() {
    if (at_end_of_space()) return Step::wait;
    const auto probe = [this](Ahead ahead, LineStart line_start) {
      return markup_.at(ahead, place_of(ahead, line_start)).match;
    };
    const TextSpot spot = find_spot(input_.ahead(), line_start_, probe);
    write_content(spot.text_end);
    if (spot.match != Match::yes) return Step::wait;
    const std::size_t space = spot.begin - spot.text_end;
    const LineStart line_start = line_start_after(input_.text().substr(0, space), line_start_);
    const Ahead ahead = input_.ahead().from(space);
    return act(markup_.at(ahead, place_of(ahead, line_start)), space);
  }

  ProsePlace place_of(Ahead ahead, LineStart line_start) const {
    const std::string_view before = input_.text().substr(0, input_.text().size() - ahead.text.size());
    const bool nothing_before = !has_content_ && space_length(before) == before.size();
    return {line_start, nothing_before, in_code_block_};
  }

  void write_content(std::size_t length) {
    const std::string_view text = input_.text().substr(0, length);
    has_content_ = has_content_ || space_length(text) < text.size();
    line_start_ = line_start_after(text, line_start_);
    writer_.content(text);
    input_.take(length);
  }

  // Markup that stands behind `space` bytes of white space.
  Step act(const Markup& markup, std::size_t space) {
    if (markup.kind == MarkupKind::dropped || markup.kind == MarkupKind::reasoning_close) {
      write_content(space);
      input_.take(markup.length);
      return markup.kind == MarkupKind::dropped ? Step::on : begin_prose();
    }
    if (markup.kind == MarkupKind::fence) {
      in_code_block_ = !in_code_block_;
      write_content(space + markup.length);
      return Step::on;
    }
    if (markup.kind == MarkupKind::lenient) {
      writer_.pending();
      held_.emplace(context(), spelled_openings_);
      return go(Mode::held);
    }
    input_.take(space);
    if (markup.kind == MarkupKind::reasoning_open) {
      input_.take(markup.length);
      return begin_reasoning();
    }
    if (markup.kind != MarkupKind::section) return start_call(markup.length);
    skip_space_ = true;
    input_.take(markup.length);
    return Step::on;
  }

  // The prompt ends in the marker of a call. Who thinks first thinks before the name.
  Step begin_in_call() {
    if (at_end_of_space()) return Step::wait;
    const Found open = match_after_space(input_.ahead(), format_.reasoning_open);
    if (open.match == Match::partial) return Step::wait;
    if (open.match == Match::yes) {
      input_.take(open.length);
      return begin_reasoning();
    }
    starts_in_call_ = false;
    const Match body = match_call_body(input_.ahead(), context());
    if (body == Match::partial) return Step::wait;
    return body == Match::yes ? start_call(0) : go(Mode::prose);
  }

  // After the marker of a call.
  Step start_call(std::size_t marker) {
    input_.take(marker);
    const Ahead ahead = input_.ahead();
    if (!format_.text_name.empty()) {
      const Found prose = match_text(ahead, format_.text_name + "\n");
      if (prose.match == Match::yes) {
        input_.take(prose.length);
        return begin_prose();
      }
    }
    reader_ = make_call_reader(context(), ahead);
    return go(Mode::call);
  }

  Step read_call() {
    const ReadStatus status = reader_->read(input_, writer_);
    if (status == ReadStatus::more) return Step::wait;
    reader_.reset();
    return go(status == ReadStatus::done ? Mode::tail : Mode::skip);
  }

  // After a call: closing markers, each of which may be missing or doubled.
  Step read_tail() {
    input_.take_space();
    const Ahead ahead = input_.ahead();
    if (ahead.text.empty()) return Step::wait;
    const Found section = match_marker(ahead, format_.section_close);
    const Found call = match_marker(ahead, format_.call_close);
    const Found any = first_of(section, call);
    if (any.match == Match::partial) return Step::wait;
    if (any.match == Match::no && format_.bare_json && ahead.text.front() == ';') {  // Llama's, between calls
      input_.take(1);
      return Step::on;
    }
    if (any.match == Match::no) return begin_prose();
    input_.take(any.length);
    return Step::on;
  }

  // After a broken call: nothing makes sense before the next marker.
  Step skip_broken() {
    const auto probe = [this](Ahead ahead, LineStart) {
      const Found close =
          first_of(match_marker(ahead, format_.call_close), match_marker(ahead, format_.section_close));
      return close.match == Match::no ? match_opening(ahead, context()).match : close.match;
    };
    const TextSpot spot = find_spot(input_.ahead(), LineStart::no, probe);
    input_.take(spot.match == Match::yes ? spot.begin : spot.text_end);
    return spot.match == Match::yes ? go(Mode::tail) : Step::wait;
  }

  Step read_held() {
    switch (held_->read(input_, writer_)) {
      case LenientStatus::more:
        return Step::wait;
      case LenientStatus::prose:
        line_start_ = LineStart::no;
        in_code_block_ = held_->is_in_code_block();
        held_.reset();
        return go(Mode::prose);
      default:
        return go(Mode::over);
    }
  }

  Step read_reasoning() {
    if (at_end_of_space()) return Step::wait;
    const auto probe = [this](Ahead ahead, LineStart) { return probe_reasoning(ahead); };
    const TextSpot spot = find_spot(input_.ahead(), LineStart::no, probe);
    const std::string_view text = input_.text().substr(0, spot.text_end);
    if (!text.empty()) last_reasoning_ = text.back();
    writer_.reasoning(symbols_.spelled(text));
    input_.take(spot.match == Match::yes ? spot.begin : spot.text_end);
    if (spot.match != Match::yes) return Step::wait;
    const Found open = match_marker(input_.ahead(), format_.reasoning_open);
    const Found close = match_marker(input_.ahead(), format_.reasoning_close);
    input_.take(open.match == Match::yes ? open.length : close.length);
    if (open.match == Match::yes) return begin_reasoning();
    begin_prose();
    return go(starts_in_call_ ? Mode::call_start : Mode::prose);
  }

  Match probe_reasoning(Ahead ahead) const {
    // The prompt has opened the block, and the model does it again.
    if (last_reasoning_ == '\0' && ahead.text.data() == input_.text().data()) {
      const Match open = match_marker(ahead, format_.reasoning_open).match;
      if (open != Match::no) return open;
    }
    const Found close = match_marker(ahead, format_.reasoning_close);
    if (close.match == Match::partial) return Match::partial;
    if (close.match == Match::yes) return match_unquoted(ahead, close.length);
    if (!format_.calls_in_reasoning || detection_ == CallDetection::off) return Match::no;
    return match_offered_call(ahead, context());
  }

  // Reasoning about markup quotes it: `</think>`. The answer is whether the closing marker counts.
  Match match_unquoted(Ahead ahead, std::size_t length) const {
    constexpr std::string_view kQuotes = "`\"'";
    const bool at_begin = ahead.text.data() == input_.text().data();
    const char before = at_begin ? last_reasoning_ : *(ahead.text.data() - 1);
    if (kQuotes.find(before) == std::string_view::npos) return Match::yes;
    if (ahead.text.size() == length) return ahead.ended ? Match::yes : Match::partial;
    return ahead.text[length] == before ? Match::no : Match::yes;
  }

  MarkerSymbols symbols_;
  const Markers spelled_openings_;
  const CallFormat format_;  // resolved
  const ToolSchemas tools_;
  const CallDetection detection_;
  const ProseMarkup markup_;
  bool starts_in_call_;  // until the first name was looked for
  inference::text::Utf8Repair repair_;
  CallInput input_;
  EventWriter writer_;
  Mode mode_ = Mode::prose;
  LineStart line_start_ = LineStart::yes;
  bool skip_space_ = false;
  bool in_code_block_ = false;
  bool has_content_ = false;    // since the last markup
  char last_reasoning_ = '\0';  // byte of the block
  std::unique_ptr<CallReader> reader_;
  std::optional<LenientReader> held_;
};

}  // namespace

std::unique_ptr<CallParser> make_call_parser(const CallFormat& format, ParserOptions options) {
  return std::make_unique<TableCallParser>(format, std::move(options));
}

}  // namespace parley::orchestration::calls
