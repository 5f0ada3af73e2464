// parley index search: passages that fit a question, best first.

#include <iomanip>
#include <iostream>

#include "app/cli/index_commands.h"
#include "app/cli/options.h"
#include "app/config/load_config.h"
#include "inference/json/fields.h"
#include "inference/json/json_writer.h"
#include "orchestration/tools/clean_output.h"

namespace parley::app::cli {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::text_field;

constexpr std::size_t kExcerptBytes = 600;

std::string visible(const std::string& text) { return orchestration::tools::without_controls(text); }

std::string excerpt(std::string text, bool whole) {
  text = visible(text);
  if (!whole && text.size() > kExcerptBytes) {
    std::size_t end = text.rfind(' ', kExcerptBytes);
    if (end == std::string::npos || end == 0) end = kExcerptBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    text.resize(end);
    text += " …";
  }
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 4)
    text.replace(at, 1, "\n   ");
  return text;
}

std::string heading_path(const JsonObject& passage) {
  std::string path;
  if (const JsonArray* headings = inference::json::array_field(passage, "headings")) {
    for (const auto& heading : *headings) {
      path += (path.empty() ? "" : " > ") + visible(std::string(heading.as_string()));
    }
  }
  return path;
}

void print_passage(std::size_t number, const JsonObject& passage, bool whole) {
  std::cout << number << ". " << visible(text_field(passage, "collection")) << "/"
            << visible(text_field(passage, "source")) << ", " << visible(text_field(passage, "place"))
            << "  (" << std::fixed << std::setprecision(2)
            << inference::json::number_field(passage, "score").value_or(0) << ")\n";
  const std::string headings = heading_path(passage);
  if (!headings.empty()) std::cout << "   " << headings << "\n";
  std::cout << "\n   " << excerpt(text_field(passage, "text"), whole) << "\n\n";
}

}  // namespace

int run_index_search(const Arguments& arguments) {
  Options options("index search QUESTION [--in NAME] [--limit N] [--whole] [--data DIR] [--json]",
                  "Prints the passages that fit a question, best first.");
  options.allow_positional("question");
  options.add_value("question", "TEXT", "what to look for");
  options.add_value("in", "NAME", "only in this collection; may be repeated");
  options.add_value("limit", "N", "passages (10)");
  options.add_flag("whole", "passages whole, not their beginnings");
  options.add_value("data", "DIR", "data folder");
  options.add_flag("json", "the answer as JSON, with the scores of each way of searching");
  if (!options.parse(arguments)) return 0;
  const auto environment = config::process_environment();
  IndexAccess index(options.text("data").value_or(config::default_data_dir(environment).string()),
                    IndexAccess::Use::search);
  JsonObject request{{"command", "search"}, {"question", options.required("question")}};
  request["limit"] = options.integer("limit", 10, 1, 100);
  JsonArray collections;
  for (const auto& name : options.texts("in")) collections.emplace_back(name);
  request["collections"] = std::move(collections);
  const JsonObject answer = index.ask(request);
  if (options.has("json")) {
    std::cout << inference::json::to_json_text(answer) << "\n";
    return 0;
  }
  const JsonArray& passages = answer.at("passages").as_array();
  for (std::size_t i = 0; i < passages.size(); ++i)
    print_passage(i + 1, passages[i].as_object(), options.has("whole"));
  if (passages.empty()) std::cerr << "nothing was found\n";
  const std::string note = text_field(answer, "note");
  if (!note.empty()) std::cerr << note << "\n";
  return 0;
}

}  // namespace parley::app::cli
