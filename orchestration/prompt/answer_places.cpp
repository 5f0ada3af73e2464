#include "orchestration/prompt/answer_places.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "orchestration/prompt/normalised_messages.h"
#include "orchestration/prompt/origins.h"

namespace parley::orchestration::prompt {
namespace {

// End a turn with calls in some families, whether or not the file lists them.
constexpr const char* kCallEnds[] = {"<|call|>", "<|eom_id|>", "<|observation|>", "<|tool_response>"};

std::vector<std::string> names_of_ends(const inference::tokenizer::Tokenizer& tokenizer) {
  std::vector<std::string> names(std::begin(kCallEnds), std::end(kCallEnds));
  for (const std::int32_t id : tokenizer.special_tokens().stops)
    names.emplace_back(tokenizer.token_bytes(id));
  std::erase(names, std::string());
  return names;
}

std::size_t common_length(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

// All that is the message's own lies in [begin, end).
std::optional<std::pair<std::size_t, std::size_t>> extent_of(const jinja::Rendered& rendered,
                                                             std::size_t message) {
  std::optional<std::pair<std::size_t, std::size_t>> extent;
  for (const jinja::OriginRun& run : rendered.runs) {
    if (run.origin != origin_of_message(message)) continue;
    extent = {extent ? extent->first : run.begin, run.end};
  }
  return extent;
}

bool is_templates_own(const jinja::Rendered& rendered, std::size_t begin) {
  return std::all_of(rendered.runs.begin(), rendered.runs.end(), [begin](const jinja::OriginRun& run) {
    return run.end <= begin || run.origin == jinja::kTemplateOrigin;
  });
}

// The first end of a turn behind `from`, before `limit`.
std::optional<std::size_t> find_end(std::string_view text, std::size_t from, std::size_t limit,
                                    const std::vector<std::string>& names) {
  std::size_t first = limit;
  for (const std::string& name : names) first = std::min(first, text.find(name, from));
  return first < limit ? std::optional(first) : std::nullopt;
}

std::optional<AnswerPlace> find_place(const jinja::Rendered& prompt, std::size_t message,
                                      const std::vector<std::string>& ends, const RenderFirst& render_first) {
  const auto before = render_first(message, GenerationPrompt::absent);
  const auto begun = render_first(message, GenerationPrompt::present);
  const auto whole = render_first(message + 1, GenerationPrompt::absent);
  const auto extent = extent_of(prompt, message);
  if (!before || !begun || !whole || !extent) return std::nullopt;
  const std::size_t begin = before->text.size();
  const bool stands_there = prompt.text.starts_with(before->text) && extent->first >= begin;
  const bool is_begun = begun->text.starts_with(before->text) && is_templates_own(*begun, begin);
  if (!stands_there || !is_begun) return std::nullopt;
  const std::size_t limit = common_length(whole->text, prompt.text);
  std::optional<std::size_t> end = find_end(prompt.text, extent->second, limit, ends);
  if (!end && limit == whole->text.size()) end = limit;
  if (!end || *end < extent->second) return std::nullopt;
  return AnswerPlace{message, begin, *end, begun->text.substr(begin)};
}

void append_range(const jinja::Rendered& from, std::size_t begin, std::size_t end,
                  jinja::TextBuilder& builder) {
  for (const jinja::OriginRun& run : from.runs) {
    const std::size_t first = std::max(run.begin, begin);
    const std::size_t last = std::min(run.end, end);
    if (first < last) builder.append(std::string_view(from.text).substr(first, last - first), run.origin);
  }
}

}  // namespace

std::vector<AnswerPlace> find_answer_places(const inference::tokenizer::Tokenizer& tokenizer,
                                            const jinja::Rendered& prompt,
                                            const std::vector<std::size_t>& answers,
                                            const RenderFirst& render_first) {
  const std::vector<std::string> ends = names_of_ends(tokenizer);
  std::vector<AnswerPlace> places;
  for (const std::size_t answer : answers) {
    auto place = find_place(prompt, answer, ends, render_first);
    const bool is_apart = places.empty() || (place && place->begin >= places.back().end);
    if (place && is_apart) places.push_back(std::move(*place));
  }
  return places;
}

jinja::Rendered with_places(const jinja::Rendered& prompt, const std::vector<AnswerPlace>& places) {
  jinja::TextBuilder builder;
  std::size_t at = 0;
  for (const AnswerPlace& place : places) {
    append_range(prompt, at, place.begin, builder);
    builder.append(place.lead, jinja::kTemplateOrigin);
    builder.append(kReplayedText, origin_of_message(place.message));
    at = place.end;
  }
  append_range(prompt, at, prompt.text.size(), builder);
  jinja::Rendered placed;
  std::tie(placed.text, placed.runs) = builder.release();
  return placed;
}

}  // namespace parley::orchestration::prompt
