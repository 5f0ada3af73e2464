// JSON as stretches of its own lines. It is not judged: what is broken is still text. Where lines are missing
// or letters are escaped it is written anew, with the place of each stretch in the original.
#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "retrieval/documents/source_blocks.h"
#include "retrieval/documents/text_lines.h"
#include "retrieval/documents/text_readers.h"
#include "retrieval/documents/utf8.h"

namespace parley::retrieval::documents {

namespace {

// A stretch ends with the line after which this much is together; about a passage.
constexpr std::size_t kStretchBytes = 800;

// \uXXXX at `at`; 0xFFFFFFFF: none.
char32_t escaped_unit(std::string_view text, std::size_t at) {
  constexpr char32_t kNone = 0xFFFFFFFF;
  if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return kNone;
  unsigned value = 0;
  const char* end = text.data() + at + 6;
  const auto result = std::from_chars(text.data() + at + 2, end, value, 16);
  return result.ec == std::errc() && result.ptr == end ? value : kNone;
}

// Appends the letter that an escape sequence stands for and says how long it is; 0: it stays as it is (a
// control character, a quotation mark, half of a pair).
std::size_t append_escaped_letter(std::string& out, std::string_view text, std::size_t at) {
  char32_t value = escaped_unit(text, at);
  if (value == 0xFFFFFFFF || value < 0xA0) return 0;
  std::size_t length = 6;
  if (value >= 0xD800 && value < 0xE000) {
    const char32_t low = escaped_unit(text, at + 6);
    if (value >= 0xDC00 || low < 0xDC00 || low > 0xDFFF) return 0;
    value = 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00);
    length = 12;
  }
  append_code_point(out, value);
  return length;
}

bool has_escaped_letters(std::string_view text) {
  std::string unused;
  for (std::size_t at = text.find("\\u"); at != text.npos; at = text.find("\\u", at + 2)) {
    unused.clear();
    if (append_escaped_letter(unused, text, at) > 0) return true;
  }
  return false;
}

bool has_long_lines(std::string_view text) {
  constexpr std::size_t kLong = 2000;
  for (TextLine line = line_at(text, 0); line.begin < text.size(); line = line_at(text, line.next)) {
    if (line.end - line.begin > kLong) return true;
  }
  return false;
}

// Writes JSON anew: letters for their escapes, and where `breaks` is set a line for each member.
class JsonWriter {
 public:
  JsonWriter(std::string_view json, BlockWriter& writer, bool breaks)
      : json_(json), writer_(writer), breaks_(breaks) {}

  void run() {
    while (at_ < json_.size() && !writer_.over_limit()) {
      const char c = json_[at_];
      if (c == '"') {
        take_string();
      } else if (breaks_) {
        take_structure(c);
      } else {
        put(c);
      }
      if (out_.size() - begin_of_line_ == 0 && out_.size() >= kStretchBytes) flush();
    }
    flush();
  }

 private:
  void take_string() {
    out_ += json_[at_++];
    while (at_ < json_.size()) {
      const char c = json_[at_];
      if (c == '\\') {
        const std::size_t length = append_escaped_letter(out_, json_, at_);
        if (length == 0) out_.append(json_.substr(at_, 2));
        at_ = std::min(at_ + std::max<std::size_t>(length, 2), json_.size());
        continue;
      }
      put(c);
      if (c == '"' || c == '\n') return;  // a string never goes over lines
    }
  }

  void take_structure(char c) {
    if (is_space(c)) {
      ++at_;
      return;
    }
    if (c == '}' || c == ']') {
      if (!std::exchange(is_empty_, false)) {
        depth_ -= depth_ > 0 ? 1 : 0;
        new_line();
      }
      put(c);
      return;
    }
    put(c);
    if (c == '{' || c == '[') {
      is_empty_ = next_closes();
      if (is_empty_) return;
      ++depth_;
      new_line();
    } else if (c == ',') {
      new_line();
    } else if (c == ':') {
      out_ += ' ';
    }
  }

  bool next_closes() const {
    const std::size_t next = json_.find_first_not_of(" \t\n", at_);
    return next != json_.npos && (json_[next] == '}' || json_[next] == ']');
  }

  void new_line() {
    constexpr std::size_t kDeepest = 16;  // an indentation for each of a million brackets would be no text
    out_ += '\n';
    begin_of_line_ = out_.size();
    if (out_.size() >= kStretchBytes) flush();
    out_.append(2 * std::min(depth_, kDeepest), ' ');
  }

  void put(char c) {
    out_ += c;
    ++at_;
    if (c == '\n') begin_of_line_ = out_.size();
  }

  void flush() {
    NewBlock block;
    block.kind = BlockKind::code;
    block.original = {begin_, at_};
    block.goes_on = true;
    writer_.add(block, out_);
    out_.clear();
    begin_of_line_ = 0;
    begin_ = at_;
  }

  std::string_view json_;
  BlockWriter& writer_;
  bool breaks_;
  std::string out_;  // of the stretch that is not written yet
  std::size_t at_ = 0, begin_ = 0, begin_of_line_ = 0;
  std::size_t depth_ = 0;
  bool is_empty_ = false;  // an object or array was opened that closes at once
};

void add_line_stretches(SourceBlocks& blocks, std::string_view text) {
  std::size_t begin = 0;
  for (TextLine line = line_at(text, 0); line.begin < text.size(); line = line_at(text, line.next)) {
    if (line.next - begin < kStretchBytes) continue;
    blocks.add(BlockKind::code, {begin, line.end});
    begin = line.next;
  }
  blocks.add(BlockKind::code, {begin, text.size()});
}

ReadOutcome json_source(TextInput input, std::vector<Block> blocks) {
  SourceDocument source;
  source.blocks = std::move(blocks);
  source.media_type = std::move(input.media_type);
  source.input = std::move(input.decoded);
  return source_outcome(std::move(source));
}

ReadOutcome json_anew(TextInput input, const ReadLimits& limits, bool breaks) {
  BlockWriter writer(limits);
  JsonWriter(input.decoded.text, writer, breaks).run();
  Document rest;
  rest.media_type = std::move(input.media_type);
  rest.encoding = std::move(input.decoded.encoding);
  return std::move(writer).finish(std::move(rest));
}

}  // namespace

ReadOutcome read_json(TextInput input, const ReadLimits& limits) {
  const std::string_view text = input.decoded.text;
  const bool breaks = has_long_lines(text);
  if (breaks || has_escaped_letters(text)) return json_anew(std::move(input), limits, breaks);
  SourceBlocks blocks(text, limits);
  add_line_stretches(blocks, text);
  return json_source(std::move(input), blocks.take());
}

ReadOutcome read_json_lines(TextInput input, const ReadLimits& limits) {
  const std::string_view text = input.decoded.text;
  if (has_escaped_letters(text)) return json_anew(std::move(input), limits, false);
  SourceBlocks blocks(text, limits);
  // Each line is a value of its own.
  for (TextLine line = line_at(text, 0); line.begin < text.size(); line = line_at(text, line.next)) {
    blocks.add(BlockKind::code, {line.begin, line.end});
  }
  return json_source(std::move(input), blocks.take());
}

}  // namespace parley::retrieval::documents
