// Manual pages in the man(7) and mdoc(7) macros, as text.
#include <algorithm>
#include <string>
#include <utility>

#include "retrieval/documents/man_lines.h"
#include "retrieval/documents/mdoc_words.h"
#include "retrieval/documents/source_blocks.h"
#include "retrieval/documents/text_lines.h"
#include "retrieval/documents/text_readers.h"

namespace parley::retrieval::documents {

namespace {

std::string joined_words(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

bool is_one_of(std::string_view names, std::string_view name) {
  return !name.empty() && names.find(" " + std::string(name) + " ") != std::string_view::npos;
}

class ManScan {
 public:
  ManScan(std::string_view page, const ReadLimits& limits) : lines_(page), writer_(limits) {}

  void run() {
    while (std::optional<ManLine> line = lines_.next()) {
      if (writer_.over_limit()) return;
      place_ = line->place;
      if (line->macro.empty()) {
        take_text(line->text);
      } else if (line->macro == "so") {
        source_ = joined_words(line->arguments, " ");
      } else if (!take_structure(*line) && !take_mdoc(*line)) {
        take_inline(*line);
      }
    }
    flush();
  }

  ReadOutcome finish(Document rest) && {
    if (writer_.empty() && !source_.empty()) {
      return ReadFailure{ReadFailure::Kind::empty, "It only says that its text is in " + source_ + "."};
    }
    rest.title = std::move(title_);
    return std::move(writer_).finish(std::move(rest));
  }

 private:
  void take_text(const std::string& text) {
    if (wants_heading_ > 0 && !is_blank(text)) {
      heading(std::exchange(wants_heading_, 0), text);
    } else if (verbatim_) {
      append(text, "\n");
    } else if (is_blank(text)) {
      flush_paragraph();
    } else {
      // roff begins a new line where one begins with a space.
      append(std::string(trimmed(text)), text[0] == ' ' ? "\n" : " ");
      end_label();
    }
  }

  bool take_structure(const ManLine& line) {
    const std::string& macro = line.macro;
    if (macro == "TH" || macro == "Dt") {
      if (!line.arguments.empty()) title_ = line.arguments[0];
      if (line.arguments.size() > 1) title_ += "(" + line.arguments[1] + ")";
    } else if (macro == "SH" || macro == "SS" || macro == "Sh" || macro == "Ss") {
      const int level = macro[1] == 'H' || macro[1] == 'h' ? 1 : 2;
      flush();
      end_verbatim();
      if (line.arguments.empty()) {
        wants_heading_ = level;
      } else {
        heading(level, joined_words(line.arguments, " "));
      }
    } else if (is_one_of(" PP P LP Pp HP Lp ", macro)) {
      flush();
    } else if (macro == "TP" || macro == "TQ") {
      begin_item("");
    } else if (macro == "IP") {
      begin_item(line.arguments.empty() ? "" : line.arguments[0]);
    } else {
      return take_layout(macro);
    }
    return true;
  }

  bool take_layout(const std::string& macro) {
    if (is_one_of(" nf EX ", macro)) {
      begin_verbatim();
    } else if (is_one_of(" fi EE Ed ", macro)) {
      end_verbatim();
    } else if (macro == "RS") {
      depth_ = std::min(depth_ + 1, kMaxItemDepth);
      if (!verbatim_) flush_paragraph();
    } else if (macro == "RE") {
      depth_ = std::max(depth_ - 1, 1);
      if (!verbatim_) flush();
    } else if (macro == "TS") {
      take_table();
    } else if (macro == "EQ") {
      lines_.until("EN");
    } else if (macro == "br" || macro == "sp") {
      append("", "\n");
    } else {
      return false;
    }
    return true;
  }

  bool take_mdoc(const ManLine& line) {
    const std::string& macro = line.macro;
    if (macro == "Bl") {
      flush();
      lists_ = std::min(lists_ + 1, kMaxItemDepth);
      depth_ = lists_;
    } else if (macro == "El") {
      flush();
      lists_ = std::max(lists_ - 1, 0);
      depth_ = std::max(lists_, 1);
    } else if (macro == "It") {
      begin_item("");
      if (!line.arguments.empty()) append(mdoc_words(line.arguments, name_), " ");
      end_label();
    } else if (macro == "Bd") {
      const bool filled = is_one_of(" " + joined_words(line.arguments, " ") + " ", "-filled");
      filled ? flush() : begin_verbatim();
    } else if (macro == "D1" || macro == "Dl") {
      begin_verbatim();
      append(mdoc_words(line.arguments, name_), "\n");
      end_verbatim();
    } else if (is_mdoc_word_macro(macro)) {
      take_mdoc_words(line);
    } else {
      return false;
    }
    return true;
  }

  void take_mdoc_words(const ManLine& line) {
    std::vector<std::string> words = {line.macro};
    words.insert(words.end(), line.arguments.begin(), line.arguments.end());
    if (line.macro == "Nm" && name_.empty() && words.size() > 1) name_ = words[1];
    std::string text = mdoc_words(words, name_);
    if (line.macro == "Nd") text.insert(0, "- ");
    const bool tight = !text.empty() && std::string_view(".,)]").find(text[0]) != std::string_view::npos;
    append(text, verbatim_ ? "\n" : tight ? "" : " ");
    end_label();
  }

  // Fonts and links: what they print.
  void take_inline(const ManLine& line) {
    const std::string& macro = line.macro;
    std::string text;
    if (is_one_of(" B I SM SB R C CW UR MT ", macro)) {
      text = joined_words(line.arguments, " ");
    } else if (is_one_of(" BR BI IB IR RB RI UE ME MR ", macro)) {
      text = macro == "MR" && line.arguments.size() > 1 ? line.arguments[0] + "(" + line.arguments[1] + ")"
                                                        : joined_words(line.arguments, "");
    } else if (is_one_of(" MTO URL ", macro) && line.arguments.size() > 1) {
      // asciidoctor's: the target, its words, what follows.
      text = line.arguments[1] + " (" + line.arguments[0] + ")" +
             (line.arguments.size() > 2 ? line.arguments[2] : "");
    } else if (macro == "OP") {
      text = "[" + joined_words(line.arguments, " ") + "]";
    } else if (macro == "SY") {
      flush();
      text = joined_words(line.arguments, " ");
    } else {
      return;  // layout, or a macro of the page's own
    }
    if (text.empty()) return;
    if (wants_heading_ > 0) {
      heading(std::exchange(wants_heading_, 0), text);
      return;
    }
    const bool ends_link = macro == "UE" || macro == "ME";
    append(text, verbatim_ ? "\n" : ends_link ? "" : " ");
    end_label();
  }

  // tbl(1): options end with ';', formats with '.'; then a row a line, cells between tabs, T{ … T} over
  // lines.
  void take_table() {
    flush();
    bool in_body = false, first = true;
    std::string row;
    for (const std::string& line : lines_.until("TE")) {
      if (!in_body) {
        in_body = trimmed(line).ends_with('.');
        continue;
      }
      if (line.starts_with('.') || line == "_" || line == "=") continue;
      row += row.empty() || row.ends_with('\t') ? line : " " + line;
      if (count_in(row, "T{") > count_in(row, "T}")) continue;
      write_row(std::exchange(row, ""), first ? BlockKind::table_header : BlockKind::table_row);
      first = false;
    }
    write_row(row, BlockKind::table_row);
  }

  static std::size_t count_in(std::string_view text, std::string_view pair) {
    std::size_t count = 0;
    for (std::size_t at = text.find(pair); at != text.npos; at = text.find(pair, at + pair.size())) ++count;
    return count;
  }

  void write_row(std::string row, BlockKind kind) {
    for (const std::string_view mark : {"T{", "T}"}) {
      for (std::size_t at = row.find(mark); at != std::string::npos; at = row.find(mark, at))
        row.erase(at, 2);
    }
    std::string shown;
    for (std::size_t at = 0; at <= row.size();) {
      const std::size_t end = std::min(row.find('\t', at), row.size());
      if (at > 0) shown += " | ";
      shown += trimmed(std::string_view(row).substr(at, end - at));
      at = end + 1;
    }
    if (!is_blank(row)) write(kind, 0, shown, place_);
  }

  void begin_item(std::string_view label) {
    flush();
    kind_ = BlockKind::list_item;
    label_line_ = label.empty();
    append(std::string(label), " ");
    if (!label.empty()) text_ += '\n';
  }

  // The first line behind .TP is the label; what follows stands below it.
  void end_label() {
    if (std::exchange(label_line_, false)) text_ += '\n';
  }

  void begin_verbatim() {
    flush();
    verbatim_ = true;
    kind_ = BlockKind::code;
  }

  void end_verbatim() {
    if (!verbatim_) return;
    flush();
    verbatim_ = false;
    kind_ = BlockKind::paragraph;
  }

  void append(const std::string& text, std::string_view between) {
    if (begin_ == kNothing) begin_ = place_.begin;
    end_ = place_.end;
    if (!text_.empty() && text_.back() != '\n') text_ += between;
    if (verbatim_ && text.empty()) text_ += '\n';
    text_ += text;
  }

  void heading(int level, const std::string& text) { write(BlockKind::heading, level, text, place_); }

  // A blank line within an item does not end it.
  void flush_paragraph() {
    if (kind_ == BlockKind::list_item && label_line_) return;
    flush();
  }

  void flush() {
    if (!is_blank(text_)) write(kind_, kind_ == BlockKind::list_item ? depth_ : 0, text_, {begin_, end_});
    text_.clear();
    begin_ = kNothing;
    kind_ = verbatim_ ? BlockKind::code : BlockKind::paragraph;
    label_line_ = false;
  }

  void write(BlockKind kind, int level, const std::string& text, ByteRange place) {
    NewBlock block;
    block.kind = kind;
    block.level = level;
    block.original = place;
    writer_.add(block, text);
  }

  static constexpr std::size_t kNothing = std::string_view::npos;
  static constexpr int kMaxItemDepth = 16;

  ManLines lines_;
  BlockWriter writer_;
  std::string title_, name_, source_;
  ByteRange place_;  // of the line that is looked at
  // The block that is open.
  std::string text_;
  BlockKind kind_ = BlockKind::paragraph;
  std::size_t begin_ = kNothing, end_ = 0;
  bool verbatim_ = false;
  bool label_line_ = false;
  int wants_heading_ = 0;  // its level; the words are on the next line
  int depth_ = 1;
  int lists_ = 0;
};

}  // namespace

ReadOutcome read_man_page(TextInput input, const ReadLimits& limits) {
  ManScan scan(input.decoded.text, limits);
  scan.run();
  Document rest;
  rest.media_type = std::move(input.media_type);
  rest.encoding = std::move(input.decoded.encoding);
  return std::move(scan).finish(std::move(rest));
}

}  // namespace parley::retrieval::documents
