#include "inference/text/utf8_repair.h"

#include "inference/tokenizer/utf8.h"

namespace parley::inference::text {
namespace {

using tokenizer::Utf8Kind;

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

}  // namespace

void Utf8Repair::push(std::string_view bytes, std::string& out) {
  unfinished_ += bytes;
  std::string_view rest = unfinished_;
  while (!rest.empty()) {
    const tokenizer::Utf8Part part = tokenizer::first_utf8_part(rest);
    if (part.kind == Utf8Kind::unfinished) break;
    out += part.kind == Utf8Kind::character ? rest.substr(0, part.length) : kReplacement;
    rest.remove_prefix(part.length);
  }
  unfinished_.erase(0, unfinished_.size() - rest.size());
}

void Utf8Repair::finish(std::string& out) {
  if (!unfinished_.empty()) out += kReplacement;
  unfinished_.clear();
}

}  // namespace parley::inference::text
