#include "inference/grammar/call_bodies.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "inference/grammar/literal_notation.h"
#include "inference/grammar/markup.h"
#include "inference/grammar/regex_lexeme.h"
#include "inference/grammar/schema_grammar.h"
#include "inference/grammar/schema_scalars.h"
#include "inference/grammar/table_lexeme.h"

namespace parley::inference::grammar {
namespace {

using Branch = Grammar::Dispatch::Branch;
using Then = Grammar::Dispatch::Then;

// As models write them; white space that is none of these leaves an object alone.
constexpr const char* kNameOpenings[] = {
    "{\"name\": ", "{\"name\":", "{ \"name\": ", "{\n  \"name\": ", "{\n    \"name\": "};

const json::JsonValue& no_arguments() {
  static const json::JsonValue kSchema{{"type", "object"}, {"additionalProperties", false}};
  return kSchema;
}

NodeId add_pattern(GrammarBuilder& builder, std::string_view pattern) {
  const auto made = make_regex_lexeme(pattern, {});
  return builder.add_terminal(std::get<std::shared_ptr<const Lexeme>>(made));  // of a table, never of a user
}

std::vector<CallBody> bodies_of(const CallFormat& format) {
  if (!format.bodies.empty()) return format.bodies;
  return {format.before_name.empty() ? CallBody::json : CallBody::named};
}

}  // namespace

CallBodies::CallBodies(std::span<const OfferedTool> tools, const CallFormat& format,
                       const SchemaOptions& options, GrammarBuilder& builder,
                       const VocabularyIndex& vocabulary)
    : tools_(tools),
      format_(format),
      options_(options),
      builder_(builder),
      vocabulary_(vocabulary),
      bodies_(bodies_of(format)) {
  if (format.arguments == ArgumentForm::tags)
    own_notation_ = make_tagged_notation(format.tags, builder, vocabulary);
  if (format.arguments == ArgumentForm::bare_keys) {
    own_notation_ = make_bare_key_notation(format.quote, builder, vocabulary);
  }
  const bool has_python = has_body(CallBody::python_list) || has_body(CallBody::python_lines);
  if (has_python) python_notation_ = make_python_notation(builder);
}

bool CallBodies::has_body(CallBody body) const {
  return std::find(bodies_.begin(), bodies_.end(), body) != bodies_.end();
}

std::optional<std::string> CallBodies::compile(NeedsJson needs_json) {
  const bool is_json = needs_json == NeedsJson::yes || has_body(CallBody::json) ||
                       has_body(CallBody::json_list) || (has_body(CallBody::named) && !own_notation_);
  SchemaOptions of_all = options_;  // a thousand usual tools take a fifth of it
  of_all.max_time *= 4;
  of_all.max_memory *= 2;
  SchemaBudget budget(of_all, "Together with those before it the schema");
  for (const OfferedTool& tool : tools_) {
    std::optional<std::string> error;
    if (is_json) error = add_arguments(tool, nullptr, json_arguments_, budget);
    if (!error && own_notation_) error = add_arguments(tool, own_notation_.get(), own_arguments_, budget);
    if (!error && python_notation_)
      error = add_arguments(tool, python_notation_.get(), python_arguments_, budget);
    if (error) return "Tool " + tool.name + ": " + *error;
  }
  return std::nullopt;
}

std::optional<std::string> CallBodies::add_arguments(const OfferedTool& tool, Notation* notation,
                                                     std::vector<NodeId>& nodes, SchemaBudget& budget) {
  SchemaOptions options = options_;
  options.notation = notation;
  std::vector<UncheckedKeyword> unchecked;
  const json::JsonValue& schema = tool.parameters != nullptr ? *tool.parameters : no_arguments();
  const auto made = add_schema(builder_, schema, options, unchecked, budget);
  if (const auto* error = std::get_if<GrammarError>(&made)) return error->message;
  nodes.push_back(std::get<NodeId>(made));
  report(tool, std::move(unchecked));
  return std::nullopt;
}

void CallBodies::report(const OfferedTool& tool, std::vector<UncheckedKeyword> unchecked) {
  for (UncheckedKeyword& keyword : unchecked) {
    keyword.place = tool.name + keyword.place;
    const bool is_known = std::find(unchecked_.begin(), unchecked_.end(), keyword) != unchecked_.end();
    if (!is_known) unchecked_.push_back(std::move(keyword));
  }
}

NodeId CallBodies::literal(std::string text) { return builder_.add_terminal(make_literal(std::move(text))); }

NodeId CallBodies::punctuation(const char* text, Around around) {
  return builder_.add_terminal(make_punctuation(text, around, builder_.max_white_space()));
}

NodeId CallBodies::white_space() { return punctuation("", Around::behind); }

NodeId CallBodies::marker(std::string_view text) {
  return builder_.add_terminal(make_markup(markup_of(text, vocabulary_), 0));
}

// The names are one lexeme, which tells what follows: many tools are one place to be in.
NodeId CallBodies::named(const std::function<std::string(const std::string&)>& written,
                         NodeId (CallBodies::*rest)(std::size_t tool)) {
  std::vector<std::string> names;
  std::vector<Branch> branches;
  for (std::size_t tool = 0; tool < tools_.size(); ++tool) {
    names.push_back(written(tools_[tool].name));
    branches.push_back({(this->*rest)(tool), Then::over});
  }
  return builder_.add_dispatch(make_literals(names), std::move(branches));
}

NodeId CallBodies::list_of(NodeId item, std::uint32_t max) {
  Grammar::Array list;
  list.items = item;
  list.min = 1;
  list.max = max;
  return builder_.add_array(std::move(list));
}

NodeId CallBodies::body(std::uint32_t max_in_list) {
  std::vector<NodeId> nodes;
  for (const CallBody body : bodies_) {
    switch (body) {
      case CallBody::json:
        nodes.push_back(json_body());
        break;
      case CallBody::json_list:
        nodes.push_back(list_of(json_body(), max_in_list));
        break;
      case CallBody::named:
        nodes.push_back(builder_.add_sequence({marker(format_.before_name), named_rest()}));
        break;
      case CallBody::python_list:
        nodes.push_back(list_of(python_call(), max_in_list));
        break;
      case CallBody::python_lines:
        nodes.push_back(python_call());
        break;
    }
  }
  return builder_.add_choice(std::move(nodes));
}

// With the comma that divides it from its neighbour.
NodeId CallBodies::optional_member(const ExtraMember& member, bool is_behind) {
  const NodeId key = literal(SchemaScalars::quoted(member.key));
  const NodeId colon = punctuation(":", Around::both);
  const NodeId value = add_pattern(builder_, member.value);
  const NodeId comma = punctuation(",", Around::both);
  std::vector<NodeId> nodes{key, colon, value};
  nodes.insert(is_behind ? nodes.begin() : nodes.end(), comma);
  return builder_.add_choice({builder_.add_sequence({}), builder_.add_sequence(std::move(nodes))});
}

NodeId CallBodies::json_body() {
  std::vector<NodeId> nodes{punctuation("{", Around::behind)};
  for (const ExtraMember& member : format_.json.before) nodes.push_back(optional_member(member, false));
  nodes.push_back(literal(SchemaScalars::quoted(format_.json.name_key)));
  nodes.push_back(punctuation(":", Around::both));
  nodes.push_back(named(SchemaScalars::quoted, &CallBodies::rest_of_json_body));
  return builder_.add_sequence(std::move(nodes));
}

// Behind {"name": "NAME".
NodeId CallBodies::rest_of_json_body(std::size_t tool) {
  std::vector<std::string> keys;
  for (const std::string& key : format_.json.argument_keys) keys.push_back(SchemaScalars::quoted(key));
  std::vector<NodeId> nodes{punctuation(",", Around::both), builder_.add_terminal(make_literals(keys)),
                            punctuation(":", Around::both), json_arguments_[tool]};
  for (const ExtraMember& member : format_.json.behind) nodes.push_back(optional_member(member, true));
  nodes.push_back(punctuation("}", Around::before));
  return builder_.add_sequence(std::move(nodes));
}

NodeId CallBodies::python_call() {
  return named([](const std::string& name) { return name + "("; }, &CallBodies::rest_of_python_call);
}

// Behind NAME(.
NodeId CallBodies::rest_of_python_call(std::size_t tool) {
  return builder_.add_sequence({white_space(), python_arguments_[tool], punctuation(")", Around::before)});
}

NodeId CallBodies::behind_name() {
  if (behind_name_) return *behind_name_;
  std::vector<NodeId> ends{marker(format_.behind_name)};
  for (const std::string& other : format_.behind_names) ends.push_back(marker(other));
  const NodeId end = builder_.add_choice(std::move(ends));
  behind_name_ = end;
  if (format_.counts_calls) {
    behind_name_ = builder_.add_sequence({add_pattern(builder_, ":(?:0|[1-9][0-9]{0,3})"), end});
  } else if (!format_.before_id.empty()) {
    const NodeId id =
        builder_.add_sequence({marker(format_.before_id), add_pattern(builder_, "[A-Za-z0-9]{9}"), end});
    behind_name_ = builder_.add_choice({end, id});
  }
  return *behind_name_;
}

NodeId CallBodies::behind_named(std::size_t tool) {
  const NodeId arguments = own_notation_ ? own_arguments_[tool] : json_arguments_[tool];
  return builder_.add_sequence(
      {behind_name(), white_space(), arguments, white_space(), marker(format_.behind_arguments)});
}

NodeId CallBodies::named_rest() {
  return named([](const std::string& name) { return name; }, &CallBodies::behind_named);
}

std::vector<CallBodies::Opening> CallBodies::named_openings(std::string_view before) {
  std::vector<Opening> openings;
  if (!has_body(CallBody::named)) return openings;
  // What tells a name from a longer one belongs to the marker.
  const std::string next = format_.counts_calls ? ":" : format_.behind_name;
  for (std::size_t tool = 0; tool < tools_.size(); ++tool) {
    const NodeId arguments = own_notation_ ? own_arguments_[tool] : json_arguments_[tool];
    std::vector<NodeId> rest{white_space(), arguments, white_space(), marker(format_.behind_arguments)};
    if (format_.counts_calls) {
      rest.insert(rest.begin(),
                  {add_pattern(builder_, "(?:0|[1-9][0-9]{0,3})"), marker(format_.behind_name)});
    }
    openings.push_back(
        {std::string(before) + tools_[tool].name + next, builder_.add_sequence(std::move(rest))});
  }
  return openings;
}

std::vector<CallBodies::Opening> CallBodies::json_openings() {
  std::vector<Opening> openings;
  for (std::size_t tool = 0; tool < tools_.size(); ++tool) {
    const NodeId rest = rest_of_json_body(tool);
    for (const char* opening : kNameOpenings) {
      openings.push_back({opening + SchemaScalars::quoted(tools_[tool].name), rest});
    }
  }
  return openings;
}

std::vector<CallBodies::Opening> CallBodies::python_openings() {
  std::vector<Opening> openings;
  if (!has_body(CallBody::python_list)) return openings;
  const NodeId more = builder_.reserve();  // behind a call: the end, or another one
  const NodeId call = python_call();
  builder_.fill(more, {punctuation("]", Around::before),
                       builder_.add_sequence({punctuation(",", Around::both), call, more})});
  for (std::size_t tool = 0; tool < tools_.size(); ++tool) {
    const NodeId rest = builder_.add_sequence({rest_of_python_call(tool), more});
    openings.push_back({"[" + tools_[tool].name + "(", rest});
  }
  return openings;
}

}  // namespace parley::inference::grammar
