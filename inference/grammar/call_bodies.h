#pragma once
// Calls as nodes of a grammar, without what stands around them. One object per grammar, on its builder's
// thread; it lives until the grammar is finished. A schema that cannot be used is an error value.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inference/grammar/call_format.h"
#include "inference/grammar/grammar_builder.h"
#include "inference/grammar/notation.h"
#include "inference/grammar/schema_options.h"
#include "inference/grammar/vocabulary_index.h"

namespace parley::inference::grammar {

// Whether calls may be JSON objects although the format's are not.
enum class NeedsJson : std::uint8_t { where_bodies_have_it, yes };

class CallBodies {
 public:
  // How a call of an offered tool begins, and what must follow.
  struct Opening {
    std::string marker;
    NodeId rest = 0;
  };

  CallBodies(std::span<const OfferedTool> tools, const CallFormat& format, const SchemaOptions& options,
             GrammarBuilder& builder, const VocabularyIndex& vocabulary);

  // First. A sentence that names the tool whose schema cannot be used.
  std::optional<std::string> compile(NeedsJson needs_json);
  std::vector<UncheckedKeyword> take_unchecked() { return std::move(unchecked_); }

  // What may stand between OPEN and CLOSE; a list has at most so many calls.
  NodeId body(std::uint32_t max_in_list);
  // As CallBody::named without before_name.
  NodeId named_rest();

  // `before` NAME and what comes next.
  std::vector<Opening> named_openings(std::string_view before);
  std::vector<Opening> json_openings();    // {"name": "NAME", in some ways
  std::vector<Opening> python_openings();  // [NAME(

  NodeId white_space();
  NodeId marker(std::string_view text);

 private:
  bool has_body(CallBody body) const;
  std::optional<std::string> add_arguments(const OfferedTool& tool, Notation* notation,
                                           std::vector<NodeId>& nodes, SchemaBudget& budget);
  void report(const OfferedTool& tool, std::vector<UncheckedKeyword> unchecked);

  NodeId literal(std::string text);
  NodeId punctuation(const char* text, Around around);
  // The name of a tool as it is `written`, and what follows it.
  NodeId named(const std::function<std::string(const std::string&)>& written,
               NodeId (CallBodies::*rest)(std::size_t tool));
  NodeId list_of(NodeId item, std::uint32_t max);
  NodeId optional_member(const ExtraMember& member, bool is_behind);
  NodeId json_body();
  NodeId rest_of_json_body(std::size_t tool);
  NodeId python_call();
  NodeId rest_of_python_call(std::size_t tool);
  NodeId behind_name();
  NodeId behind_named(std::size_t tool);

  std::span<const OfferedTool> tools_;
  const CallFormat& format_;
  const SchemaOptions& options_;
  GrammarBuilder& builder_;
  const VocabularyIndex& vocabulary_;
  std::vector<CallBody> bodies_;
  std::unique_ptr<Notation> own_notation_;     // of named calls; null: JSON
  std::unique_ptr<Notation> python_notation_;  // null: no call is Python's
  std::vector<NodeId> json_arguments_;         // by tool, as the next two
  std::vector<NodeId> own_arguments_;
  std::vector<NodeId> python_arguments_;
  std::optional<NodeId> behind_name_;
  std::vector<UncheckedKeyword> unchecked_;
};

}  // namespace parley::inference::grammar
