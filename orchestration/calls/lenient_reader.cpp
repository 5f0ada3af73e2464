#include "orchestration/calls/lenient_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "inference/json/json.h"
#include "orchestration/calls/json_call_reader.h"

namespace parley::orchestration::calls {
namespace {

using inference::json::JsonObject;
using inference::json::JsonValue;

const Markers kFences = {"```json", "```tool_call", "```"};
const Markers kEchoes = {"<tools>", "<tool_call>"};
const Markers kNoMarkers;

Found match_frame(Ahead ahead, const Markers& spelled_openings) {
  return first_of(match_marker(ahead, kFences),
                  first_of(match_marker(ahead, kEchoes), match_marker(ahead, spelled_openings)));
}

// `{` and the beginning of a key, or of a doubled brace.
Match match_object_start(Ahead ahead) {
  static const Markers kAfterBrace = {"\"", "{"};
  const std::size_t space = space_length(ahead.text);
  if (space > kMaxSpace) return Match::no;
  const Ahead object = ahead.from(space);
  const Match brace = match_text(object, "{").match;
  return brace == Match::yes ? match_after_space(object.from(1), kAfterBrace).match : brace;
}

Match match_objects_start(Ahead ahead) {
  const std::size_t space = space_length(ahead.text);
  if (space > kMaxSpace) return Match::no;
  const Match list = match_text(ahead.from(space), "[").match;
  return list == Match::yes ? match_object_start(ahead.from(space + 1))
                            : match_object_start(ahead.from(space));
}

// A tool's definition has a name and parameters, too; models echo those.
bool is_schema(const JsonObject& arguments) {
  const JsonValue* properties = arguments.if_contains("properties");
  const JsonValue* type = arguments.if_contains("type");
  return properties != nullptr && properties->is_object() && type != nullptr && type->is_string();
}

// The name of a call-shaped object.
std::optional<std::string> name_of_call(std::string_view json) {
  const auto parsed = inference::json::parse_json(json, {.max_bytes = json.size()});
  const auto* value = std::get_if<JsonValue>(&parsed);
  if (value == nullptr || !value->is_object()) return std::nullopt;
  const JsonObject& object = value->get_object();
  const JsonValue* name = object.if_contains("name");
  const JsonValue* arguments = object.if_contains("arguments");
  if (arguments == nullptr) arguments = object.if_contains("parameters");
  if (name == nullptr || !name->is_string() || name->get_string().empty()) return std::nullopt;
  if (arguments == nullptr || !arguments->is_object() || is_schema(arguments->get_object()))
    return std::nullopt;
  return std::string(name->get_string());
}

}  // namespace

Match match_lenient_start(Ahead ahead, const Markers& spelled_openings) {
  const Found frame = match_frame(ahead, spelled_openings);
  if (frame.match == Match::partial) return Match::partial;
  return match_objects_start(ahead.from(frame.length));
}

LenientStatus LenientReader::read(CallInput& input, EventWriter& writer) {
  for (;;) {
    Step step = next(input);
    if (step == Step::on && raw_.size() > kMaxHeldBytes) step = Step::prose;
    if (step == Step::on) continue;
    if (step == Step::wait && !input.ended()) return LenientStatus::more;
    return step == Step::prose || objects_.empty() ? as_prose(writer) : decide(writer);
  }
}

LenientReader::Step LenientReader::next(CallInput& input) {
  if (object_) return read_object(input);
  const std::string_view text = input.text();
  if (text.empty()) return Step::wait;
  if (is_space(text.front())) return take(input, 1);
  return begun_ ? between_objects(input) : before_objects(input);
}

LenientReader::Step LenientReader::before_objects(CallInput& input) {
  const Ahead ahead = input.ahead();
  const Found frame = match_frame(ahead, spelled_openings_);
  if (frame.match == Match::yes) {
    frame_ = ahead.text.starts_with('`') ? Frame::fence : Frame::echo;
    return take(input, frame.length);
  }
  begun_ = true;
  in_list_ = ahead.text.front() == '[';
  return in_list_ ? take(input, 1) : Step::on;
}

LenientReader::Step LenientReader::between_objects(CallInput& input) {
  const Ahead ahead = input.ahead();
  const char byte = ahead.text.front();
  if (byte == '{') {
    object_text_.clear();
    object_.emplace(context_.symbols, kNoMarkers);
    return Step::on;
  }
  if (byte == ']' && std::exchange(in_list_, false)) {
    const Step step = take(input, 1);
    return frame_ == Frame::none ? Step::complete : step;
  }
  // Of doubled braces the second closing one; separators.
  if (byte == '}' || byte == ',' || byte == ';') return take(input, 1);
  if (in_list_) return Step::prose;
  if (frame_ != Frame::fence) return Step::complete;
  const Found fence = match_text(ahead, kCodeFence);
  if (fence.match == Match::partial) return Step::wait;
  if (fence.match == Match::yes) {
    take(input, fence.length);
    frame_ = Frame::closed_fence;
  }
  return Step::complete;
}

LenientReader::Step LenientReader::read_object(CallInput& input) {
  const std::string_view before = input.text();
  const JsonValueReader::Status status = object_->read(input, object_text_, kMaxHeldBytes + 1 - raw_.size());
  raw_ += context_.symbols.spelled(before.substr(0, before.size() - input.text().size()));
  const bool brace_missing = status == JsonValueReader::Status::bad && input.ended() &&
                             input.text().empty() && object_->scanner().after_member() &&
                             object_->scanner().depth() == 1;
  if (brace_missing) object_text_ += '}';
  if (status == JsonValueReader::Status::done || brace_missing) {
    objects_.push_back(std::exchange(object_text_, {}));
    object_.reset();
    return Step::on;
  }
  if (status == JsonValueReader::Status::bad) return Step::prose;
  return input.text().empty() ? Step::wait : Step::on;
}

LenientReader::Step LenientReader::take(CallInput& input, std::size_t count) {
  raw_ += context_.symbols.spelled(input.text().substr(0, count));
  input.take(count);
  return Step::on;
}

LenientStatus LenientReader::decide(EventWriter& writer) {
  std::vector<std::string> names;
  for (const std::string& object : objects_) {
    const std::optional<std::string> name = name_of_call(object);
    if (!name) return as_prose(writer);
    names.push_back(*name);
  }
  const bool any_offered = std::any_of(
      names.begin(), names.end(), [this](const std::string& name) { return context_.tools.offers(name); });
  if (!any_offered) {
    writer.unknown_call(names.front());
    return LenientStatus::unknown;
  }
  CallInput calls;
  for (const std::string& object : objects_) calls.append(object);
  calls.end();
  make_json_call_reader(context_)->read(calls, writer);
  return LenientStatus::calls;
}

LenientStatus LenientReader::as_prose(EventWriter& writer) {
  writer.content(raw_);
  return LenientStatus::prose;
}

}  // namespace parley::orchestration::calls
