#pragma once
// What a chat template can show, as found by rendering small conversations with it (template_probe.h).
// Plain data, any thread.

#include <string>

#include "orchestration/calls/call_format.h"
#include "orchestration/calls/call_parser.h"

namespace parley::orchestration::prompt {

struct TemplateCapabilities {
  bool system = true;
  bool users_in_a_row = true;
  bool typed_content = false;  // texts must be lists of {"type": "text", "text": …}

  bool tools = false;      // the tools are shown when given as `tools`,
  bool xml_tools = false;  // or, without their "type", as `xml_tools`

  bool calls = false;               // tool_calls of an answer are shown
  bool object_arguments = true;     // their arguments are given as an object,
  bool string_arguments = false;    // and may be given as text
  bool null_content = false;        // such an answer may have no content
  bool needs_null_content = false;  // or must have none, for its calls to be shown
  bool prose_beside_calls = false;
  bool parallel_calls = false;  // several in one answer
  bool ids_shown = false;
  calls::IdRule id_rule = calls::IdRule::free;
  bool results = false;  // messages of role tool are shown

  std::string reasoning_field = {};  // the name under which an answer's reasoning is shown; empty: never
  bool reasoning_in_loop = false;    // shown behind the last question,
  bool reasoning_kept = false;       // and before it
  std::string reasoning_open = {};   // what the template writes before reasoning that it shows,
  std::string reasoning_close = {};  // and behind it

  // What the beginning of an answer has more than the beginning of an earlier answer, such as "<think>\n".
  std::string answer_lead = {};
  calls::ReasoningStart reasoning_start = calls::ReasoningStart::model_opens;

  // What follows an answer is written behind it and changes nothing before it: with its result and the next
  // beginning, a prompt only grows.
  bool keeps_prefix = false;
  // What stands around an answer with calls is what stands around one of plain text, and before it what the
  // prompt for it was, so that the ids that the model generated can take the answer's place.
  bool replays_answers = false;
  // An answer with calls begins behind what stood before it, so that its place can be told where it does not
  // replay (answer_places.h).
  bool places_answers = false;
};

// One line for people.
std::string to_text(const TemplateCapabilities& capabilities);

}  // namespace parley::orchestration::prompt
