#pragma once
// Bytes of RTF text as UTF-8, by the code page of their font. One thread (converters are kept open). A code
// page that is not known is read as windows-1252.

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace parley::retrieval::documents {

class RtfCharset {
 public:
  RtfCharset();
  ~RtfCharset();
  RtfCharset(const RtfCharset&) = delete;
  RtfCharset& operator=(const RtfCharset&) = delete;

  std::string utf8(std::string_view bytes, int code_page);

 private:
  struct Converter;
  std::map<int, std::unique_ptr<Converter>> converters_;
};

// Of \fcharset: 204 (Russian) is 1251. 0 for those that mean the document's own.
int code_page_of_charset(int charset);

}  // namespace parley::retrieval::documents
