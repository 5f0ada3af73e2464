// parley index add, list, status, rescan, pause, resume, remove.

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

void add_common(Options& options) {
  options.add_value("data", "DIR", "data folder");
  options.add_flag("json", "the answer as JSON");
}

std::filesystem::path data_dir(const Options& options) {
  const auto environment = config::process_environment();
  return options.text("data").value_or(config::default_data_dir(environment).string());
}

JsonArray as_array(const std::vector<std::string>& texts) {
  JsonArray array;
  for (const auto& text : texts) array.emplace_back(text);
  return array;
}

void print_collections(const JsonObject& answer, bool as_json) {
  if (as_json) {
    std::cout << inference::json::to_json_text(answer) << "\n";
    return;
  }
  const JsonArray* collections = inference::json::array_field(answer, "collections");
  if (collections == nullptr || collections->empty()) {
    std::cerr << "nothing is indexed; begin with: parley index add FOLDER\n";
    return;
  }
  for (const auto& collection : *collections) std::cout << collection_text(collection.as_object()) << "\n";
}

// What became of it, for whoever waited.
int finish(IndexAccess& index, const std::string& name, const Options& options) {
  if (!options.has("background") && !wait_for_collection(index, name)) {
    std::cerr << "stopped; what was read is kept, and "
              << (index.is_served() ? "the server goes on" : "parley index rescan " + name + " goes on")
              << "\n";
    return 130;
  }
  print_collections(index.ask({{"command", "list"}, {"name", name}}), options.has("json"));
  return 0;
}

// One collection by name, one command.
int change(const Arguments& arguments, const std::string& command, const std::string& about) {
  Options options("index " + command + " NAME [--data DIR] [--json]", about);
  options.allow_positional("name");
  options.add_value("name", "NAME", "of the collection");
  add_common(options);
  if (!options.parse(arguments)) return 0;
  IndexAccess index(data_dir(options), IndexAccess::Use::look);
  const JsonObject answer = index.ask({{"command", command}, {"name", options.required("name")}});
  if (options.has("json")) {
    std::cout << inference::json::to_json_text(answer) << "\n";
  } else if (const auto* collection = inference::json::object_field(answer, "collection")) {
    std::cout << collection_text(*collection) << "\n";
  } else {
    std::cout << options.required("name") << " is no longer indexed; its files are untouched\n";
  }
  return 0;
}

void print_failed_files(const JsonObject& answer) {
  const JsonArray* files = inference::json::array_field(answer, "files");
  if (files == nullptr) return;
  for (const auto& entry : *files) {
    const JsonObject& file = entry.as_object();
    std::cout << "  " << inference::json::text_view(file, "state") << ": "
              << orchestration::tools::without_controls(inference::json::text_view(file, "file")) << ": "
              << orchestration::tools::without_controls(inference::json::text_view(file, "reason")) << "\n";
  }
}

}  // namespace

int run_index_add(const Arguments& arguments) {
  Options options("index add FOLDER [--name NAME] [--include GLOB] [--exclude GLOB] [--background]",
                  "Makes a folder searchable, and waits until it is.");
  options.allow_positional("folder");
  options.add_value("folder", "FOLDER", "what to index, with everything below it");
  options.add_value("name", "NAME", "of the collection (the folder's own name)");
  options.add_value("include", "GLOB", "only files like this; may be repeated");
  options.add_value("exclude", "GLOB", "no files like this; may be repeated");
  options.add_flag("background", "do not wait; needs a server that runs");
  add_common(options);
  if (!options.parse(arguments)) return 0;
  hold_signals();
  IndexAccess index(data_dir(options), IndexAccess::Use::index);
  if (options.has("background") && !index.is_served()) {
    throw UsageError(
        "--background leaves the work to a server, and none runs; leave it out, or start parley serve");
  }
  JsonObject request{{"command", "add"},
                     {"folder", std::filesystem::absolute(options.required("folder")).string()}};
  if (const auto name = options.text("name")) request["name"] = *name;
  request["include"] = as_array(options.texts("include"));
  request["exclude"] = as_array(options.texts("exclude"));
  const JsonObject answer = index.ask(request);
  return finish(index, inference::json::text_field(answer.at("collection").as_object(), "name"), options);
}

int run_index_list(const Arguments& arguments) {
  Options options("index list [--data DIR] [--json]", "Lists the collections.");
  add_common(options);
  if (!options.parse(arguments)) return 0;
  IndexAccess index(data_dir(options), IndexAccess::Use::look);
  print_collections(index.ask({{"command", "list"}}), options.has("json"));
  return 0;
}

int run_index_status(const Arguments& arguments) {
  Options options("index status NAME [--data DIR] [--json]",
                  "Shows a collection, and which of its files could not be read and why.");
  options.allow_positional("name");
  options.add_value("name", "NAME", "of the collection");
  add_common(options);
  if (!options.parse(arguments)) return 0;
  IndexAccess index(data_dir(options), IndexAccess::Use::look);
  const std::string name = options.required("name");
  JsonObject answer = index.ask({{"command", "list"}, {"name", name}});
  const JsonObject files = index.ask({{"command", "files"}, {"name", name}});
  if (options.has("json")) answer["files"] = files.at("files");
  print_collections(answer, options.has("json"));
  if (!options.has("json")) print_failed_files(files);
  return 0;
}

int run_index_rescan(const Arguments& arguments) {
  Options options("index rescan NAME [--remove-missing] [--background] [--data DIR] [--json]",
                  "Looks through a folder again and reads what is new or changed.");
  options.allow_positional("name");
  options.add_value("name", "NAME", "of the collection");
  options.add_flag("remove-missing", "also where very many files are gone, which is asked for otherwise");
  options.add_flag("background", "do not wait; needs a server that runs");
  add_common(options);
  if (!options.parse(arguments)) return 0;
  hold_signals();
  IndexAccess index(data_dir(options), IndexAccess::Use::index);
  const std::string name = options.required("name");
  index.ask({{"command", "rescan"}, {"name", name}, {"remove_missing", options.has("remove-missing")}});
  return finish(index, name, options);
}

int run_index_pause(const Arguments& arguments) {
  return change(arguments, "pause",
                "Leaves a collection as it is: it goes on answering, changes are not followed.");
}

int run_index_resume(const Arguments& arguments) {
  return change(arguments, "resume", "Follows the changes of a paused collection again.");
}

int run_index_remove(const Arguments& arguments) {
  return change(arguments, "remove",
                "Forgets what was indexed of a folder. The folder's files are not touched.");
}

}  // namespace parley::app::cli
