#include "inference/grammar/tool_call_grammar.h"

#include <array>
#include <optional>
#include <utility>

#include "inference/grammar/grammar_builder.h"
#include "inference/grammar/schema_scalars.h"
#include "inference/grammar/table_lexeme.h"
#include "inference/grammar/until_lexeme.h"

namespace parley::inference::grammar {
namespace {

using Branch = Grammar::Dispatch::Branch;
using Then = Grammar::Dispatch::Then;

const json::JsonValue& no_arguments() {
  static const json::JsonValue kSchema{{"type", "object"}, {"additionalProperties", false}};
  return kSchema;
}

class ToolCallBuilder {
 public:
  ToolCallBuilder(std::span<const OfferedTool> tools, const ToolCallOptions& options,
                  const VocabularyIndex& vocabulary)
      : tools_(tools), options_(options), vocabulary_(vocabulary), builder_(options.schema.max_white_space) {}

  std::variant<SchemaGrammar, GrammarError> build() {
    for (const OfferedTool& tool : tools_) add_arguments(tool);
    if (error_) return GrammarError{*error_};
    const NodeId root = options_.start == CallStart::at_once ? add_calls_at_once() : add_prose_with_calls();
    SchemaGrammar out{builder_.finish(root), std::move(unchecked_)};
    if (!out.grammar) return GrammarError{"The arguments of a tool cannot satisfy its schema."};
    return out;
  }

 private:
  void add_arguments(const OfferedTool& tool) {
    std::vector<UncheckedKeyword> unchecked;
    const json::JsonValue& schema = tool.parameters != nullptr ? *tool.parameters : no_arguments();
    const auto made = add_schema(builder_, schema, options_.schema, unchecked);
    if (const auto* error = std::get_if<GrammarError>(&made)) {
      error_ = "Tool " + tool.name + ": " + error->message;
      return;
    }
    arguments_.push_back(std::get<NodeId>(made));
    for (UncheckedKeyword& keyword : unchecked) {
      keyword.place = tool.name + keyword.place;
      unchecked_.push_back(std::move(keyword));
    }
  }

  bool has_json_body() const { return options_.format.before_name.empty(); }

  NodeId punctuation(const char* text, Around around) {
    return builder_.add_terminal(make_punctuation(text, around, builder_.max_white_space()));
  }
  NodeId white_space() { return punctuation("", Around::behind); }
  NodeId literal(std::string text) { return builder_.add_terminal(make_literal(std::move(text))); }
  NodeId marker(const std::string& name) { return builder_.add_terminal(make_marker(name, vocabulary_)); }

  // Behind {"name": "NAME".
  std::vector<NodeId> rest_of_json_body(std::size_t tool) {
    const std::array<std::string, 2> keys{"\"arguments\"", "\"parameters\""};
    return {punctuation(",", Around::both), builder_.add_terminal(make_literals(keys)),
            punctuation(":", Around::both), arguments_[tool], punctuation("}", Around::before)};
  }

  NodeId add_body(std::size_t tool) {
    const CallFormat& format = options_.format;
    if (!has_json_body()) {
      return builder_.add_sequence({marker(format.before_name), literal(tools_[tool].name),
                                    marker(format.behind_name), white_space(), arguments_[tool],
                                    white_space(), marker(format.behind_arguments)});
    }
    std::vector<NodeId> nodes{punctuation("{", Around::behind), literal("\"name\""),
                              punctuation(":", Around::both),
                              literal(SchemaScalars::quoted(tools_[tool].name))};
    const std::vector<NodeId> rest = rest_of_json_body(tool);
    nodes.insert(nodes.end(), rest.begin(), rest.end());
    return builder_.add_sequence(std::move(nodes));
  }

  NodeId add_any_body() {
    std::vector<NodeId> bodies;
    for (std::size_t tool = 0; tool < tools_.size(); ++tool) bodies.push_back(add_body(tool));
    return builder_.add_choice(std::move(bodies));
  }

  // Behind OPEN.
  NodeId add_rest_of_call(NodeId body) {
    if (options_.format.close.empty()) return builder_.add_sequence({white_space(), body});
    return builder_.add_sequence({white_space(), body, white_space(), marker(options_.format.close)});
  }

  NodeId add_calls_at_once() {
    const NodeId rest = add_rest_of_call(add_any_body());
    NodeId calls =
        options_.format.open.empty() ? rest : builder_.add_sequence({marker(options_.format.open), rest});
    // White space behind a call promises no other one: a model that ends its lines must still be able to end.
    const NodeId call = calls;
    const NodeId space = white_space();
    for (int count = 1; count < options_.max_calls; ++count) {
      const NodeId more = builder_.add_choice({builder_.add_sequence({}), calls});
      calls = builder_.add_sequence({call, space, more});
    }
    if (options_.reasoning.close.empty()) return calls;
    return add_optional_reasoning(calls);
  }

  // The model may think first; once it has, or where it does not begin to, the calls come.
  NodeId add_optional_reasoning(NodeId behind) {
    const ReasoningFormat& reasoning = options_.reasoning;
    const NodeId thought = builder_.add_sequence(
        {builder_.add_terminal(make_until({reasoning.close}, FreeTextEnd::at_marker, vocabulary_)),
         white_space(), behind});
    if (reasoning.begin == ReasoningFormat::Begin::inside) return thought;
    if (reasoning.open.empty()) return behind;
    return builder_.add_choice({behind, builder_.add_sequence({marker(reasoning.open), thought})});
  }

  NodeId add_prose_with_calls() {
    const NodeId prose = builder_.reserve();
    std::vector<std::string> markers;
    std::vector<Branch> branches;
    if (!options_.format.open.empty()) {
      markers.push_back(options_.format.open);
      branches.push_back({add_rest_of_call(add_any_body()), Then::free_text});
    }
    add_bare_openings(markers, branches);
    const ReasoningFormat& reasoning = options_.reasoning;
    if (!reasoning.open.empty() && !reasoning.close.empty()) {
      markers.push_back(reasoning.open);
      branches.push_back({add_reasoning(prose), Then::over});
    }
    builder_.fill(prose,
                  {builder_.add_dispatch(make_until(std::move(markers), FreeTextEnd::anywhere, vocabulary_),
                                         std::move(branches))});
    const bool begins_inside = reasoning.begin == ReasoningFormat::Begin::inside && !reasoning.close.empty();
    return begins_inside ? add_reasoning(prose) : prose;
  }

  void add_bare_openings(std::vector<std::string>& markers, std::vector<Branch>& branches) {
    for (std::size_t tool = 0; has_json_body() && tool < tools_.size(); ++tool) {
      const std::string name = SchemaScalars::quoted(tools_[tool].name);
      const NodeId rest = builder_.add_sequence(rest_of_json_body(tool));
      for (const char* opening : {"{\"name\": ", "{\"name\":"}) {
        markers.push_back(opening + name);
        branches.push_back({rest, Then::free_text});
      }
    }
  }

  // To its marker, behind which the prose goes on; the text may also end inside.
  NodeId add_reasoning(NodeId prose) {
    return builder_.add_dispatch(make_until({options_.reasoning.close}, FreeTextEnd::anywhere, vocabulary_),
                                 {{prose, Then::over}});
  }

  std::span<const OfferedTool> tools_;
  const ToolCallOptions& options_;
  const VocabularyIndex& vocabulary_;
  GrammarBuilder builder_;
  std::vector<NodeId> arguments_;  // by tool
  std::vector<UncheckedKeyword> unchecked_;
  std::optional<std::string> error_;
};

}  // namespace

std::variant<SchemaGrammar, GrammarError> make_tool_call_grammar(std::span<const OfferedTool> tools,
                                                                 const ToolCallOptions& options,
                                                                 const VocabularyIndex& vocabulary) {
  return ToolCallBuilder(tools, options, vocabulary).build();
}

}  // namespace parley::inference::grammar
