#include "inference/json_schema/pattern.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "inference/json_schema/ecma_pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace parley::inference::json_schema {
namespace {

constexpr std::size_t kMaxPatternBytes = 4096;
constexpr std::uint32_t kMaxHeapKib = 32 * 1024;
constexpr std::size_t kWorkPerStep = 64;  // in characters looked at
constexpr std::size_t kWorkPerItem = 16;  // what an item of the pattern costs beside these

// DOLLAR_ENDONLY, MATCH_UNSET_BACKREF: as ECMA-262 has `$` and references to groups that took no part.
// AUTO_CALLOUT: PCRE2 reports each item that it tries, which is how the work is counted and stopped.
constexpr std::uint32_t kOptions = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_DOLLAR_ENDONLY |
                                   PCRE2_MATCH_UNSET_BACKREF | PCRE2_AUTO_CALLOUT | PCRE2_NEVER_BACKSLASH_C;

struct FreeCode {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};
struct FreeContext {
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};
struct FreeData {
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
};

struct WorkCount {
  std::size_t left = 0;
  std::size_t per_item = 0;
  std::size_t per_character = 1;
  std::size_t position = 0;
};

int count_work(pcre2_callout_block* block, void* data) {
  WorkCount& work = *static_cast<WorkCount*>(data);
  const std::size_t position = block->current_position;
  const std::size_t moved = std::max(position, work.position) - std::min(position, work.position);
  const std::size_t cost = work.per_item + moved * work.per_character;
  work.position = position;
  if (cost > work.left) {
    work.left = 0;
    return PCRE2_ERROR_CALLOUT;
  }
  work.left -= cost;
  return 0;
}

std::string message_of(int code) {
  std::array<PCRE2_UCHAR, 256> text{};
  pcre2_get_error_message(code, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

}  // namespace

struct Pattern::Code {
  std::unique_ptr<pcre2_code, FreeCode> code;
  EcmaTraits traits;
  std::size_t bytes = 0;
};

Pattern::Pattern(std::unique_ptr<const Code> code) : code_(std::move(code)) {}
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;
Pattern::~Pattern() = default;

std::variant<Pattern, std::string> Pattern::compile(std::string_view pattern) {
  if (pattern.size() > kMaxPatternBytes) {
    return "it is longer than " + std::to_string(kMaxPatternBytes) + " bytes";
  }
  auto translated = to_pcre(pattern);
  if (auto* why = std::get_if<std::string>(&translated)) return std::move(*why);
  const auto& [text, traits] = std::get<EcmaTranslation>(translated);
  int error = 0;
  PCRE2_SIZE offset = 0;
  auto code = std::make_unique<Code>();
  code->code.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), kOptions, &error,
                                 &offset, nullptr));
  if (!code->code) return message_of(error);
  code->traits = traits;
  code->bytes = text.size();
  return Pattern(std::move(code));
}

bool Pattern::is_in(std::string_view text, Budget& budget) const {
  // What one item may look at without being seen to move: a long repeat or a repeated group that fails at
  // last.
  const std::size_t unseen =
      code_->traits.refers_back ? text.size() : std::min(text.size(), code_->traits.largest_repeat);
  WorkCount work;
  work.per_character = 1 + code_->bytes / 128;  // a class of many ranges is searched one by one
  work.per_item = kWorkPerItem + unseen * work.per_character;
  const std::size_t before = budget.steps() * kWorkPerStep;
  work.left = before;
  const std::unique_ptr<pcre2_match_context, FreeContext> context(pcre2_match_context_create(nullptr));
  const std::unique_ptr<pcre2_match_data, FreeData> data(
      pcre2_match_data_create_from_pattern(code_->code.get(), nullptr));
  pcre2_set_heap_limit(context.get(), kMaxHeapKib);
  pcre2_set_callout(context.get(), count_work, &work);
  const int result = pcre2_match(code_->code.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), 0,
                                 0, data.get(), context.get());
  budget.spend(1 + (before - work.left + text.size()) / kWorkPerStep);
  if (result < 0 && result != PCRE2_ERROR_NOMATCH) budget.exhaust();
  return result >= 0 && !budget.exhausted();
}

}  // namespace parley::inference::json_schema
