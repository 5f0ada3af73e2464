// POD, by itself or in the source of a Perl program, whose other text is code.
#include <algorithm>
#include <string>
#include <utility>

#include "retrieval/documents/pod_text.h"
#include "retrieval/documents/source_blocks.h"
#include "retrieval/documents/text_lines.h"
#include "retrieval/documents/text_readers.h"

namespace parley::retrieval::documents {

namespace {

// "=head1 NAME" to "head1" and the rest; the name is empty where no command begins.
struct PodCommand {
  std::string_view name;
  std::string_view rest;
};

PodCommand pod_command(std::string_view paragraph) {
  if (paragraph.size() < 2 || paragraph[0] != '=') return {};
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (!is_letter(paragraph[1])) return {};
  const std::size_t end = std::min(paragraph.find_first_of(" \t\n"), paragraph.size());
  return {paragraph.substr(1, end - 1), trimmed(paragraph.substr(end))};
}

class PodScan {
 public:
  PodScan(std::string_view text, const ReadLimits& limits) : text_(text), limits_(limits), writer_(limits) {}

  // Paragraph by paragraph: they are parted by blank lines, and a command begins only such a one.
  void run() {
    TextLine line = line_at(text_, 0);
    while (line.begin < text_.size() && !writer_.over_limit()) {
      if (is_blank(text_of(text_, line))) {
        line = line_at(text_, line.next);
        continue;
      }
      const std::size_t begin = line.begin;
      std::size_t end = line.end;
      for (; line.begin < text_.size() && !is_blank(text_of(text_, line)); line = line_at(text_, line.next)) {
        end = line.end;
      }
      take({begin, end});
    }
    flush_code();
  }

  ReadOutcome finish(Document rest) && {
    rest.title = std::move(title_);
    return std::move(writer_).finish(std::move(rest));
  }

 private:
  void take(ByteRange range) {
    const std::string_view paragraph = text_of(text_, range);
    const PodCommand command = pod_command(paragraph);
    if (!command.name.empty()) {
      flush_code();
      take_command(command, range);
    } else if (!in_pod_ || paragraph[0] == ' ' || paragraph[0] == '\t') {
      // Verbatim paragraphs in a row, and a program's text, are one piece of code with its blank lines.
      if (hidden_) return;
      if (!in_pod_) flush_code();
      if (code_.begin == code_.end) code_.begin = range.begin;
      code_.end = range.end;
    } else {
      flush_code();
      write(BlockKind::paragraph, 0, paragraph, range);
    }
  }

  void take_command(const PodCommand& command, ByteRange range) {
    in_pod_ = command.name != "cut";
    if (command.name.starts_with("head") && command.name.size() == 5) {
      write(BlockKind::heading, std::clamp(command.name[4] - '0', 1, 6), command.rest, range);
    } else if (command.name == "item") {
      write_item(command.rest, range);
    } else if (command.name == "over") {
      depth_ = std::min(depth_ + 1, limits_.max_depth);
    } else if (command.name == "back") {
      depth_ = std::max(depth_ - 1, 0);
    } else if (command.name == "begin") {
      // What is meant for one formatter only; text for all of them is named with a colon.
      hidden_ = !command.rest.starts_with(':') && command.rest != "text";
    } else if (command.name == "end") {
      hidden_ = false;
    }
  }

  // "=item *" and "=item 3" only mark the paragraph behind them.
  void write_item(std::string_view label, ByteRange range) {
    const bool bullet = label.find_first_not_of("*0123456789.-") == std::string_view::npos;
    if (bullet) {
      pending_bullet_ = true;
    } else {
      write(BlockKind::list_item, std::max(depth_, 1), label, range);
    }
  }

  void write(BlockKind kind, int level, std::string_view paragraph, ByteRange range) {
    if (hidden_) return;
    std::string words = pod_words(paragraph, limits_.max_depth);
    if (kind == BlockKind::heading) {
      std::replace(words.begin(), words.end(), '\n', ' ');
      note_title(words);
    }
    NewBlock block;
    block.kind = pending_bullet_ && kind == BlockKind::paragraph ? BlockKind::list_item : kind;
    block.level = block.kind == BlockKind::list_item ? std::max(depth_, 1) : level;
    block.original = range;
    if (pending_bullet_ && kind == BlockKind::paragraph) words.insert(0, "* ");
    pending_bullet_ = false;
    writer_.add(block, words);
    if (wants_title_ && kind == BlockKind::paragraph) {
      title_ = words;
      std::replace(title_.begin(), title_.end(), '\n', ' ');
      wants_title_ = false;
    }
  }

  // The paragraph below NAME is "perlfaq4 - Data Manipulation".
  void note_title(const std::string& heading) {
    if (title_.empty()) wants_title_ = heading == "NAME";
  }

  void flush_code() {
    if (code_.begin == code_.end) return;
    NewBlock block;
    block.kind = BlockKind::code;
    block.original = code_;
    writer_.add(block, text_of(text_, code_));
    code_ = {};
  }

  std::string_view text_;
  ReadLimits limits_;
  BlockWriter writer_;
  std::string title_;
  ByteRange code_;  // that is not written yet
  int depth_ = 0;   // of =over
  bool in_pod_ = false;
  bool hidden_ = false;
  bool pending_bullet_ = false;
  bool wants_title_ = false;
};

}  // namespace

ReadOutcome read_pod(TextInput input, const ReadLimits& limits) {
  PodScan scan(input.decoded.text, limits);
  scan.run();
  Document rest;
  rest.media_type = std::move(input.media_type);
  rest.encoding = std::move(input.decoded.encoding);
  return std::move(scan).finish(std::move(rest));
}

}  // namespace parley::retrieval::documents
