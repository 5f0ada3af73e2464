#include "orchestration/calls/tagged_call_reader.h"

#include <optional>
#include <string>
#include <utility>

#include "orchestration/calls/json_scanner.h"
#include "orchestration/calls/json_value_reader.h"
#include "orchestration/calls/tagged_value_reader.h"

namespace parley::orchestration::calls {
namespace {

class TaggedCallReader final : public CallReader {
 public:
  explicit TaggedCallReader(const CallContext& context)
      : context_(context), tags_(context.format.argument), grammar_(context.format) {}

  ReadStatus read(CallInput& input, EventWriter& writer) override {
    for (;;) {
      const Step step = next(input, writer);
      if (step == Step::on) continue;
      if (step == Step::wait && !input.ended()) return ReadStatus::more;
      if (step == Step::wait) fail(writer, kEndedInCall);
      return step == Step::done ? ReadStatus::done : ReadStatus::broken;
    }
  }

 private:
  enum class Step { on, wait, done, broken };
  enum class State { name, between, key, attributes, before_value, value };

  Step next(CallInput& input, EventWriter& writer) {
    switch (state_) {
      case State::name:
        return read_name(input, writer);
      case State::between:
        return between(input, writer);
      case State::key:
        return read_key(input, writer);
      case State::attributes:
        return read_attributes(input, writer);
      case State::before_value:
        return before_value(input, writer);
      default:
        return read_value(input, writer);
    }
  }

  Step read_name(CallInput& input, EventWriter& writer) {
    const Ahead ahead = input.ahead();
    const Found end = match_marker(ahead, context_.format.name_end);
    const Found next_tag =
        first_of(match_marker(ahead, tags_.open), match_marker(ahead, context_.format.call_close));
    if (end.match == Match::partial || next_tag.match == Match::partial) return Step::wait;
    const bool ended = end.match == Match::yes || next_tag.match == Match::yes;
    if (!ended) return read_head_byte(input, writer, name_);
    while (!name_.empty() && is_space(name_.back())) name_.pop_back();
    if (name_.empty() && end.match == Match::yes && is_space(ahead.text.front()))
      return take(input, end.length);
    if (name_.empty()) return fail(writer, "the call has no name");
    writer.begin_call(name_, {});
    writer.arguments("{");
    return go(input, State::between, end.length);
  }

  Step read_head_byte(CallInput& input, EventWriter& writer, std::string& part) {
    if (input.text().empty()) return Step::wait;
    if (part.size() == kMaxNameBytes || MarkerSymbols::is_symbol(input.text())) {
      return fail(writer, "a name does not end");
    }
    if (!part.empty() || !is_space(input.text().front())) part += input.text().front();
    return take(input, 1);
  }

  // Before an argument or the end.
  Step between(CallInput& input, EventWriter& writer) {
    input.take_space();
    const Ahead ahead = input.ahead();
    if (ahead.text.empty()) return Step::wait;
    const Found open = match_marker(ahead, tags_.open);
    const Found close = match_marker(ahead, context_.format.call_close);
    const Found stray = match_marker(ahead, tags_.value_close);  // written twice
    const Found section = match_marker(ahead, context_.format.section_close);
    if (open.match == Match::yes) {
      key_.clear();
      return go(input, State::key, open.length);
    }
    if (stray.match == Match::yes) return take(input, stray.length);
    if (close.match == Match::yes || section.match == Match::yes) {
      input.take(close.length);
      writer.arguments("}");
      writer.end_call();
      return Step::done;
    }
    const Found any = first_of(first_of(open, close), first_of(stray, section));
    return any.match == Match::partial ? Step::wait : fail(writer, "the tag of an argument was expected");
  }

  Step read_key(CallInput& input, EventWriter& writer) {
    const Found end = match_marker(input.ahead(), tags_.name_end);
    if (end.match == Match::partial) return Step::wait;
    if (end.match == Match::no) return read_head_byte(input, writer, key_);
    attributes_.clear();
    types_ = context_.tools.types_of(name_, key_);
    is_told_json_ = false;
    return go(input, tags_.attribute_end.empty() ? State::before_value : State::attributes, end.length);
  }

  Step read_attributes(CallInput& input, EventWriter& writer) {
    const Found end = match_marker(input.ahead(), tags_.attribute_end);
    if (end.match == Match::partial) return Step::wait;
    if (end.match == Match::no) return read_head_byte(input, writer, attributes_);
    if (attributes_.find("string=\"true\"") != std::string::npos) types_ = TypeSet::string;
    is_told_json_ = attributes_.find("string=\"false\"") != std::string::npos;
    return go(input, State::before_value, end.length);
  }

  Step before_value(CallInput& input, EventWriter& writer) {
    const Ahead ahead = input.ahead();
    const Found open = match_after_space(ahead, tags_.value_open);
    if (open.match == Match::partial || (tags_.in_newlines && ahead.text.empty())) return Step::wait;
    if (!tags_.value_open.empty() && open.match == Match::no)
      return fail(writer, "the tag of a value was expected");
    const std::size_t newline = tags_.in_newlines && ahead.text.starts_with('\n') ? 1 : 0;
    value_.clear();
    value_reader_.emplace(context_, grammar_, form());
    if (num_arguments_++ > 0) writer.arguments(", ");
    writer.arguments('"' + json_escaped(key_) + "\": ");
    if (is_text()) writer.arguments("\"");
    return go(input, State::value, open.length + newline);
  }

  bool is_text() const { return types_ == TypeSet::string && !is_told_json_; }
  ValueForm form() const {
    if (is_told_json_ || !has_type(types_, TypeSet::string)) return ValueForm::json;
    return has_type(types_, TypeSet::object | TypeSet::array) ? ValueForm::some_json : ValueForm::text;
  }

  Step read_value(CallInput& input, EventWriter& writer) {
    const TaggedValueReader::Status status = value_reader_->read(input, value_);
    if (is_text()) writer.arguments(json_escaped(std::exchange(value_, {})));
    if (status == TaggedValueReader::Status::more) return Step::wait;
    if (is_text()) {
      writer.arguments("\"");
    } else {
      const bool is_as_told = is_told_json_ && is_json(value_);
      writer.arguments(is_as_told ? value_ : typed_json(value_, is_told_json_ ? TypeSet::any : types_));
    }
    return go(input, State::between, 0);
  }

  static Step take(CallInput& input, std::size_t count) {
    input.take(count);
    return Step::on;
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
  const ArgumentTags& tags_;
  const TagGrammar grammar_;
  State state_ = State::name;
  std::string name_;
  std::string key_;
  std::string attributes_;
  std::string value_;  // what was not written yet
  std::optional<TaggedValueReader> value_reader_;
  TypeSet types_ = TypeSet::string;
  bool is_told_json_ = false;  // by its tag
  int num_arguments_ = 0;
};

}  // namespace

std::unique_ptr<CallReader> make_tagged_call_reader(const CallContext& context) {
  return std::make_unique<TaggedCallReader>(context);
}

}  // namespace parley::orchestration::calls
