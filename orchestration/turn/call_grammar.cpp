#include "orchestration/turn/call_grammar.h"

#include <algorithm>
#include <span>
#include <utility>
#include <variant>

#include "inference/json/json_writer.h"
#include "orchestration/tools/sha256.h"
#include "orchestration/turn/call_writing.h"

namespace parley::orchestration::turn {
namespace {

namespace grammar = inference::grammar;
using calls::CallFormat;
using calls::Encoding;
using inference::json::JsonObject;
using inference::json::JsonValue;

// In a row. A small model that would rather write prose writes white space for as long as it may.
constexpr std::uint32_t kMaxDemandedSpace = 1;

const JsonValue& any_object() {
  static const JsonValue kSchema{{"type", "object"}, {"additionalProperties", true}};
  return kSchema;
}

// The tools with the schemas that are enforced.
class Schemas {
 public:
  explicit Schemas(const ToolOffer& offer) {
    for (const auto& tool : offer.tools) {
      const tools::ToolSpec& spec = tool->spec();
      if (offer.choice == ToolChoice::named && spec.name != offer.named) continue;
      const bool is_enforced = spec.strict || is_demanded(offer);
      has_enforced_ = has_enforced_ || is_enforced;
      names_.push_back(spec.name);
      schemas_.push_back(is_enforced ? JsonValue(spec.parameters) : any_object());
    }
  }

  bool has_enforced() const { return has_enforced_; }

  // Borrows from this.
  std::vector<grammar::OfferedTool> offered() const {
    std::vector<grammar::OfferedTool> tools;
    for (std::size_t i = 0; i < names_.size(); ++i) tools.push_back({names_[i], &schemas_[i]});
    return tools;
  }

  // A tool with which no grammar can be made may have any arguments; says which those are, and why.
  std::vector<std::string> drop_unenforceable(const grammar::ToolCallOptions& options,
                                              const grammar::VocabularyIndex& vocabulary) {
    std::vector<std::string> dropped;
    const std::vector<grammar::OfferedTool> tools = offered();
    for (std::size_t i = 0; i < tools.size(); ++i) {
      const auto made = grammar::make_tool_call_grammar(std::span(&tools[i], 1), options, vocabulary);
      const auto* error = std::get_if<grammar::GrammarError>(&made);
      if (error == nullptr) continue;
      schemas_[i] = any_object();
      dropped.push_back(names_[i] + ": no argument is enforced. " + error->message);
    }
    return dropped;
  }

 private:
  std::vector<std::string> names_;
  std::vector<JsonValue> schemas_;
  bool has_enforced_ = false;
};

grammar::ToolCallOptions options_of(const ToolOffer& offer, const CallReading& reading,
                                    calls::ReasoningStart start) {
  grammar::ToolCallOptions options;
  options.start = is_demanded(offer) ? grammar::CallStart::at_once : grammar::CallStart::at_marker;
  options.format = written_format(*reading.format);
  options.reasoning = written_reasoning(reading, start, options.start);
  options.json_opens = reading.detection == calls::CallDetection::lenient;
  if (!is_demanded(offer)) return options;
  options.schema.max_white_space = kMaxDemandedSpace;
  const bool is_one = offer.choice == ToolChoice::named || !offer.parallel;
  options.max_calls = is_one ? 1 : max_written_calls(*reading.format, std::max(1, offer.max_calls));
  options.ends = call_ends(*reading.format);
  return options;
}

// A tool whose call cannot be written would be left out without a word, and the model driven to another one.
bool may_lack_a_tool(const std::variant<grammar::SchemaGrammar, grammar::GrammarError>& made) {
  const auto* compiled = std::get_if<grammar::SchemaGrammar>(&made);
  return compiled == nullptr ||
         std::any_of(compiled->unchecked.begin(), compiled->unchecked.end(),
                     [](const auto& unchecked) { return unchecked.keyword == grammar::kUnwritableName; });
}

std::string sentence_of(const grammar::UncheckedKeyword& unchecked) {
  return unchecked.place + ": " + (unchecked.keyword.empty() ? "it" : unchecked.keyword) + " " +
         unchecked.reason;
}

}  // namespace

bool is_demanded(const ToolOffer& offer) {
  return offer.choice == ToolChoice::required || offer.choice == ToolChoice::named;
}

CallGrammar make_call_grammar(const ToolOffer& offer, const CallReading& reading, calls::ReasoningStart start,
                              const grammar::VocabularyIndex& vocabulary) {
  const grammar::ToolCallOptions options = options_of(offer, reading, start);
  Schemas schemas(offer);
  CallGrammar result;
  if (!is_demanded(offer) && !schemas.has_enforced()) return result;
  auto made = grammar::make_tool_call_grammar(schemas.offered(), options, vocabulary);
  if (may_lack_a_tool(made)) {
    result.unenforced = schemas.drop_unenforceable(options, vocabulary);
    made = grammar::make_tool_call_grammar(schemas.offered(), options, vocabulary);
  }
  if (const auto* error = std::get_if<grammar::GrammarError>(&made)) {
    result.unenforced.push_back("Nothing is enforced. " + error->message);
    return result;
  }
  auto& compiled = std::get<grammar::SchemaGrammar>(made);
  result.grammar = std::move(compiled.grammar);
  for (const grammar::UncheckedKeyword& unchecked : compiled.unchecked) {
    result.unenforced.push_back(sentence_of(unchecked));
  }
  return result;
}

std::vector<std::string> call_openings(const CallFormat& format) {
  std::vector<std::string> openings = {"{\"",    "{{",     "{ \"",         "{\n",        "[{",
                                       "[ {",    "[\n",    "```json\n{",   "```json\n[", "```json {",
                                       "```\n{", "```\n[", "```tool_call", "<tools>",    "<tool_call>"};
  if (format.encoding == Encoding::channels) return openings;
  openings.insert(openings.end(), format.call_open.begin(), format.call_open.end());
  openings.insert(openings.end(), format.section_open.begin(), format.section_open.end());
  return openings;
}

std::vector<std::string> call_markers(const CallFormat& format) {
  if (format.encoding == Encoding::channels) return {"to=functions."};  // its markers begin prose as well
  std::vector<std::string> markers;
  for (const calls::Markers* some : {&format.section_open, &format.call_open}) {
    markers.insert(markers.end(), some->begin(), some->end());
  }
  // A plain word ("functools"), or the prompt of a shell (">>>"), stands in other text too.
  std::erase_if(markers, [](const std::string& marker) { return marker.find_first_of("<[") == marker.npos; });
  return markers;
}

std::string call_grammar_key(const ToolOffer& offer, const CallReading& reading,
                             calls::ReasoningStart start) {
  JsonObject key{{"format", reading.format->name},
                 {"detection", static_cast<int>(reading.detection)},
                 {"reasoning", static_cast<int>(reading.reasoning)},
                 {"start", static_cast<int>(start)},
                 {"choice", static_cast<int>(offer.choice)},
                 {"named", offer.named},
                 {"parallel", offer.parallel},
                 {"max_calls", offer.max_calls}};
  inference::json::JsonArray listed;
  for (const auto& tool : offer.tools) {
    const tools::ToolSpec& spec = tool->spec();
    listed.push_back(JsonObject{{"name", spec.name}, {"strict", spec.strict}, {"schema", spec.parameters}});
  }
  key["tools"] = std::move(listed);
  return tools::sha256_hex(inference::json::to_json_text(key));
}

}  // namespace parley::orchestration::turn
