#pragma once
// What a file is: by its contents, and by its name only where contents do not tell. Pure functions, any
// thread.

#include <cstdint>
#include <string>
#include <string_view>

namespace parley::retrieval::documents {

enum class Format : std::uint8_t {
  plain_text,
  source_code,
  markdown,
  rst,
  pod,
  man_page,
  html,
  separated_values,
  json,
  json_lines,
  notebook,
  mail,
  mailbox,
  pdf,
  docx,
  pptx,
  xlsx,
  odf,
  epub,
  rtf,
  gzip,
  bzip2,
  xz,
  refused,  // recognised, and not read
};

struct DetectedFormat {
  Format format = Format::plain_text;
  std::string media_type;
  std::string refusal;  // of `refused`: a sentence for the user
};

// By magic numbers, and of a ZIP archive by its entries. `plain_text` with an empty media type: it has none
// of them, so it may be text.
DetectedFormat detect_binary_format(std::string_view bytes);

// Mail is looked for in the bytes, since each of its parts has a charset of its own. `plain_text` with an
// empty media type: it is none.
DetectedFormat detect_mail(std::string_view bytes, std::string_view file_name);

// Of text that is decoded: what it begins with, then its name.
DetectedFormat detect_text_format(std::string_view text, std::string_view file_name);

// The name without what compression put behind it: "changelog.gz" is "changelog".
std::string name_of_content(std::string_view file_name);

}  // namespace parley::retrieval::documents
