#include "retrieval/scan/glob.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

namespace parley::retrieval::scan {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

using ByteTest = int (*)(int);
constexpr std::array<std::pair<std::string_view, ByteTest>, 12> kClasses = {{
    {"alnum", [](int c) { return std::isalnum(c); }},
    {"alpha", [](int c) { return std::isalpha(c); }},
    {"blank", [](int c) { return std::isblank(c); }},
    {"cntrl", [](int c) { return std::iscntrl(c); }},
    {"digit", [](int c) { return std::isdigit(c); }},
    {"graph", [](int c) { return std::isgraph(c); }},
    {"lower", [](int c) { return std::islower(c); }},
    {"print", [](int c) { return std::isprint(c); }},
    {"punct", [](int c) { return std::ispunct(c); }},
    {"space", [](int c) { return std::isspace(c); }},
    {"upper", [](int c) { return std::isupper(c); }},
    {"xdigit", [](int c) { return std::isxdigit(c); }},
}};

unsigned as_number(char byte) { return static_cast<unsigned char>(byte); }

// "[:digit:]" at `at`, or nothing where it is no class; adds it to `set`. False: a class of an unknown name.
std::optional<bool> add_class(std::string_view pattern, std::size_t& at, std::bitset<256>& set) {
  const std::size_t close = pattern.find(']', at + 2);
  if (close == kNowhere || close < at + 3 || pattern[close - 1] != ':') {
    return std::nullopt;
  }
  const std::string_view name = pattern.substr(at + 2, close - 1 - (at + 2));
  const auto* const known = std::find_if(kClasses.begin(), kClasses.end(),
                                         [name](const auto& entry) { return entry.first == name; });
  if (known == kClasses.end()) {
    return false;
  }
  for (int byte = 0; byte < 128; ++byte) {  // as in the C locale
    if (known->second(byte) != 0) {
      set.set(static_cast<std::size_t>(byte));
    }
  }
  at = close + 1;
  return true;
}

// The member of a set at `at`, a backslash before it taken off.
std::optional<char> next_member(std::string_view pattern, std::size_t& at) {
  if (at < pattern.size() && pattern[at] == '\\') {
    ++at;
  }
  if (at >= pattern.size()) {
    return std::nullopt;
  }
  return pattern[at++];
}

}  // namespace

Glob::Glob(std::string_view pattern) {
  for (std::size_t at = 0; at < pattern.size() && !is_broken_;) {
    switch (pattern[at]) {
      case '*':
        add_stars(pattern, at);
        break;
      case '[':
        add_set(pattern, at);
        break;
      case '?':
        tokens_.push_back({.kind = Kind::any});
        ++at;
        break;
      default:
        if (const auto byte = next_member(pattern, at)) {
          tokens_.push_back({.kind = Kind::literal, .byte = *byte});
        } else {
          is_broken_ = true;
        }
    }
  }
}

// Two and more stars go over folders only where they stand for whole names.
void Glob::add_stars(std::string_view pattern, std::size_t& at) {
  const std::size_t begin = at;
  at = std::min(pattern.find_first_not_of('*', at), pattern.size());
  const bool is_whole = at - begin >= 2 && (begin == 0 || pattern[begin - 1] == '/');
  const std::string_view behind = pattern.substr(at);
  if (is_whole && behind.empty()) {
    tokens_.push_back({.kind = Kind::rest});
  } else if (is_whole && (behind.starts_with('/') || behind.starts_with("\\/"))) {
    tokens_.push_back({.kind = Kind::folders});
    at += behind.starts_with('/') ? 1 : 2;
  } else {
    tokens_.push_back({.kind = Kind::star});
  }
}

void Glob::add_set(std::string_view pattern, std::size_t& at) {
  ++at;
  Set set;
  const bool negated = at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^');
  at += negated ? 1 : 0;
  bool first = true;
  while (at < pattern.size() && (first || pattern[at] != ']')) {
    first = false;
    if (pattern.substr(at).starts_with("[:")) {
      if (const auto known = add_class(pattern, at, set)) {
        is_broken_ = !*known;
        if (is_broken_) {
          return;
        }
        continue;
      }
    }
    const auto low = next_member(pattern, at);
    auto high = low;
    if (at + 1 < pattern.size() && pattern[at] == '-' && pattern[at + 1] != ']') {
      ++at;
      high = next_member(pattern, at);
    }
    if (!low || !high) {
      break;
    }
    for (unsigned byte = as_number(*low); byte <= as_number(*high); ++byte) {
      set.set(byte);
    }
  }
  is_broken_ = at >= pattern.size();
  ++at;
  tokens_.push_back({.kind = Kind::set, .set = static_cast<std::uint32_t>(sets_.size())});
  sets_.push_back(negated ? ~set : set);
}

bool Glob::matches_byte(const Token& token, char byte) const {
  switch (token.kind) {
    case Kind::literal:
      return byte == token.byte;
    case Kind::any:
      return byte != '/';
    case Kind::set:
      return byte != '/' && sets_[token.set].test(as_number(byte));
    default:
      return false;
  }
}

// What fails goes on from the last star, then from the last "**/"; earlier ones need no other try, since the
// later one takes whatever they would leave.
bool Glob::matches(std::string_view path) const {
  if (is_broken_) {
    return false;
  }
  std::size_t at = 0;
  std::size_t token = 0;
  std::size_t star_token = kNowhere;
  std::size_t star_at = 0;
  std::size_t folders_token = kNowhere;
  std::size_t folders_at = 0;
  while (token < tokens_.size() || at < path.size()) {
    if (token < tokens_.size()) {
      const Token& next = tokens_[token];
      if (next.kind == Kind::rest) {
        return true;
      }
      if (next.kind == Kind::star || next.kind == Kind::folders) {
        ++token;
        star_token = next.kind == Kind::star ? token : kNowhere;
        star_at = at;
        if (next.kind == Kind::folders) {
          folders_token = token;
          folders_at = at;
        }
        continue;
      }
      if (at < path.size() && matches_byte(next, path[at])) {
        ++token;
        ++at;
        continue;
      }
    }
    if (star_token != kNowhere && star_at < path.size() && path[star_at] != '/') {
      token = star_token;
      at = ++star_at;
    } else if (const std::size_t slash = path.find('/', folders_at);
               folders_token != kNowhere && slash != kNowhere) {
      token = folders_token;
      at = folders_at = slash + 1;
      star_token = kNowhere;
    } else {
      return false;
    }
  }
  return true;
}

bool Glob::has_literal() const {
  return std::any_of(tokens_.begin(), tokens_.end(), [](const Token& token) {
    return (token.kind == Kind::literal && token.byte != '/' && token.byte != '.') || token.kind == Kind::set;
  });
}

}  // namespace parley::retrieval::scan
