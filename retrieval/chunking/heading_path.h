#pragma once
// The headings above a place in a document. A value.

#include <string>
#include <string_view>
#include <vector>

namespace parley::retrieval::chunking {

class HeadingPath {
 public:
  // Headings of the same and of lower rank end with it.
  void enter(int level, std::string_view heading);
  std::vector<std::string> texts() const;  // outermost first

 private:
  struct Entry {
    int level = 0;
    std::string text;
  };
  std::vector<Entry> entries_;
};

}  // namespace parley::retrieval::chunking
