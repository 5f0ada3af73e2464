#include "orchestration/calls/opening.h"

#include <algorithm>

#include "orchestration/calls/json_call_reader.h"
#include "orchestration/calls/literal_call_reader.h"
#include "orchestration/calls/literal_reader.h"
#include "orchestration/calls/named_call_reader.h"
#include "orchestration/calls/tagged_call_reader.h"

namespace parley::orchestration::calls {
namespace {

const Markers kJsonBegin = {"{", "["};
const Markers kObjectBegin = {"{"};
const Markers kJsonListItem = {"{", "]"};
const Markers kGemmaBegin = {"call:"};

// With the id that some have in it.
std::size_t name_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && length < kMaxNameBytes &&
         (is_name_byte(text[length]) || text[length] == ':')) {
    if (MarkerSymbols::is_symbol(text.substr(length))) break;
    ++length;
  }
  return length;
}

// With all that the family writes around a name.
bool is_offered(std::string_view name, const CallContext& context) {
  const std::string_view prefix = context.format.name_prefix;
  if (!name.starts_with(prefix)) return false;
  name.remove_prefix(prefix.size());
  if (context.format.id_rule == IdRule::functions_and_count) {
    const std::size_t colon = std::min(name.rfind(':'), name.size());
    const std::string_view count = name.substr(std::min(colon + 1, name.size()));
    if (count.empty() || count.find_first_not_of("0123456789") != std::string_view::npos) return false;
    name = name.substr(0, colon);
  }
  return context.tools.offers(name);
}

// NAME and what ends it. White space between them is taken only for a name that was offered.
Match match_named(Ahead ahead, const CallContext& context) {
  const std::size_t length = name_length(ahead.text);
  const CallFormat& format = context.format;
  if (length == 0 && !ahead.text.empty()) return Match::no;
  Ahead rest = ahead.from(length);
  if (rest.text.empty()) return ahead.ended ? Match::no : Match::partial;
  if (rest.text.front() == '{' || rest.text.front() == '\n') return Match::yes;
  if (is_offered(ahead.text.substr(0, length), context)) rest = rest.from(space_length(rest.text));
  const Found end = first_of(match_marker(rest, format.name_end), match_marker(rest, format.id_open));
  const Found other =
      first_of(match_marker(rest, format.argument.open), match_marker(rest, format.call_close));
  return std::max(end.match, other.match);
}

// NAME of an offered tool, what ends it, and the beginning of the arguments or the end of the call.
Match match_offered_head(Ahead ahead, const CallContext& context) {
  const CallFormat& format = context.format;
  const std::size_t length = name_length(ahead.text);
  Ahead rest = ahead.from(length);
  if (rest.text.empty()) return ahead.ended ? Match::no : Match::partial;
  if (!is_offered(ahead.text.substr(0, length), context)) return Match::no;
  const Found end = match_after_space(rest, format.name_end);
  if (end.match == Match::partial) return Match::partial;
  if (end.match == Match::no && format.encoding != Encoding::key_value_tags) return Match::no;
  rest = rest.from(end.length);
  if (format.argument.open.empty()) return match_after_space(rest, kObjectBegin).match;
  return std::max(match_after_space(rest, format.argument.open).match,
                  match_after_space(rest, format.call_close).match);
}

// Functionary's marker is three characters that prose may hold: a line with the name of the text or a tool
// must follow, or a name and the beginning of an object.
Match match_name_line(Ahead ahead, const CallContext& context) {
  Match best = match_text(ahead, context.format.text_name + "\n").match;
  for (const OfferedTool& tool : context.tools.tools()) {
    best = std::max(best, match_text(ahead, tool.name + "\n").match);
  }
  const Found name = match_call_head(ahead, "\n");
  if (name.match != Match::yes) return std::max(best, name.match);
  return std::max(best, match_text(ahead.from(name.length), "\n{").match);
}

bool may_be_pythonic(const CallFormat& format) {
  return format.bare_pythonic || format.encoding == Encoding::pythonic;
}

// JSON, where a list may also be one of calls as Python writes them.
Match match_json(Ahead body, const CallFormat& format) {
  const bool is_list = body.text.starts_with('[');
  if (!is_list || !may_be_pythonic(format)) return match_marker(body, kJsonBegin).match;
  return match_after_space(body.from(1), kJsonListItem).match;
}

Match match_pythonic(Ahead body) {
  const std::size_t bracket = body.text.starts_with('[') ? 1 : 0;
  return match_call_head(body.from(bracket + space_length(body.text.substr(bracket))), "(").match;
}

}  // namespace

Match match_call_body(Ahead after_marker, const CallContext& context) {
  const std::size_t space = space_length(after_marker.text);
  if (space > kMaxSpace) return Match::no;
  const Ahead body = after_marker.from(space);
  if (body.text.empty()) return body.ended ? Match::yes : Match::partial;  // cut off: the reader says so
  const Match json = match_json(body, context.format);
  switch (context.format.encoding) {
    case Encoding::json_object:
    case Encoding::json_array:
      return may_be_pythonic(context.format) ? std::max(json, match_pythonic(body)) : json;
    case Encoding::name_then_json:
      if (!context.format.text_name.empty()) return match_name_line(after_marker, context);
      return std::max(json, match_named(body, context));
    case Encoding::pythonic:
      return std::max(json, match_pythonic(body));
    case Encoding::bare_keys:
      return std::max(match_marker(body, kGemmaBegin).match, match_call_head(body, "({").match);
    default:
      return match_named(body, context);
  }
}

Opening match_opening(Ahead ahead, const CallContext& context) {
  const Found call = match_marker(ahead, context.format.call_open);
  if (call.match == Match::yes) {
    return {match_call_body(ahead.from(call.length), context), OpeningKind::call, call.length};
  }
  const Found section = match_marker(ahead, context.format.section_open);
  if (section.match != Match::yes) return {std::max(call.match, section.match), OpeningKind::call, 0};
  const Match first = match_after_space(ahead.from(section.length), context.format.call_open).match;
  const bool cut_off =
      ahead.ended && space_length(ahead.text.substr(section.length)) + section.length == ahead.text.size();
  return {cut_off ? Match::yes : first, OpeningKind::section, section.length};
}

Match match_offered_call(Ahead ahead, const CallContext& context) {
  const Found section = match_marker(ahead, context.format.section_open);
  if (section.match == Match::yes)
    ahead = ahead.from(section.length + space_length(ahead.text.substr(section.length)));
  const Found call = match_marker(ahead, context.format.call_open);
  if (call.match == Match::yes) return match_offered_head(ahead.from(call.length), context);
  return std::max(section.match == Match::partial ? Match::partial : Match::no, call.match);
}

Opening match_bare_pythonic(Ahead ahead, const CallContext& context) {
  if (!ahead.text.starts_with('[')) return {};
  const std::size_t space = 1 + space_length(ahead.text.substr(1));
  const Ahead head = ahead.from(space);
  const Found name = match_call_head(head, "(");
  if (name.match != Match::yes) return {name.match, OpeningKind::pythonic, 0};
  const bool offered = context.tools.offers(head.text.substr(0, name.length));
  return {offered ? Match::yes : Match::no, OpeningKind::pythonic, 0};
}

std::unique_ptr<CallReader> make_call_reader(const CallContext& context, Ahead after_marker) {
  const Ahead body = after_marker.from(space_length(after_marker.text));
  const bool is_json = match_json(body, context.format) == Match::yes;
  switch (context.format.encoding) {
    case Encoding::json_object:
    case Encoding::json_array:
      if (is_json || body.text.empty()) return make_json_call_reader(context);
      return make_literal_call_reader(context);
    case Encoding::name_then_json:
      return is_json ? make_json_call_reader(context) : make_named_call_reader(context);
    case Encoding::tag_then_json:
      return make_named_call_reader(context);
    case Encoding::pythonic:
      return is_json ? make_json_call_reader(context) : make_literal_call_reader(context);
    case Encoding::bare_keys:
      return make_literal_call_reader(context);
    default:
      return make_tagged_call_reader(context);
  }
}

}  // namespace parley::orchestration::calls
