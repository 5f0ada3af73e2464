#include "retrieval/chunking/text_breaks.h"

#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace parley::retrieval::chunking {
namespace {

UBreakIteratorType icu_type(BreakKind kind) {
  switch (kind) {
    case BreakKind::sentence:
      return UBRK_SENTENCE;
    case BreakKind::word:
      return UBRK_WORD;
    case BreakKind::character:
      break;
  }
  return UBRK_CHARACTER;
}

void check(UErrorCode status, const char* what) {
  if (U_FAILURE(status)) {
    throw std::runtime_error(std::string("ICU cannot ") + what + " (" + u_errorName(status) +
                             "): is its data package installed?");
  }
}

}  // namespace

struct TextBreaks::State {
  UBreakIterator* breaks = nullptr;
  UText text = UTEXT_INITIALIZER;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    ubrk_close(breaks);
    utext_close(&text);
  }
};

TextBreaks::TextBreaks(BreakKind kind) : state_(std::make_unique<State>()) {
  UErrorCode status = U_ZERO_ERROR;
  state_->breaks = ubrk_open(icu_type(kind), "", nullptr, 0, &status);
  check(status, "find text borders");
}

TextBreaks::TextBreaks(std::unique_ptr<State> state) : state_(std::move(state)) {}
TextBreaks::TextBreaks(TextBreaks&&) noexcept = default;
TextBreaks::~TextBreaks() = default;

TextBreaks TextBreaks::clone() const {
  auto state = std::make_unique<State>();
  UErrorCode status = U_ZERO_ERROR;
  state->breaks = ubrk_clone(state_->breaks, &status);
  check(status, "copy its text borders");
  return TextBreaks(std::move(state));
}

void TextBreaks::begin(std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  utext_openUTF8(&state_->text, text.data(), static_cast<int64_t>(text.size()), &status);
  ubrk_setUText(state_->breaks, &state_->text, &status);
  check(status, "read text");
  ubrk_first(state_->breaks);
}

std::optional<std::size_t> TextBreaks::next_end() {
  const int32_t end = ubrk_next(state_->breaks);
  if (end == UBRK_DONE) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(end);
}

bool TextBreaks::is_ideographic() const { return ubrk_getRuleStatus(state_->breaks) >= UBRK_WORD_KANA; }

bool is_space(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.back())) {
    text.remove_suffix(1);
  }
  while (!text.empty() && is_space(text.front())) {
    text.remove_prefix(1);
  }
  return text;
}

}  // namespace parley::retrieval::chunking
