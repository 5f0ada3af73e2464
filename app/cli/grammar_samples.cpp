#include "app/cli/grammar_samples.h"

#include <string>
#include <variant>

namespace parley::app::cli {
namespace {

using inference::json::JsonValue;

constexpr GrammarSample kSamples[] = {
    {"flat object",
     R"({"type":"object","properties":{"city":{"type":"string"},"country":{"type":"string","maxLength":60},
         "days":{"type":"integer","minimum":1,"maximum":14},"hourly":{"type":"boolean"},"altitude":{"type":"number"}},
         "required":["city"],"additionalProperties":false})",
     R"({"city": "São Paulo", "country": "Brazil", "days": 7, "hourly": true, "altitude": 760.5})"},
    {"nested objects",
     R"({"type":"object","properties":{"order":{"type":"object","properties":{"id":{"type":"integer"},"customer":{
         "type":"object","properties":{"name":{"type":"string"},"address":{"type":"object","properties":{
         "street":{"type":"string"},"zip":{"type":"string"},"location":{"type":"object","properties":{
         "lat":{"type":"number"},"lon":{"type":"number"}},"required":["lat","lon"]}},"required":["street"]}},
         "required":["name"]},"note":{"type":["string","null"]}},"required":["id","customer"]}},"required":["order"]})",
     R"({"order": {"id": 10482, "customer": {"name": "Ada Lovelace", "address": {"street": "12 St James's Square",
  "zip": "SW1Y 4JH", "location": {"lat": 51.5074, "lon": -0.1357}}}, "note": null}})"},
    {"enumerations",
     R"({"type":"object","properties":{"unit":{"enum":["celsius","fahrenheit","kelvin"]},"status":{"enum":["open",
         "in progress","done","won't fix",null]},"priority":{"type":"integer","enum":[1,2,3,5,8]},"kind":{"const":
         "report"},"labels":{"type":"array","items":{"enum":["bug","feature","documentation","question"]}}},
         "required":["unit","status","kind"],"additionalProperties":false})",
     R"({"status": "in progress", "unit": "fahrenheit", "kind": "report", "priority": 5, "labels": ["bug", "documentation"]})"},
    {"patterns and formats",
     R"({"type":"object","properties":{"slug":{"type":"string","pattern":"^[a-z0-9]+(-[a-z0-9]+)*$"},"version":{
         "type":"string","pattern":"^\\d+\\.\\d+\\.\\d+$"},"identifier":{"type":"string",
         "pattern":"^[A-Za-z_][A-Za-z0-9_]{0,63}$"},"code":{"type":"string","pattern":"^[A-Z]{2}-[0-9]{4}$"},
         "email":{"type":"string","format":"email"},"url":{"type":"string","format":"uri"},"at":{"type":"string",
         "format":"date-time"},"uuid":{"type":"string","format":"uuid"},"title":{"type":"string","pattern":"\\S"}},
         "required":["slug","version"]})",
     R"({"slug": "constrained-decoding-made-fast", "version": "12.4.1", "identifier": "max_new_tokens", "code": "AB-1234", "email": "ada.lovelace@example.org", "url": "https://example.org/papers/2024?page=2#top", "at": "2024-02-29T12:30:00Z", "uuid": "123e4567-e89b-12d3-a456-426614174000", "title": "On the Analytical Engine"})"},
    {"array of objects",
     R"({"type":"object","properties":{"people":{"type":"array","minItems":1,"items":{"type":"object","properties":{
         "name":{"type":"string","minLength":1},"born":{"type":"string","format":"date"},"tags":{"type":"array",
         "items":{"type":"string"}},"score":{"type":"number","minimum":0,"maximum":100},"active":{"type":["boolean",
         "null"]}},"required":["name"],"additionalProperties":false}}},"required":["people"]})",
     R"({"people": [{"name": "Ada Lovelace", "born": "1815-12-10", "tags": ["mathematics", "poetry"], "score": 99.5, "active": null}, {"tags": [], "name": "Alan Turing", "active": true}, {"name": "Grace Hopper", "score": 97}]})"},
    {"free-form object", R"({"type":"object"})",
     R"({"a": {"b": [1, 2.5e3, {"c": "text with \u00e9scapes and \"quotes\""}], "d": [[[], {}], "x"]}, "e": false, "settings": {"theme": "dark", "sizes": [10, 12, 14]}})"},
    {"long text",
     R"({"type":"object","properties":{"path":{"type":"string","minLength":1,"maxLength":200},"content":{
         "type":"string"},"summary":{"type":"string","maxLength":280}},"required":["path","content"]})",
     R"({"path": "src/main/java/com/example/App.java", "content": "public class App {\n  public static void main(String[] args) {\n    System.out.println(\"Hello, 世界!\");\n  }\n}\n", "summary": "A program that greets the world, written in the way of every first lesson; it prints one line and ends."})"},
};

std::string parameters_text(std::size_t index) {
  const std::string n = std::to_string(index);
  return R"({"type":"object","properties":{"query)" + n +
         R"(":{"type":"string","description":"What to look for"},
      "limit":{"type":"integer","minimum":1,"maximum":)" +
         std::to_string(50 + index) + R"(},"kind":{"enum":["a)" + n +
         R"(","b","c"]},"tags":{"type":"array","items":{"type":"string"}},"range":{"type":"object","properties":{
      "from":{"type":"string","format":"date"},"to":{"type":"string"}}}},"required":["query)" +
         n + R"("]})";
}

}  // namespace

std::span<const GrammarSample> grammar_samples() { return kSamples; }

std::vector<JsonValue> sample_parameters(std::size_t num_tools) {
  std::vector<JsonValue> parameters;
  for (std::size_t i = 0; i < num_tools; ++i) {
    const std::string text = parameters_text(i);
    parameters.push_back(
        std::get<JsonValue>(inference::json::parse_json(text, {.max_bytes = text.size() + 1})));
  }
  return parameters;
}

const char* sample_call() {
  return "I will look that up.\n<tool_call>\n{\"name\": \"tool_0\", \"arguments\": {\"query0\": \"the height "
         "of the "
         "Matterhorn\", \"limit\": 3, \"tags\": [\"alps\", \"mountains\"], \"range\": {\"from\": "
         "\"2024-01-31\"}}}\n"
         "</tool_call>";
}

}  // namespace parley::app::cli
