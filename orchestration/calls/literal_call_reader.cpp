#include "orchestration/calls/literal_call_reader.h"

#include <optional>
#include <string>
#include <utility>

#include "orchestration/calls/literal_reader.h"

namespace parley::orchestration::calls {
namespace {

constexpr std::string_view kPrefix = "call:";       // Gemma's
constexpr std::string_view kBuiltInCall = ".call";  // Llama's: brave_search.call(query="…")

class LiteralCallReader final : public CallReader {
 public:
  explicit LiteralCallReader(const CallContext& context)
      : context_(context), brackets_(context.format.encoding == Encoding::bare_keys ? "{(" : "(") {}

  ReadStatus read(CallInput& input, EventWriter& writer) override {
    for (;;) {
      const Step step = arguments_ ? read_arguments(input, writer) : next(input, writer);
      if (step == Step::on) continue;
      if (step == Step::wait && !input.ended()) return ReadStatus::more;
      if (step == Step::wait && num_read_ == 0) fail(writer, kEndedInCall);
      return step == Step::broken ? ReadStatus::broken : ReadStatus::done;
    }
  }

 private:
  enum class Step { on, wait, done, broken };

  Step next(CallInput& input, EventWriter& writer) {
    input.take_space();
    if (input.text().empty()) return Step::wait;
    const char byte = input.text().front();
    if (num_read_ == 0 && byte == '[' && !in_list_) {
      in_list_ = true;
      input.take(1);
      return Step::on;
    }
    if (byte == ']' || byte == ',' || byte == ';') {
      input.take(1);
      return byte == ']' ? Step::done : Step::on;
    }
    return head(input, writer);
  }

  Step head(CallInput& input, EventWriter& writer) {
    const Found prefix = match_text(input.ahead(), kPrefix);
    if (prefix.match == Match::partial) return Step::wait;
    const Found name = match_call_head(input.ahead().from(prefix.length), brackets_);
    if (name.match == Match::partial) return Step::wait;
    if (name.match == Match::no)
      return num_read_ > 0 ? Step::done : fail(writer, "a function name was expected");
    name_ = input.text().substr(prefix.length, name.length);
    if (name_.ends_with(kBuiltInCall)) name_.resize(name_.size() - kBuiltInCall.size());
    const char open = input.text()[prefix.length + name.length];
    input.take(prefix.length + name.length + 1);
    writer.begin_call(name_, {});
    arguments_.emplace(context_.symbols, context_.format.quote, open,
                       [this](std::size_t position) { return context_.tools.argument_at(name_, position); });
    return Step::on;
  }

  Step read_arguments(CallInput& input, EventWriter& writer) {
    std::string json;
    const LiteralReader::Status status = arguments_->read(input, json);
    writer.arguments(json);
    if (status == LiteralReader::Status::more) return Step::wait;
    const std::string problem = arguments_->problem();
    arguments_.reset();
    ++num_read_;
    if (status == LiteralReader::Status::bad) return fail(writer, "the arguments cannot be read: " + problem);
    writer.end_call();
    return Step::on;
  }

  static Step fail(EventWriter& writer, std::string problem) {
    writer.fail_call(std::move(problem));
    return Step::broken;
  }

  const CallContext context_;
  const std::string_view brackets_;  // that may open the arguments
  std::optional<LiteralReader> arguments_;
  std::string name_;
  int num_read_ = 0;
  bool in_list_ = false;
};

}  // namespace

std::unique_ptr<CallReader> make_literal_call_reader(const CallContext& context) {
  return std::make_unique<LiteralCallReader>(context);
}

}  // namespace parley::orchestration::calls
