#include "orchestration/turn/call_grammar.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "inference/json/json_writer.h"
#include "orchestration/tools/sha256.h"

namespace parley::orchestration::turn {
namespace {

namespace grammar = inference::grammar;
using calls::CallFormat;
using calls::Encoding;
using inference::json::JsonObject;
using inference::json::JsonValue;

// In a row. A small model that would rather write prose writes white space for as long as it may.
constexpr std::uint32_t kMaxDemandedSpace = 1;

std::string usual(const calls::Markers& markers) { return markers.empty() ? std::string() : markers.front(); }

// A name behind markers, then the arguments. Kimi counts its calls in the name, DeepSeek V3 writes a word
// before it, and Functionary's prompt has begun the call: a grammar of markers cannot say that.
std::optional<grammar::CallFormat> named_call(const CallFormat& format) {
  const bool is_plain = format.id_rule != calls::IdRule::functions_and_count && !format.starts_in_call &&
                        format.name != "deepseek-v3";
  if (!is_plain) return std::nullopt;
  grammar::CallFormat written;
  written.open = usual(format.section_open);
  written.close = usual(format.section_close);
  written.before_name = usual(format.call_open);
  written.behind_name = usual(format.name_end);
  written.behind_arguments = usual(format.call_close);
  return written;
}

grammar::CallFormat bare_json() {
  grammar::CallFormat written;
  written.open.clear();
  written.close.clear();
  return written;
}

// As the whole answer.
grammar::CallFormat written_at_once(const CallFormat& format) {
  if (format.encoding == Encoding::name_then_json || format.encoding == Encoding::tag_then_json) {
    return named_call(format).value_or(bare_json());
  }
  grammar::CallFormat written = bare_json();
  if (format.encoding == Encoding::channels) {
    written.open = usual(format.call_open);
    written.before_name = "commentary to=functions.";
    written.behind_name = usual(format.name_end);
  } else if (format.encoding == Encoding::json_object && format.section_open.empty() && !format.bare_json) {
    written.open = usual(format.call_open);
    written.close = usual(format.call_close);
  }
  return written;
}

// In prose: what wakes it must stand before calls only.
std::optional<grammar::CallFormat> written_in_prose(const CallFormat& format) {
  if (format.encoding == Encoding::name_then_json && !format.section_open.empty()) return named_call(format);
  if (format.encoding != Encoding::json_object || !format.section_open.empty()) return std::nullopt;
  grammar::CallFormat written;
  written.open = usual(format.call_open);
  written.close = usual(format.call_close);
  return written;
}

grammar::ReasoningFormat reasoning_of(const CallReading& reading, calls::ReasoningStart start) {
  grammar::ReasoningFormat reasoning;
  const bool is_over = start == calls::ReasoningStart::closed;
  const CallFormat& format = *reading.format;
  if (reading.reasoning == Reasoning::never || is_over || format.reasoning_close.empty()) return reasoning;
  reasoning.open = usual(format.reasoning_open);
  reasoning.close = usual(format.reasoning_close);
  if (start != calls::ReasoningStart::model_opens) {
    reasoning.begin = grammar::ReasoningFormat::Begin::inside;
  }
  return reasoning;
}

const JsonValue& any_object() {
  static const JsonValue kSchema{{"type", "object"}, {"additionalProperties", true}};
  return kSchema;
}

// The tools with the schemas that can be enforced.
class Schemas {
 public:
  Schemas(const ToolOffer& offer, const grammar::SchemaOptions& options) : options_(options) {
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

  void drop_unenforceable() {
    for (JsonValue& schema : schemas_) {
      const auto made = grammar::compile_schema(schema, options_);
      if (std::holds_alternative<grammar::GrammarError>(made)) schema = any_object();
    }
  }

 private:
  grammar::SchemaOptions options_;
  std::vector<std::string> names_;
  std::vector<JsonValue> schemas_;
  bool has_enforced_ = false;
};

}  // namespace

bool is_demanded(const ToolOffer& offer) {
  return offer.choice == ToolChoice::required || offer.choice == ToolChoice::named;
}

std::shared_ptr<const grammar::Grammar> make_call_grammar(const ToolOffer& offer, const CallReading& reading,
                                                          calls::ReasoningStart start,
                                                          const grammar::VocabularyIndex& vocabulary) {
  grammar::ToolCallOptions options;
  Schemas schemas(offer, options.schema);
  options.reasoning = reasoning_of(reading, start);
  if (is_demanded(offer)) {
    options.start = grammar::CallStart::at_once;
    options.schema.max_white_space = kMaxDemandedSpace;
    options.format = written_at_once(*reading.format);
    const bool is_one = offer.choice == ToolChoice::named || !offer.parallel;
    options.max_calls = is_one ? 1 : std::max(1, offer.max_calls);
  } else {
    const auto written = written_in_prose(*reading.format);
    if (!written || !schemas.has_enforced()) return nullptr;
    options.format = *written;
  }
  auto made = grammar::make_tool_call_grammar(schemas.offered(), options, vocabulary);
  if (std::holds_alternative<grammar::GrammarError>(made)) {
    schemas.drop_unenforceable();
    made = grammar::make_tool_call_grammar(schemas.offered(), options, vocabulary);
  }
  auto* compiled = std::get_if<grammar::SchemaGrammar>(&made);
  return compiled == nullptr ? nullptr : std::move(compiled->grammar);
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
