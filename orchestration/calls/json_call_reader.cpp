#include "orchestration/calls/json_call_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <utility>

#include "inference/json/json.h"
#include "orchestration/calls/json_value_reader.h"

namespace parley::orchestration::calls {
namespace {

constexpr std::array kNameKeys = {"name", "tool_name", "function"};
constexpr std::array kArgumentKeys = {"arguments", "parameters", "args"};
constexpr std::array kIdKeys = {"id", "tool_call_id", "call_id"};

// The value of a JSON string; the text itself where it is something else.
std::string string_value(const std::string& json) {
  const auto parsed = inference::json::parse_json(json, {.max_bytes = json.size()});
  const auto* value = std::get_if<inference::json::JsonValue>(&parsed);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : json;
}

class JsonCallReader final : public CallReader {
 public:
  explicit JsonCallReader(const CallContext& context) : context_(context) {}

  ReadStatus read(CallInput& input, EventWriter& writer) override {
    for (;;) {
      Step step = next(input, writer);
      if (step == Step::on) continue;
      if (step == Step::wait && input.ended()) step = fail(writer, kEndedInCall);
      return step == Step::wait   ? ReadStatus::more
             : step == Step::done ? ReadStatus::done
                                  : ReadStatus::broken;
    }
  }

 private:
  enum class Step { on, wait, done, broken };
  enum class State { begin, between, member, key, colon, value, value_text };
  enum class Role { other, name, arguments, id };

  Step next(CallInput& input, EventWriter& writer) {
    if (state_ == State::key || state_ == State::value_text) return read_text(input, writer);
    input.take_space();
    if (state_ == State::between) return between(input, writer);
    if (input.text().empty()) return state_ == State::member ? member(input, writer) : Step::wait;
    switch (state_) {
      case State::begin:
        return begin(input, writer);
      case State::member:
        return member(input, writer);
      case State::colon:
        return colon(input, writer);
      default:
        return begin_value(input);
    }
  }

  Step begin(CallInput& input, EventWriter& writer) {
    const char byte = input.text().front();
    if (byte == '[') {
      in_list_ = true;
      input.take(1);
      return go(State::between);
    }
    return byte == '{' ? begin_object(input) : fail(writer, "a JSON object was expected");
  }

  // After an object, or inside a list. What separates objects is not worth an error.
  Step between(CallInput& input, EventWriter& writer) {
    if (input.text().empty()) return input.ended() ? Step::done : Step::wait;
    const char byte = input.text().front();
    if (byte == '{') return begin_object(input);
    if (byte == ']') in_list_ = false;
    if (byte == ',' || byte == ';' || byte == '}' || byte == ']') {
      input.take(1);
      return Step::on;
    }
    const bool is_element =
        in_list_ && (byte == '"' || byte == '[' || std::isalnum(static_cast<unsigned char>(byte)));
    return is_element ? fail(writer, "a JSON object was expected") : Step::done;
  }

  Step begin_object(CallInput& input) {
    name_.clear();
    id_.clear();
    arguments_.clear();
    problem_.clear();
    begun_ = has_arguments_ = nested_ = false;
    input.take(1);
    return go(State::member);
  }

  Step member(CallInput& input, EventWriter& writer) {
    const Found closed = match_marker(input.ahead(), context_.format.call_close);
    if (closed.match == Match::partial || (input.text().empty() && !input.ended())) return Step::wait;
    if (closed.match == Match::yes || input.text().empty()) {
      // A last brace forgotten.
      if (has_arguments_ && !name_.empty()) return end_object(writer);
      return closed.match == Match::yes ? fail(writer, "the JSON object is not complete") : Step::wait;
    }
    const char byte = input.text().front();
    if (byte == '"') {
      text_.clear();
      value_.emplace(context_.symbols, context_.format.call_close);
      return go(State::key);
    }
    if (byte == '}') {
      input.take(1);
      if (!nested_) return end_object(writer);
      nested_ = false;
      return Step::on;
    }
    if (byte != ',' && byte != '{') return fail(writer, "a key in double quotes was expected");
    input.take(1);
    return Step::on;
  }

  Step colon(CallInput& input, EventWriter& writer) {
    if (input.text().front() != ':') return fail(writer, "a colon was expected after a key");
    input.take(1);
    return go(State::value);
  }

  Step begin_value(CallInput& input) {
    const char byte = input.text().front();
    const auto is_key = [this](const char* key) { return key_ == key; };
    role_ = Role::other;
    if (key_ == "function" && byte == '{') {
      nested_ = true;
      input.take(1);
      return go(State::member);
    }
    if (std::any_of(kNameKeys.begin(), kNameKeys.end(), is_key) && name_.empty()) role_ = Role::name;
    if (std::any_of(kArgumentKeys.begin(), kArgumentKeys.end(), is_key) && !has_arguments_)
      role_ = Role::arguments;
    if (std::any_of(kIdKeys.begin(), kIdKeys.end(), is_key)) role_ = Role::id;
    streams_ = role_ == Role::arguments && begun_ && byte == '{';
    text_.clear();
    value_.emplace(context_.symbols, context_.format.call_close);
    return go(State::value_text);
  }

  Step read_text(CallInput& input, EventWriter& writer) {
    std::string part;
    const JsonValueReader::Status status = value_->read(input, part);
    if (streams_ && state_ == State::value_text) {
      writer.arguments(part);
    } else {
      text_ += part;
    }
    if (status == JsonValueReader::Status::more) return Step::wait;
    if (status == JsonValueReader::Status::bad) {
      if (input.text().empty()) return fail(writer, kEndedInCall);
      const bool is_argument = state_ == State::value_text && role_ == Role::arguments;
      return fail(writer,
                  (is_argument ? "the arguments are not valid JSON: " : "the call is not valid JSON: ") +
                      value_->problem());
    }
    if (state_ == State::value_text) return end_value(writer);
    key_ = string_value(text_);
    return go(State::colon);
  }

  Step end_value(EventWriter& writer) {
    if (role_ == Role::name) name_ = string_value(text_);
    if (role_ == Role::id) id_ = string_value(text_);
    if (role_ == Role::arguments) {
      has_arguments_ = true;
      arguments_ = std::exchange(text_, {});
    }
    if (!begun_ && !name_.empty()) {
      begun_ = true;
      id_was_known_ = !id_.empty();
      writer.begin_call(name_, id_);
    }
    if (begun_ && has_arguments_ && !arguments_.empty()) write_held_arguments(writer);
    streams_ = false;
    return go(State::member);
  }

  void write_held_arguments(EventWriter& writer) {
    std::string json = std::exchange(arguments_, {});
    if (json.front() == '"') json = string_value(json);  // JSON inside a string, as OpenAI's interface has it
    if (json == "null" || json.empty()) json = "{}";
    const std::size_t begin = json.find_first_not_of(" \n\r\t");
    if (begin == std::string::npos || json[begin] != '{' || !is_json(json)) {
      problem_ = "the arguments are not a JSON object";
    } else {
      writer.arguments(json);
    }
  }

  Step end_object(EventWriter& writer) {
    if (!begun_) problem_ = "the call has no name";
    if (begun_ && !has_arguments_) writer.arguments("{}");
    if (problem_.empty()) {
      writer.end_call(id_was_known_ ? std::string() : id_);
    } else {
      writer.fail_call(problem_);
    }
    return go(State::between);
  }

  Step go(State state) {
    state_ = state;
    return Step::on;
  }

  static Step fail(EventWriter& writer, std::string problem) {
    writer.fail_call(std::move(problem));
    return Step::broken;
  }

  const CallContext context_;
  State state_ = State::begin;
  Role role_ = Role::other;
  std::optional<JsonValueReader> value_;
  std::string text_;  // of the key or value that is read
  std::string key_;
  std::string name_;
  std::string id_;
  std::string arguments_;  // complete, before the name is known
  std::string problem_;    // makes the call useless, but not what follows it
  bool in_list_ = false;
  bool nested_ = false;  // inside {"type": "function", "function": {…}}
  bool begun_ = false;
  bool has_arguments_ = false;
  bool streams_ = false;  // the arguments are written as they come
  bool id_was_known_ = false;
};

}  // namespace

std::unique_ptr<CallReader> make_json_call_reader(const CallContext& context) {
  return std::make_unique<JsonCallReader>(context);
}

}  // namespace parley::orchestration::calls
