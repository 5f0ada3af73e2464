// parley tokenize: text to token ids, or back.

#include <charconv>
#include <iostream>

#include "app/cli/command.h"
#include "app/cli/options.h"
#include "app/cli/read_input.h"
#include "app/models/catalogue.h"
#include "inference/formats/gguf.h"
#include "inference/tokenizer/tokenizer.h"

namespace parley::app::cli {
namespace {

using inference::tokenizer::TokenId;
using inference::tokenizer::Tokenizer;

// Ids separated by anything that is not part of a number: "1 2,3" and {"ids":[1,2,3]} alike.
std::vector<TokenId> parse_ids(const std::string& text, int vocab_size) {
  std::vector<TokenId> ids;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at < end) {
    if (*at != '-' && (*at < '0' || *at > '9')) {
      ++at;
      continue;
    }
    TokenId id = 0;
    const auto [next, error] = std::from_chars(at, end, id);
    if (error != std::errc{} || id < 0 || id >= vocab_size) {
      throw UsageError("token ids go from 0 to " + std::to_string(vocab_size - 1) + "; the input has \"" +
                       std::string(at, std::max(next, at + 1)) + "\"");
    }
    ids.push_back(id);
    at = next;
  }
  return ids;
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
  options.add_flag("json", "print {\"ids\":[…]}");
  if (!options.parse(arguments)) return 0;

  const auto choice = models::find_model(options.text("model").value_or(""), config::process_environment());
  const auto file = inference::formats::open_gguf(choice.file);
  const auto tokenizer = inference::tokenizer::make_tokenizer(*file);
  const std::string input = read_input("-");
  if (options.has("decode")) {
    std::cout << tokenizer->decode(parse_ids(input, tokenizer->vocab_size()), options.has("special"));
    return 0;
  }
  const inference::tokenizer::TrustedRange all{0, input.size()};
  print_ids(options.has("special") ? tokenizer->encode(input, {&all, 1}) : tokenizer->encode(input),
            options.has("json"));
  return 0;
}

}  // namespace parley::app::cli
