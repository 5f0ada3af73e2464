#include "inference/json_schema/equality.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "inference/json_schema/exact_number.h"

namespace parley::inference::json_schema {
namespace {

using json::JsonArray;
using json::JsonObject;
using json::JsonValue;

constexpr std::size_t kMaxDepth = 256;
constexpr std::size_t kHashedDepth = 8;  // what lies deeper is left to the comparison
constexpr std::size_t kBytesPerStep = 64;

class Comparison {
 public:
  explicit Comparison(Budget& budget) : budget_(budget) {}

  bool equal(const JsonValue& a, const JsonValue& b, std::size_t depth) {
    if (depth > kMaxDepth) budget_.exhaust();
    if (!budget_.spend(1)) return false;
    if (a.is_number() && b.is_number()) return exact_number(a) == exact_number(b);
    if (a.kind() != b.kind()) return false;
    if (a.is_string()) return equal_text(a.get_string(), b.get_string());
    if (a.is_array()) return equal_arrays(a.get_array(), b.get_array(), depth);
    if (a.is_object()) return equal_objects(a.get_object(), b.get_object(), depth);
    return a.is_null() || a.get_bool() == b.get_bool();
  }

 private:
  bool equal_text(std::string_view a, std::string_view b) {
    return a.size() == b.size() && budget_.spend(a.size() / kBytesPerStep) && a == b;
  }

  bool equal_arrays(const JsonArray& a, const JsonArray& b, std::size_t depth) {
    const auto same = [&](const JsonValue& x, const JsonValue& y) { return equal(x, y, depth + 1); };
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), same);
  }

  bool equal_objects(const JsonObject& a, const JsonObject& b, std::size_t depth) {
    return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&](const auto& member) {
             const JsonValue* twin = b.if_contains(member.key());
             return twin && equal(member.value(), *twin, depth + 1);
           });
  }

  Budget& budget_;
};

std::size_t hash_text(std::string_view text) { return std::hash<std::string_view>{}(text); }

// Equal values have equal hashes; members are added up, since they have no order.
std::size_t hash_of(const JsonValue& value, std::size_t depth, Budget& budget) {
  std::size_t hash = static_cast<std::size_t>(value.kind()) * 0x9E3779B97F4A7C15U;
  if (depth == kHashedDepth || !budget.spend(1)) return 0;
  if (value.is_number()) return std::hash<double>{}(static_cast<double>(exact_number(value)));
  if (value.is_string()) {
    budget.spend(value.get_string().size() / kBytesPerStep);
    return hash_text(value.get_string());
  }
  if (value.is_bool()) return hash + (value.get_bool() ? 1U : 0U);
  if (value.is_array()) {
    for (const JsonValue& element : value.get_array()) hash = hash * 31 + hash_of(element, depth + 1, budget);
  } else if (value.is_object()) {
    for (const auto& member : value.get_object()) {
      hash += hash_text(member.key()) * 31 + hash_of(member.value(), depth + 1, budget);
    }
  }
  return hash;
}

}  // namespace

bool are_equal(const JsonValue& a, const JsonValue& b, Budget& budget) {
  return Comparison(budget).equal(a, b, 0);
}

std::optional<std::pair<std::size_t, std::size_t>> find_equal_pair(const JsonArray& array, Budget& budget) {
  std::unordered_map<std::size_t, std::vector<std::size_t>> seen;
  for (std::size_t i = 0; i < array.size(); ++i) {
    std::vector<std::size_t>& alike = seen[hash_of(array[i], 0, budget)];
    for (const std::size_t earlier : alike) {
      if (are_equal(array[earlier], array[i], budget)) return std::pair(earlier, i);
      if (budget.exhausted()) return std::nullopt;
    }
    alike.push_back(i);
  }
  return std::nullopt;
}

}  // namespace parley::inference::json_schema
