#include "inference/json_schema/run.h"

#include <iterator>
#include <utility>

#include "inference/json_schema/json_pointer.h"

namespace parley::inference::json_schema {

using json::JsonArray;
using json::JsonObject;
using json::JsonValue;

namespace {

constexpr std::size_t kMarksPerStep = 64;

}  // namespace

bool Run::apply(NodeId id, const JsonValue& instance, Marks& marks) {
  if (depth_ == schema_.options.max_depth) budget_.exhaust();
  if (!budget_.spend(1)) return false;
  const Node& node = schema_.nodes[id];
  if (node.allows_nothing) return fail("false", [] { return "is not allowed"; });
  const bool enters = scopes_.empty() || scopes_.back() != node.resource;
  if (enters) scopes_.push_back(node.resource);
  ++depth_;
  Marks own = make_marks(instance);
  const bool valid = check_keywords(node, instance, own);
  if (valid) marks.add(own);
  --depth_;
  if (enters) scopes_.pop_back();
  return valid;
}

bool Run::check_keywords(const Node& node, const JsonValue& instance, Marks& marks) {
  bool valid = true;
  for (const auto& keyword : node.keywords) {
    if (!budget_.spend(1)) return false;
    if (!keyword->check(instance, *this, marks)) valid = false;
    if (!valid && !listens()) return false;
  }
  // A schema that failed has marked less than it would have: what is unevaluated then is no news.
  for (const auto& keyword : node.last) {
    if (valid) valid = budget_.spend(1) && keyword->check(instance, *this, marks);
  }
  return valid;
}

bool Run::apply_to_element(NodeId node, const JsonArray& array, std::size_t index) {
  Marks none;
  steps_.push_back({.key = {}, .index = index});
  const bool valid = apply(node, array[index], none);
  steps_.pop_back();
  return valid;
}

bool Run::apply_to_member(NodeId node, const JsonObject::value_type& member) {
  Marks none;
  steps_.push_back({.key = member.key(), .index = 0});
  const bool valid = apply(node, member.value(), none);
  steps_.pop_back();
  return valid;
}

bool Run::accepts(NodeId node, const JsonValue& instance, Marks& marks) {
  ++quiet_;
  const bool valid = apply(node, instance, marks);
  --quiet_;
  return valid;
}

bool Run::try_apply(NodeId node, const JsonValue& instance, Marks& marks, std::vector<Violation>& aside) {
  if (!listens()) return accepts(node, instance, marks);
  std::vector<Violation> before = std::exchange(violations_, {});
  const bool valid = apply(node, instance, marks);
  aside = std::exchange(violations_, std::move(before));
  return valid;
}

void Run::report(std::vector<Violation> violations) {
  for (Violation& violation : violations) {
    if (listens()) violations_.push_back(std::move(violation));
  }
}

Marks Run::make_marks(const JsonValue& instance) {
  if (!schema_.takes_marks) return Marks();
  Marks marks(instance);
  budget_.spend(marks.size() / kMarksPerStep);
  return marks;
}

NodeId Run::outermost_anchor(std::string_view anchor, NodeId fallback) {
  budget_.spend(scopes_.size());
  for (const ResourceId scope : scopes_) {
    const NamedNodes& anchors = schema_.resources[scope].dynamic_anchors;
    if (const auto found = anchors.find(anchor); found != anchors.end()) return found->second;
  }
  return fallback;
}

NodeId Run::outermost_recursive_anchor(NodeId fallback) {
  budget_.spend(scopes_.size());
  for (const ResourceId scope : scopes_) {
    if (schema_.resources[scope].recursive_anchor) return schema_.resources[scope].root;
  }
  return fallback;
}

void Run::add(std::string place, std::string_view keyword, std::string sentence) {
  violations_.push_back(
      {.place = std::move(place), .keyword = std::string(keyword), .sentence = std::move(sentence)});
}

std::string Run::place() const {
  std::string place;
  for (const Step& step : steps_) {
    append_pointer_step(place, step.key.data() ? std::string(step.key) : std::to_string(step.index));
  }
  return place;
}

std::string Run::place_of(std::string_view member) const {
  std::string place = this->place();
  append_pointer_step(place, member);
  return place;
}

}  // namespace parley::inference::json_schema
