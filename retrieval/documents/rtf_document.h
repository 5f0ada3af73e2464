#pragma once
// Reads RTF (specification 1.9.1) into blocks: paragraphs, headings by style or outline level, list items,
// table rows, footnotes behind their paragraph. Pictures, headers, fields' instructions and unknown
// destinations are skipped. One thread. Throws FormatError (over_limit: groups nest too deep, too much text).

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/documents/block_assembler.h"
#include "retrieval/documents/rtf_charset.h"
#include "retrieval/documents/rtf_tokens.h"
#include "retrieval/documents/table_rows.h"

namespace parley::retrieval::documents {

class RtfDocument {
 public:
  RtfDocument(std::string_view bytes, int max_depth, BlockAssembler& out);
  void read();

 private:
  enum class Destination : std::uint8_t {
    body,
    footnote,
    font_table,
    style_sheet,
    information,
    title,
    skipped
  };
  // What a group keeps for itself.
  struct State {
    Destination destination = Destination::body;
    int font = 0;
    int unicode_skip = 1;  // characters behind each \u that stand for it in old programs
    bool is_hidden = false;
    bool is_deleted = false;
    bool is_in_table = false;
    bool is_in_list = false;
    int list_level = 0;     // from 0
    int heading_level = 0;  // from 1; 0: none
  };

  void begin_group();
  void end_group();
  void read_word(const RtfToken& token);
  bool read_destination(std::string_view word);  // false: the word names none
  bool read_document_word(const RtfToken& token);
  bool read_paragraph_word(const RtfToken& token);
  bool read_character_word(const RtfToken& token);
  void read_symbol(char symbol);
  void read_unicode(int unit);
  void put(std::string_view utf8);
  void flush_bytes();
  void end_paragraph();
  void end_cell();
  void end_row();
  void write_table();
  void end_style();

  RtfTokens tokens_;
  int max_depth_;
  BlockAssembler& out_;
  RtfCharset charset_;
  State state_;
  std::vector<State> outer_;   // of the groups around
  bool is_ignorable_ = false;  // behind "\*": a destination that is not known is skipped
  bool is_group_start_ = false;
  int default_code_page_ = 1252;
  std::map<int, int> font_code_pages_;
  std::map<int, int> style_headings_;  // by style
  int style_ = 0;                      // the one that is being described
  int style_outline_ = 0;
  int skip_ = 0;  // characters that a \u replaced
  int high_surrogate_ = 0;
  std::string bytes_;  // in the font's code page, not yet put
  std::string paragraph_, note_, style_name_, title_;
  std::vector<std::string> notes_;  // of this paragraph
  std::vector<std::string> cells_;
  bool is_header_row_ = false;
  TableRows rows_;
};

}  // namespace parley::retrieval::documents
