// parley tokenize: text to token ids, or back.

#include <algorithm>
#include <charconv>
#include <iostream>
#include <string_view>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "app/cli/command.h"
#include "app/cli/options.h"
#include "app/cli/read_input.h"
#include "app/models/catalogue.h"
#include "inference/formats/gguf.h"
#include "inference/text/utf8_repair.h"
#include "inference/tokenizer/tokenizer.h"

namespace parley::app::cli {
namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kBetweenIds = " \t\r\n,";
constexpr std::size_t kMaxShown = 40;  // bytes of a wrong word

using inference::tokenizer::TokenId;
using inference::tokenizer::Tokenizer;

// The list inside what --json prints, or the whole text.
std::string_view list_of_ids(std::string_view text) {
  const auto trim = [&text](std::string_view first, std::string_view last) {
    const auto begin = text.find_first_not_of(kSpace);
    const auto end = text.find_last_not_of(kSpace);
    if (begin == std::string_view::npos) return;
    std::string_view inner = text.substr(begin, end + 1 - begin);
    if (!inner.starts_with(first) || !inner.ends_with(last)) return;
    text = inner.substr(first.size(), inner.size() - first.size() - last.size());
  };
  trim("{\"ids\":", "}");
  trim("[", "]");
  return text;
}

// Ids with spaces or commas between them, or the JSON that --json prints.
std::vector<TokenId> parse_ids(std::string_view text, int vocab_size) {
  text = list_of_ids(text);
  std::vector<TokenId> ids;
  for (std::size_t at = 0; (at = text.find_first_not_of(kBetweenIds, at)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBetweenIds, at), text.size());
    const std::string_view word = text.substr(at, end - at);
    TokenId id = 0;
    const auto [next, error] = std::from_chars(word.data(), word.data() + word.size(), id);
    if (error != std::errc{} || next != word.data() + word.size() || id < 0 || id >= vocab_size) {
      throw UsageError("token ids go from 0 to " + std::to_string(vocab_size - 1) + "; the input has \"" +
                       std::string(word.substr(0, kMaxShown)) + "\"");
    }
    ids.push_back(id);
    at = end;
  }
  return ids;
}

void print_text(const std::string& text, bool as_json) {
  if (!as_json) {
    std::cout << text;
    return;
  }
  std::string valid;
  inference::text::Utf8Repair repair;
  repair.push(text, valid);
  repair.finish(valid);
  boost::json::object object;
  object["text"] = valid;
  std::cout << boost::json::serialize(object) << "\n";
}

void print_ids(const std::vector<TokenId>& ids, bool as_json) {
  if (as_json) std::cout << "{\"ids\":[";
  for (std::size_t i = 0; i < ids.size(); ++i) std::cout << (i == 0 ? "" : as_json ? "," : " ") << ids[i];
  std::cout << (as_json ? "]}\n" : "\n");
}

}  // namespace

int run_tokenize(const Arguments& arguments) {
  Options options("tokenize --model M [--special] [--decode] [--json] < TEXT",
                  "Turns text on standard input into token ids, or ids into text.");
  options.add_value("model", "NAME|FILE", "model of the catalogue, or a GGUF file");
  options.add_flag("special", "names of special tokens in the text count as such; with --decode, print them");
  options.add_flag("decode", "ids to text");
  options.add_flag("json", "print {\"ids\":[…]}, with --decode {\"text\":…}");
  if (!options.parse(arguments)) return 0;

  const auto choice = models::find_model(options.text("model").value_or(""), config::process_environment());
  const auto file = inference::formats::open_gguf(choice.file);
  const auto tokenizer = inference::tokenizer::make_tokenizer(*file);
  const std::string input = read_input("-");
  if (options.has("decode")) {
    const std::vector<TokenId> ids = parse_ids(input, tokenizer->vocab_size());
    print_text(tokenizer->decode(ids, options.has("special")), options.has("json"));
    return 0;
  }
  const inference::tokenizer::TrustedRange all{0, input.size()};
  print_ids(options.has("special") ? tokenizer->encode(input, {&all, 1}) : tokenizer->encode(input),
            options.has("json"));
  return 0;
}

}  // namespace parley::app::cli
