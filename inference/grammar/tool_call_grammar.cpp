#include "inference/grammar/tool_call_grammar.h"

#include <optional>
#include <utility>

#include "inference/grammar/call_bodies.h"
#include "inference/grammar/grammar_builder.h"
#include "inference/grammar/markup.h"
#include "inference/grammar/until_lexeme.h"

namespace parley::inference::grammar {
namespace {

using Branch = Grammar::Dispatch::Branch;
using Then = Grammar::Dispatch::Then;

class ToolCallBuilder {
 public:
  ToolCallBuilder(std::span<const OfferedTool> tools, const ToolCallOptions& options,
                  const VocabularyIndex& vocabulary)
      : format_(options.format),
        options_(options),
        vocabulary_(vocabulary),
        builder_(options.schema.max_white_space),
        bodies_(tools, format_, options.schema, builder_, vocabulary) {}

  std::variant<SchemaGrammar, GrammarError> build() {
    const bool may_open = options_.start == CallStart::at_marker && options_.json_opens;
    if (auto error = bodies_.compile(may_open ? NeedsJson::yes : NeedsJson::where_bodies_have_it)) {
      return GrammarError{std::move(*error)};
    }
    const NodeId root = options_.start == CallStart::at_once ? add_calls_at_once() : add_prose_with_calls();
    SchemaGrammar out{builder_.finish(root), bodies_.take_unchecked()};
    if (!out.grammar) return GrammarError{"The arguments of a tool cannot satisfy its schema."};
    return out;
  }

 private:
  // Free text up to one of some markers, behind each of which a node of its own comes.
  class Openings {
   public:
    void add(std::string marker, NodeId rest, UntilMarker::Place place = UntilMarker::Place::anywhere,
             Then then = Then::free_text) {
      if (marker.empty()) return;
      markers_.push_back({std::move(marker), place});
      branches_.push_back({rest, then});
    }
    void add(const std::vector<CallBodies::Opening>& openings) {
      for (const CallBodies::Opening& opening : openings) add(opening.marker, opening.rest);
    }
    NodeId finish(GrammarBuilder& builder, const VocabularyIndex& vocabulary) {
      return builder.add_dispatch(make_until(markers_, FreeTextEnd::anywhere, vocabulary),
                                  std::move(branches_));
    }

   private:
    std::vector<UntilMarker> markers_;
    std::vector<Branch> branches_;
  };

  NodeId nothing() { return builder_.add_sequence({}); }

  // Bodies, at most so many of them.
  NodeId add_bodies(NodeId body, int max) {
    NodeId bodies = body;
    for (int count = 1; count < max; ++count) {
      const NodeId more = builder_.add_choice({nothing(), bodies});
      bodies = builder_.add_sequence({body, bodies_.white_space(), more});
    }
    return bodies;
  }

  NodeId add_endless_bodies(NodeId body) {
    const NodeId more = builder_.reserve();
    builder_.fill(more, {nothing(), builder_.add_sequence({body, bodies_.white_space(), more})});
    return builder_.add_sequence({body, bodies_.white_space(), more});
  }

  // Behind OPEN.
  NodeId add_rest_of_call(NodeId body) {
    if (format_.close.empty()) return builder_.add_sequence({bodies_.white_space(), body});
    return builder_.add_sequence(
        {bodies_.white_space(), body, bodies_.white_space(), bodies_.marker(format_.close)});
  }

  NodeId add_whole_call(NodeId body) {
    const NodeId rest = add_rest_of_call(body);
    if (format_.open.empty()) return rest;
    const NodeId whole = builder_.add_sequence({bodies_.marker(format_.open), rest});
    return format_.may_be_bare ? builder_.add_choice({whole, body}) : whole;
  }

  // White space behind a call promises no other one: a model that ends its lines must still be able to end.
  NodeId add_between_calls() {
    if (format_.separator.empty()) return bodies_.white_space();
    const NodeId divided = builder_.add_sequence(
        {bodies_.white_space(), bodies_.marker(format_.separator), bodies_.white_space()});
    return builder_.add_choice({bodies_.white_space(), divided});
  }

  // Tokens that end the answer where no other call comes.
  std::vector<NodeId> add_ends() {
    std::vector<NodeId> ends;
    for (const std::string& name : options_.ends) {
      const auto token = vocabulary_.special_token(name);
      if (token && !vocabulary_.is_end(*token)) ends.push_back(bodies_.marker(name));
    }
    return ends;
  }

  NodeId add_calls_at_once() {
    const int max = options_.max_calls;
    const NodeId body = bodies_.body(static_cast<std::uint32_t>(max));
    NodeId calls = format_.shares_section ? add_whole_call(add_bodies(body, max)) : add_whole_call(body);
    const NodeId call = calls;
    for (int count = 1; count < max && !format_.shares_section; ++count) {
      std::vector<NodeId> more = add_ends();
      more.push_back(nothing());
      more.push_back(calls);
      calls = builder_.add_sequence({call, add_between_calls(), builder_.add_choice(std::move(more))});
    }
    if (!format_.text_line.empty()) calls = add_calls_in_lines();
    return options_.reasoning.close.empty() ? calls : add_optional_reasoning(calls);
  }

  // The first one begins where the prompt ends.
  NodeId add_calls_in_lines() {
    NodeId calls = bodies_.named_rest();
    const NodeId call = calls;
    for (int count = 1; count < options_.max_calls; ++count) {
      const NodeId next = builder_.add_sequence({bodies_.marker(format_.before_name), calls});
      const NodeId more = builder_.add_choice({nothing(), next});
      calls = builder_.add_sequence({call, bodies_.white_space(), more});
    }
    return calls;
  }

  // The model may think first; once it has, or where it does not begin to, the calls come.
  NodeId add_optional_reasoning(NodeId behind) {
    const ReasoningFormat& reasoning = options_.reasoning;
    const std::vector<std::string> closes{reasoning.close};
    for (const MarkupSymbol& symbol : markup_of(reasoning.close, vocabulary_)) {
      const bool ends_text = symbol.kind == MarkupSymbol::Kind::control && vocabulary_.is_end(symbol.value);
      if (ends_text) return behind;  // whoever began to reason could not go on
    }
    const NodeId thought =
        builder_.add_sequence({builder_.add_terminal(make_until(closes, FreeTextEnd::at_marker, vocabulary_)),
                               bodies_.white_space(), behind});
    if (reasoning.begin == ReasoningFormat::Begin::inside) return thought;
    if (reasoning.open.empty()) return behind;
    return builder_.add_choice({behind, builder_.add_sequence({bodies_.marker(reasoning.open), thought})});
  }

  NodeId add_prose_with_calls() {
    const NodeId prose = builder_.reserve();
    Openings openings;
    add_openings(openings);
    const ReasoningFormat& reasoning = options_.reasoning;
    const bool may_reason = !reasoning.open.empty() && !reasoning.close.empty();
    if (may_reason) {
      openings.add(reasoning.open, add_reasoning(prose), UntilMarker::Place::anywhere, Then::over);
    }
    builder_.fill(prose, {openings.finish(builder_, vocabulary_)});
    const bool begins_inside = reasoning.begin == ReasoningFormat::Begin::inside && !reasoning.close.empty();
    if (begins_inside) return add_reasoning(prose);
    if (format_.text_line.empty()) return prose;
    const NodeId text = builder_.add_sequence({bodies_.marker(format_.text_line), prose});
    return builder_.add_choice({text, builder_.add_sequence({bodies_.named_rest(), prose})});
  }

  void add_openings(Openings& openings) {
    const bool is_line = !format_.text_line.empty();  // prose may hold before_name: a name has to follow
    if (!format_.open.empty()) {
      const NodeId body = bodies_.body(kNoLimit);
      const NodeId rest = add_rest_of_call(format_.shares_section ? add_endless_bodies(body) : body);
      openings.add(format_.open, rest);
      for (const std::string& other : format_.other_opens) openings.add(other, rest);
    }
    if (!format_.before_name.empty() && !is_line && (format_.name_opens || format_.open.empty())) {
      const NodeId rest = bodies_.named_rest();
      openings.add(format_.before_name, rest);
      for (const std::string& start : format_.openings_at_start) {
        openings.add(start, rest, UntilMarker::Place::at_start);
      }
      if (format_.open.empty()) {
        for (const std::string& other : format_.other_opens) openings.add(other, rest);
      }
    }
    if (is_line) openings.add(bodies_.named_openings(format_.before_name));
    if (format_.may_be_bare) openings.add(bodies_.python_openings());
    if (options_.json_opens) openings.add(bodies_.json_openings());
  }

  // To its marker, or to a call, behind which the prose goes on; the text may also end inside.
  NodeId add_reasoning(NodeId prose) {
    Openings openings;
    openings.add(options_.reasoning.close, prose, UntilMarker::Place::anywhere, Then::over);
    if (options_.reasoning.ends_at_calls) {
      for (const CallBodies::Opening& opening : bodies_.named_openings(format_.before_name)) {
        openings.add(opening.marker, builder_.add_sequence({opening.rest, prose}),
                     UntilMarker::Place::anywhere, Then::over);
      }
    }
    return openings.finish(builder_, vocabulary_);
  }

  const CallFormat& format_;
  const ToolCallOptions& options_;
  const VocabularyIndex& vocabulary_;
  GrammarBuilder builder_;
  CallBodies bodies_;
};

}  // namespace

std::variant<SchemaGrammar, GrammarError> make_tool_call_grammar(std::span<const OfferedTool> tools,
                                                                 const ToolCallOptions& options,
                                                                 const VocabularyIndex& vocabulary) {
  return ToolCallBuilder(tools, options, vocabulary).build();
}

}  // namespace parley::inference::grammar
