#include "inference/json_schema/address_formats.h"

#include <algorithm>

namespace parley::inference::json_schema {
namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_hex_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Calls `part_is_good` with what lies between the separators; whether it was true for all.
template <typename Predicate>
bool all_parts(std::string_view text, char separator, const Predicate& part_is_good) {
  while (true) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (!part_is_good(text.substr(0, end))) return false;
    if (end == text.size()) return true;
    text.remove_prefix(end + 1);
  }
}

// Groups of up to four hexadecimal digits; the last may be an IPv4 address, which counts as two. -1: not
// that.
int count_ipv6_groups(std::string_view text) {
  if (text.empty()) return 0;
  int groups = 0;
  const bool good = all_parts(text, ':', [&](std::string_view group) {
    const bool is_last = group.data() + group.size() == text.data() + text.size();
    const bool is_address = is_last && is_ipv4(group);
    groups += is_address ? 2 : 1;
    return is_address ||
           (!group.empty() && group.size() <= 4 && std::all_of(group.begin(), group.end(), is_hex_digit));
  });
  return good ? groups : -1;
}

bool is_host_label(std::string_view label) {
  return !label.empty() && label.size() <= 63 && label.front() != '-' && label.back() != '-' &&
         std::all_of(label.begin(), label.end(), [](char c) { return is_letter_or_digit(c) || c == '-'; });
}

bool is_dot_string(std::string_view text) {
  constexpr std::string_view kSigns = "!#$%&'*+-/=?^_`{|}~";
  const auto is_part = [&](char c) {
    return is_letter_or_digit(c) || kSigns.find(c) != std::string_view::npos;
  };
  return all_parts(text, '.', [&](std::string_view part) {
    return !part.empty() && std::all_of(part.begin(), part.end(), is_part);
  });
}

bool is_quoted_string(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return false;
  text = text.substr(1, text.size() - 2);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') return false;
    if (text[i] == '\\' && ++i == text.size()) return false;
    if (text[i] < 0x20 || text[i] > 0x7E) return false;
  }
  return true;
}

bool is_mail_domain(std::string_view text) {
  constexpr std::string_view kIpv6 = "IPv6:";
  if (!text.starts_with('[') || !text.ends_with(']')) return is_hostname(text);
  text = text.substr(1, text.size() - 2);
  if (text.starts_with(kIpv6)) return is_ipv6(text.substr(kIpv6.size()));
  return is_ipv4(text);
}

}  // namespace

bool is_ipv4(std::string_view text) {
  int parts = 0;
  const bool good = all_parts(text, '.', [&](std::string_view part) {
    ++parts;
    if (part.empty() || part.size() > 3 || (part.size() > 1 && part.front() == '0')) return false;
    int number = 0;
    for (const char c : part) {
      if (c < '0' || c > '9') return false;
      number = number * 10 + (c - '0');
    }
    return number <= 255;
  });
  return good && parts == 4;
}

bool is_ipv6(std::string_view text) {
  constexpr int kGroups = 8;
  const std::size_t gap = text.find("::");
  if (gap == std::string_view::npos) return count_ipv6_groups(text) == kGroups;
  const std::string_view head = text.substr(0, gap);
  const int before = count_ipv6_groups(head);
  const int after = count_ipv6_groups(text.substr(gap + 2));
  // An IPv4 address may only end the whole.
  const bool address_inside = head.find('.') != std::string_view::npos;
  return before >= 0 && after >= 0 && !address_inside && before + after < kGroups;
}

bool is_hostname(std::string_view text) { return text.size() <= 253 && all_parts(text, '.', is_host_label); }

bool is_email(std::string_view text) {
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos) return false;
  const std::string_view local = text.substr(0, at);
  return (is_dot_string(local) || is_quoted_string(local)) && is_mail_domain(text.substr(at + 1));
}

}  // namespace parley::inference::json_schema
