#pragma once
// A man page line by line: joined where a line ends with a backslash, without comments, macro definitions and
// what a terminal would not show (.if t, .ig), with the strings that the page defines. One owner.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/documents/document.h"
#include "retrieval/documents/roff_escapes.h"

namespace parley::retrieval::documents {

struct ManLine {
  std::string macro;                   // empty: a line of text
  std::vector<std::string> arguments;  // escapes resolved
  std::string text;                    // of a line of text, escapes resolved
  std::string raw;                     // the line as it stands
  ByteRange place;                     // in the page
};

class ManLines {
 public:
  explicit ManLines(std::string_view page) : page_(page) {}

  std::optional<ManLine> next();
  // The lines up to ".NAME" as they stand, for tables; reads past it.
  std::vector<std::string> until(std::string_view macro);

 private:
  std::optional<std::string> next_raw();
  bool take_request(const std::string& name, std::string_view rest, std::string& line);
  bool condition_holds(std::string_view& rest) const;
  bool choose(bool holds, std::string_view body, std::string& line);
  void skip_until(std::string_view end);
  void skip_branch(std::string_view first_line);
  ManLine parsed(const std::string& line) const;

  std::string_view page_;
  std::size_t at_ = 0;
  std::size_t line_begin_ = 0;
  RoffStrings strings_ = {{"R", "®"}, {"Tm", "™"}, {"lq", "“"}, {"rq", "”"}, {"Aq", "'"}};
  bool else_holds_ = false;
};

}  // namespace parley::retrieval::documents
