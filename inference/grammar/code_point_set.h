#pragma once
// Sets of Unicode scalar values (no surrogates), as character classes need them. A value type; never fails.

#include <initializer_list>
#include <vector>

namespace parley::inference::grammar {

struct CodePointRange {
  char32_t first = 0;
  char32_t last = 0;
  friend bool operator==(const CodePointRange&, const CodePointRange&) = default;
};

class CodePointSet {
 public:
  CodePointSet() = default;
  CodePointSet(std::initializer_list<CodePointRange> ranges);
  // In any order, overlapping or not.
  explicit CodePointSet(std::vector<CodePointRange> ranges);
  static CodePointSet all();

  void add(const CodePointSet& other);
  CodePointSet complement() const;
  bool empty() const { return ranges_.empty(); }
  // Ascending, apart from each other, without surrogates.
  const std::vector<CodePointRange>& ranges() const { return ranges_; }
  bool contains(CodePointRange range) const;

 private:
  void normalize();

  std::vector<CodePointRange> ranges_;
};

CodePointSet intersect(const CodePointSet& a, const CodePointSet& b);

}  // namespace parley::inference::grammar
