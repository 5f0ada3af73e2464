#include "orchestration/turn/call_writing.h"

#include <initializer_list>
#include <utility>

namespace parley::orchestration::turn {
namespace {

namespace grammar = inference::grammar;
using calls::CallFormat;
using calls::Encoding;
using calls::Markers;
using grammar::CallBody;

std::string usual_of(const Markers& markers) { return markers.empty() ? std::string() : markers.front(); }

// The others, as far as they stand in calls only: a plain word (functools) stands in other text too.
std::vector<std::string> others_of(const Markers& markers) {
  std::vector<std::string> others;
  for (std::size_t i = 1; i < markers.size(); ++i) {
    if (markers[i].find_first_of("<[") != std::string::npos) others.push_back(markers[i]);
  }
  return others;
}

grammar::CallFormat nothing_around() {
  grammar::CallFormat written;
  written.open.clear();
  written.close.clear();
  return written;
}

grammar::CallFormat json_format(const CallFormat& format) {
  grammar::CallFormat written;
  written.open = usual_of(format.section_open) + usual_of(format.call_open);
  written.other_opens = others_of(format.call_open);
  written.close = format.unclosed ? std::string() : usual_of(format.call_close);
  written.bodies = {CallBody::json};
  if (format.encoding == Encoding::json_array) written.bodies = {CallBody::json_list, CallBody::json};
  if (format.bare_json) {  // Llama
    written.may_be_bare = true;
    written.separator = ";";
    written.json.before = {{"type", "\"function\""}};
    if (format.bare_pythonic) written.bodies.push_back(CallBody::python_list);
  }
  if (format.id_rule == calls::IdRule::count) {  // Command-R
    written.json.name_key = "tool_name";
    written.json.before = {{"tool_call_id", "\"[0-9]{1,3}\""}};
  }
  return written;
}

grammar::CallFormat lines_format(const CallFormat& format) {
  grammar::CallFormat written = nothing_around();
  written.bodies = {CallBody::named};
  written.before_name = usual_of(format.call_open);
  written.behind_name = usual_of(format.name_end);
  written.text_line = format.text_name + "\n";
  return written;
}

// Mistral's: the name is a part of the markup since v11, and a member of objects in a list before.
grammar::CallFormat name_or_list_format(const CallFormat& format) {
  grammar::CallFormat written = nothing_around();
  written.open = usual_of(format.call_open);
  written.behind_name = usual_of(format.name_end);
  written.before_id = usual_of(format.id_open);
  written.bodies = {CallBody::named, CallBody::json_list};
  written.json.behind = {{"id", "\"[a-zA-Z0-9]{9}\""}};
  return written;
}

grammar::CallFormat section_format(const CallFormat& format) {
  grammar::CallFormat written;
  written.open = usual_of(format.section_open);
  written.other_opens = others_of(format.section_open);
  written.close = usual_of(format.section_close);
  written.bodies = {CallBody::named};
  written.before_name = usual_of(format.call_open) + format.name_prefix;
  written.behind_name = usual_of(format.name_end);
  written.behind_arguments = usual_of(format.call_close);
  written.shares_section = !format.section_per_call && !format.section_open.empty();
  written.name_opens = true;
  return written;
}

grammar::CallFormat name_format(const CallFormat& format) {
  if (!format.text_name.empty()) return lines_format(format);
  if (format.section_open.empty()) return name_or_list_format(format);
  grammar::CallFormat written = section_format(format);
  written.counts_calls = format.id_rule == calls::IdRule::functions_and_count;
  if (format.fenced_arguments) {
    written.behind_name = "\n```json\n";
    written.behind_arguments = "\n```" + written.behind_arguments;
  }
  return written;
}

void add_ends(std::vector<grammar::TextSequence>& ends, const Markers& first,
              std::initializer_list<const Markers*> behind) {
  for (const std::string& close : first) {
    for (const Markers* some : behind) {
      for (const std::string& next : *some) ends.push_back({close, next});
    }
  }
}

// As TagGrammar reads them (calls/tag_grammar.h), and a little more: what would end a value in a section only
// is not written outside of one either.
std::vector<grammar::TextSequence> ends_of_values(const CallFormat& format) {
  std::vector<grammar::TextSequence> ends;
  const calls::ArgumentTags& tags = format.argument;
  add_ends(ends, tags.value_close,
           {&tags.open, &tags.value_close, &format.section_close, &format.call_close});
  add_ends(ends, format.call_close,
           {&format.section_close, &format.call_open, &format.section_open, &format.call_close});
  return ends;
}

grammar::CallFormat tags_format(const CallFormat& format) {
  grammar::CallFormat written = section_format(format);
  if (format.encoding == Encoding::key_value_tags) written.behind_name.clear();  // white space, or nothing
  written.arguments = grammar::ArgumentForm::tags;
  written.tags.open = usual_of(format.argument.open);
  written.tags.name_end = usual_of(format.argument.name_end);
  written.tags.value_open = usual_of(format.argument.value_open);
  written.tags.value_close = usual_of(format.argument.value_close);
  written.tags.in_newlines = format.argument.in_newlines;
  written.tags.tells_strings = format.encoding == Encoding::typed_tags;
  written.tags.ends = ends_of_values(format);
  return written;
}

grammar::CallFormat python_format(const CallFormat& format) {
  grammar::CallFormat written;
  written.open = usual_of(format.call_open);
  written.other_opens = others_of(format.call_open);
  written.close = usual_of(format.call_close);
  written.bodies = {format.one_a_line ? CallBody::python_lines : CallBody::python_list};
  written.shares_section = format.one_a_line;
  written.may_be_bare = format.bare_pythonic;
  return written;
}

grammar::CallFormat bare_keys_format(const CallFormat& format) {
  grammar::CallFormat written;
  written.open = usual_of(format.call_open);
  written.close = usual_of(format.call_close);
  written.bodies = {CallBody::named};
  written.before_name = "call:";
  written.behind_name = "{";
  written.behind_arguments = "}";
  written.arguments = grammar::ArgumentForm::bare_keys;
  written.quote = usual_of(format.quote);
  return written;
}

// Harmony's: a call is a message whose header names its recipient, behind the channel or before it.
grammar::CallFormat channel_format(const CallFormat& format) {
  const std::string channel = usual_of(format.call_open);
  const std::string message = usual_of(format.name_end);
  grammar::CallFormat written = nothing_around();
  written.bodies = {CallBody::named};
  written.before_name = channel + "commentary to=functions.";
  written.other_opens = {channel + "analysis to=functions.",
                         usual_of(format.section_open) + "assistant to=functions."};
  written.openings_at_start = {" to=functions."};
  written.behind_name = " <|constrain|>json" + message;
  for (const std::string& before : {std::string(), channel + "commentary"}) {
    for (const char* type : {"", " json", " <|constrain|>json"}) {
      std::string other = before;
      other.append(type).append(message);
      if (other != written.behind_name) written.behind_names.push_back(std::move(other));
    }
  }
  return written;
}

}  // namespace

grammar::CallFormat written_format(const CallFormat& format) {
  switch (format.encoding) {
    case Encoding::json_object:
    case Encoding::json_array:
      return json_format(format);
    case Encoding::name_then_json:
      return name_format(format);
    case Encoding::tag_then_json:
      return section_format(format);
    case Encoding::tagged_values:
    case Encoding::key_value_tags:
    case Encoding::typed_tags:
      return tags_format(format);
    case Encoding::pythonic:
      return python_format(format);
    case Encoding::bare_keys:
      return bare_keys_format(format);
    case Encoding::channels:
      return channel_format(format);
  }
  return {};
}

grammar::ReasoningFormat written_reasoning(const CallReading& reading, calls::ReasoningStart start,
                                           grammar::CallStart call_start) {
  grammar::ReasoningFormat reasoning;
  const CallFormat& format = *reading.format;
  if (format.encoding == Encoding::channels) {
    // In prose nothing but a header wakes, so that what is thought needs no marks.
    if (call_start == grammar::CallStart::at_marker) return reasoning;
    reasoning.open = usual_of(format.call_open) + "analysis" + usual_of(format.name_end);
    reasoning.close = usual_of(format.call_close) + usual_of(format.section_open) + "assistant";
    return reasoning;
  }
  const bool is_over = start == calls::ReasoningStart::closed;
  if (reading.reasoning == Reasoning::never || is_over || format.reasoning_close.empty()) return reasoning;
  reasoning.open = usual_of(format.reasoning_open);
  reasoning.close = usual_of(format.reasoning_close);
  reasoning.ends_at_calls = format.calls_in_reasoning;
  if (start != calls::ReasoningStart::model_opens) reasoning.begin = grammar::ReasoningFormat::Begin::inside;
  return reasoning;
}

std::vector<std::string> call_ends(const CallFormat& format) {
  if (format.encoding == Encoding::channels) return {"<|call|>", "<|return|>"};
  if (format.encoding == Encoding::key_value_tags) return {"<|observation|>", "<|user|>"};
  return {};
}

// The token that ends harmony's call ends the turn.
int max_written_calls(const CallFormat& format, int max_calls) {
  return format.encoding == Encoding::channels ? 1 : max_calls;
}

}  // namespace parley::orchestration::turn
