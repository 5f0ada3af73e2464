#include "orchestration/prompt/restated_results.h"

#include <utility>

#include "orchestration/prompt/trimmed.h"

namespace parley::orchestration::prompt {

void RestatedResults::add(const MessageCall& call, std::string_view result, jinja::Origin origin) {
  std::string text = pieces_.empty() ? "" : "\n";
  text += call.name + "(" + (call.arguments.empty() ? "{}" : call.arguments) + ") returned: ";
  text += result;
  pieces_.push_back({std::move(text), origin});
}

TextPieces RestatedResults::take(std::string_view question) {
  if (pieces_.empty()) return {};
  question = trimmed(question);
  std::string text = "\n\nUsing only this, answer in a plain sentence";
  if (!question.empty()) text.append(": ").append(question);
  if (question.empty() || std::string_view(".?!").find(question.back()) == std::string_view::npos)
    text += ".";
  text += " If a call failed, say so and do not guess.";
  pieces_.push_back({std::move(text), pieces_.back().origin});
  return std::exchange(pieces_, {});
}

}  // namespace parley::orchestration::prompt
