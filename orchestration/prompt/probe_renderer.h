#pragma once
// Small conversations for probing a template, and what the template makes of them. Refers to the renderer it
// was made from; one thread. A refusal is a value.

#include <optional>
#include <string>
#include <string_view>

#include "orchestration/jinja/value.h"
#include "orchestration/prompt/message_part.h"
#include "orchestration/prompt/template_capabilities.h"
#include "orchestration/prompt/template_renderer.h"

namespace parley::orchestration::prompt {

// Words that no template writes by itself.
inline constexpr const char* kProbeSystem = "qzsystem";
inline constexpr const char* kProbeQuestion = "qzquestion";
inline constexpr const char* kProbeNext = "qznext";
inline constexpr const char* kProbeAnswer = "qzanswer";
inline constexpr const char* kProbeReasoning = "qzreasoning";
inline constexpr const char* kProbeTool = "qz_tool";
inline constexpr const char* kProbeKey = "qz_key";
inline constexpr const char* kProbeValue = "qzvalue";
inline constexpr const char* kProbeOtherValue = "qzother";
inline constexpr const char* kProbeResult = "qzresult";

MessagePart probe_part(Role role, std::string text);
MessageCall probe_call(std::string id, std::string_view value);
MessagePart probe_result(const MessageCall& call);
jinja::Value probe_tools();

bool contains(const std::optional<std::string>& text, std::string_view word);

class ProbeRenderer {
 public:
  explicit ProbeRenderer(const TemplateRenderer& renderer) : renderer_(renderer), tools_(probe_tools()) {}

  enum class Tools : bool { none, offered };

  // Absent when the template refuses. One that needs more than its limits is asked a few times only.
  std::optional<std::string> render(const MessageParts& parts, const TemplateCapabilities& form, Tools tools,
                                    GenerationPrompt generation_prompt) const;

  // Whether all words are shown.
  template <typename... Words>
  bool shows(const MessageParts& parts, const TemplateCapabilities& form, Tools tools,
             const Words&... words) const {
    const auto text = render(parts, form, tools, GenerationPrompt::present);
    return (contains(text, words) && ...);
  }

  const jinja::Value& tools() const { return tools_; }

 private:
  const TemplateRenderer& renderer_;
  jinja::Value tools_;
  mutable int num_over_limits_ = 0;
};

}  // namespace parley::orchestration::prompt
