#include "retrieval/documents/page_furniture.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>
#include <set>

namespace parley::retrieval::documents {
namespace {

constexpr float kEdgeOfPage = 0.15F;          // of its height, at either end
constexpr std::size_t kLinesOfFurniture = 3;  // at either end
constexpr std::size_t kPagesAround = 4;       // on which it comes again: left and right pages may differ
constexpr std::size_t kTimesAround = 2;
constexpr std::size_t kLongFurniture = 120;   // bytes
constexpr std::size_t kPageOfFurniture = 80;  // bytes: a page of more than that is no page of furniture alone

struct EdgeLine {
  std::size_t region = 0, line = 0;
  std::size_t num_bytes = 0;
  std::vector<long> offsets;       // of the numbers at its ends to the page's place in the file
  std::vector<std::string> marks;  // it comes again where a line has one of them
};

long roman_number(std::string_view word) {
  static const std::map<char, long> kValues = {{'i', 1}, {'v', 5}, {'x', 10}, {'l', 50}, {'c', 100}};
  long number = 0, before = 0;
  for (auto letter = word.rbegin(); letter != word.rend(); ++letter) {
    const auto value = kValues.find(*letter);
    if (value == kValues.end() || word.size() > 8) {
      return -1;
    }
    number += value->second < before ? -value->second : value->second;
    before = value->second;
  }
  return number;
}

long page_number(std::string_view word) {
  constexpr std::size_t kMaxDigits = 5;
  long number = -1;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size() || word.size() > kMaxDigits) {
    return roman_number(word);
  }
  return number;
}

EdgeLine edge_line(const PageLine& line, std::size_t page_index, char edge) {
  std::string text = line.text();
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  EdgeLine found;
  found.num_bytes = text.size();
  found.marks.push_back(edge + text);
  const auto add_number = [&](std::string_view word, const std::string& rest) {
    if (const long number = page_number(word); number >= 0) {
      found.offsets.push_back(number - static_cast<long>(page_index));
      found.marks.push_back(edge + std::to_string(found.offsets.back()) + " # " + rest);
    }
  };
  const std::size_t first_end = text.find(' '), last_begin = text.rfind(' ');
  add_number(text.substr(0, first_end), first_end == std::string::npos ? "" : text.substr(first_end));
  if (last_begin != std::string::npos) {
    add_number(text.substr(last_begin + 1), text.substr(0, last_begin));
    // "Page 3 of 40"
    const std::size_t number_end = text.find(' ', first_end + 1);
    add_number(text.substr(first_end + 1, number_end - first_end - 1), text.substr(0, first_end));
  }
  return found;
}

std::vector<EdgeLine> edge_lines(const LaidOutPage& page, std::size_t page_index, float body_size) {
  struct Place {
    std::size_t region, line;
    float middle;
  };
  std::vector<Place> places;
  for (std::size_t region = 0; region < page.regions.size(); ++region) {
    const std::vector<PageLine>& lines = page.regions[region].lines;
    for (std::size_t line = 0; line < lines.size(); ++line) {
      places.push_back({region, line, (lines[line].box.top + lines[line].box.bottom) / 2});
    }
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.middle < b.middle; });
  std::vector<EdgeLine> found;
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    const Place& place = places[rank];
    const PageLine& line = page.regions[place.region].lines[place.line];
    const bool is_top = rank < kLinesOfFurniture && place.middle < kEdgeOfPage * page.height;
    const bool is_bottom =
        rank + kLinesOfFurniture >= places.size() && place.middle > (1 - kEdgeOfPage) * page.height;
    if ((is_top || is_bottom) && line.size < 1.12F * body_size) {
      EdgeLine edge = edge_line(line, page_index, is_top ? '^' : '_');
      edge.region = place.region;
      edge.line = place.line;
      if (edge.num_bytes <= kLongFurniture) {
        found.push_back(std::move(edge));
      }
    }
  }
  return found;
}

// The number of a page less its place in the file, where a third of the pages agree; null: they do not.
std::optional<long> common_offset(const std::vector<std::vector<EdgeLine>>& edges) {
  constexpr std::size_t kMinVotes = 3, kMinShare = 3;
  std::map<long, std::size_t> votes;
  for (const std::vector<EdgeLine>& page : edges) {
    std::set<long> offsets;  // each page has one vote for each
    for (const EdgeLine& edge : page) {
      offsets.insert(edge.offsets.begin(), edge.offsets.end());
    }
    for (const long offset : offsets) {
      ++votes[offset];
    }
  }
  const auto most = std::max_element(votes.begin(), votes.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  const bool is_clear =
      most != votes.end() && most->second >= kMinVotes && most->second * kMinShare >= edges.size();
  return is_clear ? std::optional<long>(most->first) : std::nullopt;
}

// On which pages each mark is, ascending.
class MarkedPages {
 public:
  explicit MarkedPages(const std::vector<std::vector<EdgeLine>>& edges) : num_pages_(edges.size()) {
    for (std::size_t index = 0; index < edges.size(); ++index) {
      for (const EdgeLine& edge : edges[index]) {
        for (const std::string& mark : edge.marks) {
          std::vector<std::size_t>& on = pages_of_[mark];
          if (on.empty() || on.back() != index) {
            on.push_back(index);
          }
        }
      }
    }
  }

  bool comes_again(const std::string& mark, std::size_t index) const {
    const std::vector<std::size_t>& on = pages_of_.at(mark);
    const auto begin = std::lower_bound(on.begin(), on.end(), index - std::min(index, kPagesAround));
    const auto end = std::upper_bound(on.begin(), on.end(), index + kPagesAround);
    const auto num_around = static_cast<std::size_t>(end - begin) - 1;  // this page is one of them
    return num_around >= std::min(kTimesAround, num_pages_ - 1);
  }

 private:
  std::size_t num_pages_;
  std::map<std::string, std::vector<std::size_t>> pages_of_;
};

void drop_lines(LaidOutPage& page, const std::vector<EdgeLine>& dropped) {
  std::size_t num_lines = 0, num_bytes = 0;
  for (const PageRegion& region : page.regions) {
    num_lines += region.lines.size();
  }
  for (const EdgeLine& edge : dropped) {
    num_bytes += edge.num_bytes;
  }
  if (dropped.size() == num_lines && num_bytes > kPageOfFurniture) {
    return;  // pages that look alike all over: forms, lists of a machine
  }
  for (const EdgeLine& edge : dropped) {
    page.regions[edge.region].lines[edge.line].segments.clear();
  }
  for (PageRegion& region : page.regions) {
    std::erase_if(region.lines, [](const PageLine& line) { return line.segments.empty(); });
    region.box = {};
    for (const PageLine& line : region.lines) {
      extend_box(region.box, line.box);
    }
  }
  std::erase_if(page.regions, [](const PageRegion& region) { return region.lines.empty(); });
}

}  // namespace

void drop_page_furniture(std::vector<LaidOutPage>& pages, float body_size) {
  if (pages.size() < 2) {
    return;
  }
  std::vector<std::vector<EdgeLine>> edges;
  for (std::size_t index = 0; index < pages.size(); ++index) {
    edges.push_back(edge_lines(pages[index], index, body_size));
  }
  const std::optional<long> offset = common_offset(edges);
  const MarkedPages marked(edges);
  for (std::size_t index = 0; index < pages.size(); ++index) {
    std::erase_if(edges[index], [&](const EdgeLine& edge) {
      const auto is_common = [&](long number_offset) { return number_offset == offset; };
      const auto comes_again = [&](const std::string& mark) { return marked.comes_again(mark, index); };
      return std::none_of(edge.offsets.begin(), edge.offsets.end(), is_common) &&
             std::none_of(edge.marks.begin(), edge.marks.end(), comes_again);
    });
    drop_lines(pages[index], edges[index]);
  }
}

}  // namespace parley::retrieval::documents
