#pragma once
// A tokenizer of bytes and a prompt builder that writes "u:text;", so that tests can read prompts and count
// tokens. Tools stand first, "T(name,name)"; results that repeat the question begin with "r:"; answers with
// calls are the ids that were generated.

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "inference/tokenizer/tokenizer.h"
#include "orchestration/jinja/template.h"
#include "orchestration/prompt/prompt_builder.h"
#include "orchestration/prompt/turns.h"

namespace parley::orchestration::turn {

inline constexpr std::int32_t kToyBos = 256;
inline constexpr std::int32_t kToyStop = 257;
inline constexpr std::int32_t kToySpecial = 258;

// Id = byte; beyond them three special tokens.
class ToyTokenizer final : public inference::tokenizer::Tokenizer {
 public:
  explicit ToyTokenizer(bool add_bos = false) {
    special_.bos = kToyBos;
    special_.eos = kToyStop;
    special_.add_bos = add_bos;
    special_.stops = {kToyStop};
    for (int i = 0; i < 256; ++i) bytes_[i] = static_cast<char>(i);
  }

  std::vector<std::int32_t> encode(std::string_view text) const override {
    std::vector<std::int32_t> ids;
    for (const char byte : text) ids.push_back(static_cast<std::uint8_t>(byte));
    return ids;
  }
  std::vector<std::int32_t> encode(std::string_view text,
                                   std::span<const inference::tokenizer::TrustedRange>) const override {
    return encode(text);
  }
  std::string_view token_bytes(std::int32_t id) const override {
    if (id < 0 || id >= vocab_size()) throw std::out_of_range("no such token");
    return is_special(id) ? std::string_view("<special>") : std::string_view(&bytes_[id], 1);
  }
  bool is_special(std::int32_t id) const override { return id >= 256; }
  std::string decode(std::span<const std::int32_t> ids, bool) const override {
    std::string text;
    for (const std::int32_t id : ids) text += token_bytes(id);
    return text;
  }
  int vocab_size() const override { return 259; }
  const inference::tokenizer::SpecialTokens& special_tokens() const override { return special_; }

 private:
  inference::tokenizer::SpecialTokens special_;
  char bytes_[256];
};

inline std::string toy_text(const std::vector<std::int32_t>& ids) { return ToyTokenizer().decode(ids, true); }

class ToyPromptBuilder final : public prompt::PromptBuilder {
 public:
  std::variant<prompt::Prompt, prompt::PromptTooLong> build(
      const prompt::PromptRequest& request) const override {
    ++num_builds;
    prompt::Prompt prompt;
    for (;; ++prompt.left_out_turns) {
      const std::string text = toy_render(request, prompt.left_out_turns);
      const bool last =
          request.overflow == prompt::Overflow::refuse ||
          prompt.left_out_turns + 1 >= static_cast<int>(prompt::Turns(request.messages).count());
      if (static_cast<int>(text.size()) <= request.max_prompt_tokens) {
        prompt.ids = ToyTokenizer().encode(text);
        prompt.reasoning_start = reasoning_start;
        if (request.continue_last) prompt.num_answer_ids = request.messages.back().text.size();
        return prompt;
      }
      if (last) return prompt::PromptTooLong{request.max_prompt_tokens, static_cast<int>(text.size())};
    }
  }

  std::string render(const std::vector<prompt::ChatMessage>& messages, std::string_view,
                     prompt::GenerationPrompt) const override {
    prompt::PromptRequest request;
    request.messages = messages;
    return toy_render(request, 0);
  }

  mutable int num_builds = 0;  // read by one test at a time
  calls::ReasoningStart reasoning_start = calls::ReasoningStart::model_opens;

 private:
  static std::string toy_render(const prompt::PromptRequest& request, int without_turns) {
    std::string text;
    for (const auto& tool : request.tools) text += (text.empty() ? "T(" : ",") + tool.name;
    if (!request.tools.empty()) text += ")";
    const prompt::Turns turns(request.messages);
    for (const auto& message : turns.without_oldest(static_cast<std::size_t>(without_turns))) {
      if (message.text == "refuse") throw jinja::TemplateError("I will not have it");
      const bool restated =
          message.role == prompt::Role::tool && request.results == prompt::ResultForm::restated_question;
      text += restated ? 'r' : "suat"[static_cast<int>(message.role)];
      const bool has_calls = !message.calls.empty() && !message.token_ids.empty();
      text += ":" + (has_calls ? toy_text(message.token_ids) : message.text) + ";";
    }
    if (request.continue_last) text.pop_back();
    return text;
  }
};

}  // namespace parley::orchestration::turn
