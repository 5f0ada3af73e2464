#include "inference/grammar/completable_nodes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace parley::inference::grammar {
namespace {

// What a node still lacks: each of some nodes, and so many of some others.
struct Lack {
  std::size_t all = 0;
  std::size_t some = 0;
};

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

// What a node is to another one.
enum class Role : std::uint8_t {
  needed,   // one of those without which it cannot be
  counted,  // one of those of which it needs some
  enough,   // stands for all that are counted
};

struct Use {
  NodeId user = 0;
  Role role = Role::needed;
};

std::size_t num_needed(const Grammar::Array& array) {
  return std::min<std::size_t>(array.prefix.size(), array.min);
}

// Calls `visit` with each node that a node's completion depends on, and its role.
template <typename Visit>
void visit_parts(const Grammar& grammar, const Grammar::Node& node, Visit visit) {
  switch (node.kind) {
    case Grammar::Kind::sequence:
      for (const NodeId part : grammar.sequences[node.index]) visit(part, Role::needed);
      return;
    case Grammar::Kind::choice:
      for (const NodeId part : grammar.choices[node.index]) visit(part, Role::counted);
      return;
    case Grammar::Kind::array: {
      const Grammar::Array& array = grammar.arrays[node.index];
      for (std::size_t i = 0; i < num_needed(array); ++i) visit(array.prefix[i], Role::needed);
      if (array.min > array.prefix.size()) visit(array.items, Role::needed);
      return;
    }
    case Grammar::Kind::object:
      for (const Grammar::Key& key : grammar.objects[node.index].keys) {
        if (key.is_required) visit(key.value, Role::needed);
        visit(key.value, Role::counted);
      }
      for (const Grammar::OtherKeys& others : grammar.objects[node.index].others)
        visit(others.value, Role::enough);
      return;
    case Grammar::Kind::terminal:
    case Grammar::Kind::dispatch:
      return;
  }
}

Lack lack_of(const Grammar& grammar, const Grammar::Node& node) {
  switch (node.kind) {
    case Grammar::Kind::sequence:
      return {.all = grammar.sequences[node.index].size()};
    case Grammar::Kind::choice:
      return {.some = 1};
    case Grammar::Kind::array: {
      const Grammar::Array& array = grammar.arrays[node.index];
      if (array.min > array.max) return {.all = kNever};
      return {.all = num_needed(array) + (array.min > array.prefix.size() ? 1 : 0)};
    }
    case Grammar::Kind::object: {
      const Grammar::Object& object = grammar.objects[node.index];
      const auto num_required = static_cast<std::size_t>(std::count_if(
          object.keys.begin(), object.keys.end(), [](const Grammar::Key& key) { return key.is_required; }));
      if (num_required > object.max || object.min > object.max) return {.all = kNever};
      return {.all = num_required, .some = object.min};
    }
    case Grammar::Kind::terminal:
    case Grammar::Kind::dispatch:
      return {};
  }
  return {};
}

// Every node tells those that use it once it can be completed.
class CompletableNodes {
 public:
  explicit CompletableNodes(const Grammar& grammar) : completable_(grammar.nodes.size()) {
    std::vector<std::size_t> num_uses(grammar.nodes.size() + 1);
    for (const Grammar::Node& node : grammar.nodes) {
      lacks_.push_back(lack_of(grammar, node));
      visit_parts(grammar, node, [&](NodeId part, Role) { ++num_uses[part + 1]; });
    }
    for (std::size_t i = 1; i < num_uses.size(); ++i) num_uses[i] += num_uses[i - 1];
    first_use_ = num_uses;
    uses_.resize(num_uses.back());
    for (NodeId user = 0; user < grammar.nodes.size(); ++user) {
      visit_parts(grammar, grammar.nodes[user], [&](NodeId part, Role role) {
        uses_[num_uses[part]++] = {user, role};
      });
    }
  }

  std::vector<bool> find() {
    for (NodeId node = 0; node < completable_.size(); ++node) look_at(node);
    while (!found_.empty()) {
      const NodeId node = found_.back();
      found_.pop_back();
      for (std::size_t i = first_use_[node]; i < first_use_[node + 1]; ++i) settle(uses_[i]);
    }
    return std::move(completable_);
  }

 private:
  void settle(const Use& use) {
    Lack& lack = lacks_[use.user];
    if (use.role == Role::needed) {
      --lack.all;
    } else if (use.role == Role::enough) {
      lack.some = 0;
    } else if (lack.some > 0) {
      --lack.some;
    }
    look_at(use.user);
  }

  void look_at(NodeId node) {
    if (completable_[node] || lacks_[node].all != 0 || lacks_[node].some != 0) return;
    completable_[node] = true;
    found_.push_back(node);
  }

  std::vector<Lack> lacks_;
  std::vector<std::size_t> first_use_;  // by node; one more for the end
  std::vector<Use> uses_;
  std::vector<bool> completable_;
  std::vector<NodeId> found_;  // those whose users have not been told
};

}  // namespace

std::vector<bool> find_completable(const Grammar& grammar) { return CompletableNodes(grammar).find(); }

}  // namespace parley::inference::grammar
