#include "orchestration/calls/prose_markup.h"

#include "orchestration/calls/lenient_reader.h"

namespace parley::orchestration::calls {
namespace {

// Whether nothing follows but white space and a few of the markers.
Match match_end(Ahead rest, const Markers& markers) {
  constexpr int kMaxMarkers = 4;
  for (int count = 0; count <= kMaxMarkers; ++count) {
    const std::size_t space = space_length(rest.text);
    if (space > kMaxSpace) return Match::no;
    rest = rest.from(space);
    if (rest.text.empty()) return rest.ended ? Match::yes : Match::partial;
    const Found next = match_marker(rest, markers);
    if (next.match != Match::yes) return next.match;
    rest = rest.from(next.length);
  }
  return Match::no;
}

}  // namespace

ProseMarkup::ProseMarkup(const CallContext& context, const Markers& spelled_openings, CallDetection detection)
    : context_(context), spelled_openings_(spelled_openings), detection_(detection) {
  const CallFormat& format = context_.format;
  for (const Markers* markers : {&format.reasoning_open, &format.reasoning_close, &format.dropped,
                                 &format.section_open, &format.call_open}) {
    note_first_bytes(*markers);
  }
  may_begin_[MarkerSymbols::kLead] = true;
}

void ProseMarkup::note_first_bytes(const Markers& markers) {
  for (const std::string& marker : markers) may_begin_[static_cast<unsigned char>(marker.front())] = true;
}

Markup ProseMarkup::at(Ahead ahead, ProsePlace place) const {
  const unsigned char byte = static_cast<unsigned char>(ahead.text.front());
  if (!may_begin_[byte] && place.line_start == LineStart::no) return {};
  const CallFormat& format = context_.format;
  const bool is_symbol = MarkerSymbols::is_symbol(ahead.text);
  if (place.nothing_before || is_symbol) {
    const Found open = match_marker(ahead, format.reasoning_open);
    if (open.match != Match::no) return {open.match, MarkupKind::reasoning_open, open.length};
    const Found close = match_marker(ahead, format.reasoning_close);
    if (close.match != Match::no) return {close.match, MarkupKind::reasoning_close, close.length};
  }
  const Found dropped = match_dropped(ahead, place);
  if (dropped.match != Match::no) return {dropped.match, MarkupKind::dropped, dropped.length};
  if (detection_ != CallDetection::off) {
    const Opening opening = match_opening(ahead, context_);
    const MarkupKind kind = opening.kind == OpeningKind::section ? MarkupKind::section : MarkupKind::call;
    if (opening.match != Match::no) return {opening.match, kind, opening.length};
  }
  if (is_symbol) return {Match::yes, MarkupKind::dropped, MarkerSymbols::kSymbolSize};
  return place.line_start == LineStart::yes ? at_line_start(ahead, place) : Markup{};
}

Found ProseMarkup::match_dropped(Ahead ahead, ProsePlace place) const {
  const Markers& markers = context_.format.dropped;
  const bool counts = place.nothing_before || MarkerSymbols::is_symbol(ahead.text);
  if (!counts && place.in_code_block) return {};
  const Found found = match_marker(ahead, markers);
  if (counts || found.match != Match::yes) return found;
  return {match_end(ahead.from(found.length), markers), found.length};
}

Markup ProseMarkup::at_line_start(Ahead ahead, ProsePlace place) const {
  if (detection_ == CallDetection::off) return {};
  if (context_.format.bare_pythonic && !place.in_code_block) {
    const Opening list = match_bare_pythonic(ahead, context_);
    if (list.match != Match::no) return {list.match, MarkupKind::pythonic, 0};
  }
  if (detection_ != CallDetection::lenient && !context_.format.bare_json) return {};
  if (!place.in_code_block) {
    const Match lenient = match_lenient_start(ahead, spelled_openings_);
    if (lenient != Match::no) return {lenient, MarkupKind::lenient, 0};
  }
  const Found fence = match_text(ahead, kCodeFence);
  return {fence.match, MarkupKind::fence, fence.length};
}

}  // namespace parley::orchestration::calls
