// What is enforced of the calls of a family, over a vocabulary of bytes in which its markers may be tokens.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "inference/grammar/token_constraint.h"
#include "inference/json/json_writer.h"
#include "orchestration/turn/call_grammar.h"
#include "tests/orchestration/turn/family_tokenizer.h"
#include "tests/orchestration/turn/toy_tool.h"

namespace parley::orchestration::turn {

inline std::vector<std::shared_ptr<tools::Tool>> strict_tools(
    const std::vector<calls::OfferedTool>& offered) {
  std::vector<std::shared_ptr<tools::Tool>> tools;
  tools.reserve(offered.size());
  for (const auto& tool : offered) {
    tools.push_back(
        std::make_shared<ToyTool>(tool.name, "", inference::json::to_json_text(tool.parameters), true));
  }
  return tools;
}

// One family, one vocabulary.
class FamilyConstraint {
 public:
  FamilyConstraint(const std::string& name, const std::vector<calls::OfferedTool>& tools, ToolChoice choice,
                   MarkerTokens kind = MarkerTokens::none)
      : format_(*calls::find_call_format(name)),
        tokenizer_(format_, kind),
        vocabulary_(std::make_shared<const inference::grammar::VocabularyIndex>(tokenizer_)) {
    ToolOffer offer;
    offer.tools = strict_tools(tools);
    offer.choice = choice;
    CallReading reading;
    reading.format = &format_;
    reading.reasoning = Reasoning::possible;
    CallGrammar made = make_call_grammar(offer, reading, calls::ReasoningStart::model_opens, *vocabulary_);
    unenforced_ = std::move(made.unenforced);
    if (made.grammar) constraint_ = inference::grammar::make_constraint(std::move(made.grammar), vocabulary_);
  }

  const FamilyTokenizer& tokenizer() const { return tokenizer_; }
  bool is_enforced() const { return constraint_ != nullptr; }
  const std::vector<std::string>& unenforced() const { return unenforced_; }
  std::unique_ptr<inference::grammar::TokenConstraint> begin() const { return constraint_->clone(); }

  // The part of the text that is allowed, behind which something else has to come.
  std::string walk(std::string_view text) const {
    const auto walked = begin();
    std::vector<std::int32_t> allowed;
    for (const std::int32_t id : tokenizer_.encode_generated(text)) {
      if (!walked->allows(id)) return tokenizer_.decode(allowed, true);
      walked->accept(id);
      allowed.push_back(id);
    }
    return walked->allows(kToyStop) ? std::string(text) + "$" : std::string(text);
  }
  bool admits(std::string_view text) const { return walk(text) == std::string(text) + "$"; }

 private:
  const calls::CallFormat format_;
  const FamilyTokenizer tokenizer_;
  const std::shared_ptr<const inference::grammar::VocabularyIndex> vocabulary_;
  std::vector<std::string> unenforced_;
  std::unique_ptr<inference::grammar::TokenConstraint> constraint_;
};

}  // namespace parley::orchestration::turn
