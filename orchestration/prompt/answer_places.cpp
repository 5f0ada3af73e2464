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

bool is_templates_own(const jinja::Rendered& rendered, std::size_t begin) {
  return std::all_of(rendered.runs.begin(), rendered.runs.end(), [begin](const jinja::OriginRun& run) {
    return run.end <= begin || run.origin == jinja::kTemplateOrigin;
  });
}

struct Extent {
  std::size_t begin = 0;
  std::optional<std::size_t> end;  // where a token ends the turn
  std::size_t next = 0;            // where another message begins
};

// From the first byte of the message on. A template may show its name once more behind the end, with the
// result.
std::optional<Extent> extent_of(const jinja::Rendered& rendered, std::size_t message,
                                const std::vector<std::string>& ends) {
  const jinja::Origin own = origin_of_message(message);
  std::optional<Extent> extent;
  for (const jinja::OriginRun& run : rendered.runs) {
    if (!extent && run.origin != own) continue;
    if (!extent) extent = Extent{run.begin, std::nullopt, rendered.text.size()};
    if (run.origin == own) continue;
    extent->next = run.begin;
    if (run.origin != jinja::kTemplateOrigin) return extent;
    const std::string_view text = std::string_view(rendered.text).substr(0, run.end);
    std::size_t first = text.size();
    for (const std::string& name : ends) first = std::min(first, text.find(name, run.begin));
    extent->next = rendered.text.size();
    if (first < text.size()) {
      extent->end = first;
      return extent;
    }
  }
  return extent;
}

std::optional<AnswerPlace> find_place(const jinja::Rendered& prompt, std::size_t message,
                                      const std::vector<std::string>& ends, const RenderFirst& render_first) {
  const auto before = render_first(message, GenerationPrompt::absent);
  const auto begun = render_first(message, GenerationPrompt::present);
  const auto extent = extent_of(prompt, message, ends);
  if (!before || !begun || !extent) return std::nullopt;
  const std::size_t begin = before->text.size();
  const bool stands_there = prompt.text.starts_with(before->text) && extent->begin >= begin;
  const bool is_begun = begun->text.starts_with(before->text) && is_templates_own(*begun, begin);
  if (!stands_there || !is_begun) return std::nullopt;
  if (extent->end) return AnswerPlace{message, begin, *extent->end, begun->text.substr(begin)};
  const auto whole = render_first(message + 1, GenerationPrompt::absent);
  const bool ends_there = whole && prompt.text.starts_with(whole->text) &&
                          whole->text.size() > extent->begin && whole->text.size() <= extent->next;
  if (!ends_there) return std::nullopt;
  return AnswerPlace{message, begin, whole->text.size(), begun->text.substr(begin)};
}

// What the template shows of a replayed answer elsewhere is data of nobody.
void append_range(const jinja::Rendered& from, std::size_t begin, std::size_t end,
                  const std::vector<AnswerPlace>& places, jinja::TextBuilder& builder) {
  const auto is_placed = [&](jinja::Origin origin) {
    return std::any_of(places.begin(), places.end(), [origin](const AnswerPlace& place) {
      return origin_of_message(place.message) == origin;
    });
  };
  for (const jinja::OriginRun& run : from.runs) {
    const std::size_t first = std::max(run.begin, begin);
    const std::size_t last = std::min(run.end, end);
    if (first >= last) continue;
    const jinja::Origin origin = is_placed(run.origin) ? kToolsOrigin : run.origin;
    builder.append(std::string_view(from.text).substr(first, last - first), origin);
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
    append_range(prompt, at, place.begin, places, builder);
    builder.append(place.lead, jinja::kTemplateOrigin);
    builder.append(kReplayedText, origin_of_message(place.message));
    at = place.end;
  }
  append_range(prompt, at, prompt.text.size(), places, builder);
  jinja::Rendered placed;
  std::tie(placed.text, placed.runs) = builder.release();
  return placed;
}

}  // namespace parley::orchestration::prompt
