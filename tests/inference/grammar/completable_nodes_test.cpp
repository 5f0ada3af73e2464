#include "inference/grammar/completable_nodes.h"

#include <gtest/gtest.h>

#include "tests/inference/grammar/grammar_testing.h"

namespace parley::inference::grammar {
namespace {

// Nodes are put together by hand; the first one is a choice of nothing, as in each grammar.
class Nodes {
 public:
  NodeId terminal() { return add(Grammar::Kind::terminal, 0); }
  NodeId choice(std::vector<NodeId> nodes) {
    grammar_.choices.push_back(std::move(nodes));
    return add(Grammar::Kind::choice, grammar_.choices.size() - 1);
  }
  NodeId sequence(std::vector<NodeId> nodes) {
    grammar_.sequences.push_back(std::move(nodes));
    return add(Grammar::Kind::sequence, grammar_.sequences.size() - 1);
  }
  NodeId array(Grammar::Array array) {
    grammar_.arrays.push_back(std::move(array));
    return add(Grammar::Kind::array, grammar_.arrays.size() - 1);
  }
  NodeId object(Grammar::Object object) {
    grammar_.objects.push_back(std::move(object));
    return add(Grammar::Kind::object, grammar_.objects.size() - 1);
  }
  std::vector<NodeId>& branches(NodeId choice) { return grammar_.choices[grammar_.nodes[choice].index]; }
  std::vector<bool> completable() const { return find_completable(grammar_); }

 private:
  NodeId add(Grammar::Kind kind, std::size_t index) {
    grammar_.nodes.push_back({kind, static_cast<std::uint32_t>(index)});
    return static_cast<NodeId>(grammar_.nodes.size() - 1);
  }

  Grammar grammar_;
};

Grammar::Key member(NodeId value, bool is_required) {
  return {.quoted = "\"k\"", .value = value, .is_required = is_required};
}

TEST(CompletableNodes, sequences_need_all_and_choices_one) {
  Nodes nodes;
  const NodeId never = nodes.choice({});
  const NodeId text = nodes.terminal();
  const NodeId both = nodes.sequence({text, never});
  const NodeId twice = nodes.sequence({text, text});
  const NodeId one_of = nodes.choice({never, text, text});
  const NodeId neither = nodes.choice({never, both});
  const NodeId nothing = nodes.sequence({});
  const auto found = nodes.completable();
  EXPECT_FALSE(found[never] || found[both] || found[neither]);
  EXPECT_TRUE(found[text] && found[twice] && found[one_of] && found[nothing]);
}

TEST(CompletableNodes, arrays_need_their_least_elements) {
  Nodes nodes;
  const NodeId never = nodes.choice({});
  const NodeId text = nodes.terminal();
  const NodeId optional = nodes.array({.prefix = {never}, .items = never});
  const NodeId needs_it = nodes.array({.prefix = {text, never}, .items = text, .min = 2});
  const NodeId needs_first = nodes.array({.prefix = {text, never}, .items = never, .min = 1});
  const NodeId needs_items = nodes.array({.prefix = {text}, .items = never, .min = 2});
  const NodeId too_many = nodes.array({.prefix = {}, .items = text, .min = 2, .max = 1});
  const auto found = nodes.completable();
  EXPECT_TRUE(found[optional] && found[needs_first]);
  EXPECT_FALSE(found[needs_it] || found[needs_items] || found[too_many]);
}

TEST(CompletableNodes, objects_need_what_is_required_and_as_many_as_that) {
  Nodes nodes;
  const NodeId never = nodes.choice({});
  const NodeId text = nodes.terminal();
  const auto object = [&](std::vector<Grammar::Key> keys, std::uint32_t min, std::uint32_t max,
                          bool has_others) {
    Grammar::Object made;
    made.keys = std::move(keys);
    made.min = min;
    made.max = max;
    if (has_others) made.others.push_back({.keys = nullptr, .value = text});
    return nodes.object(std::move(made));
  };
  const NodeId optional = object({member(never, false)}, 0, kNoLimit, false);
  const NodeId required = object({member(never, true)}, 0, kNoLimit, true);
  const NodeId two_of_two = object({member(text, true), member(text, false)}, 2, kNoLimit, false);
  const NodeId two_of_one = object({member(text, true), member(never, false)}, 2, kNoLimit, false);
  const NodeId two_with_others = object({member(text, true), member(never, false)}, 2, kNoLimit, true);
  const NodeId over_max = object({member(text, true), member(text, true)}, 0, 1, false);
  const auto found = nodes.completable();
  EXPECT_TRUE(found[optional] && found[two_of_two] && found[two_with_others]);
  EXPECT_FALSE(found[required] || found[two_of_one] || found[over_max]);
}

TEST(CompletableNodes, what_contains_itself_needs_a_way_out) {
  Nodes nodes;
  const NodeId endless = nodes.choice({});
  nodes.branches(endless) = {nodes.sequence({endless})};
  const NodeId list = nodes.choice({});
  nodes.branches(list) = {nodes.sequence({nodes.terminal(), list}), nodes.sequence({})};
  const auto found = nodes.completable();
  EXPECT_FALSE(found[endless]);
  EXPECT_TRUE(found[list]);
}

// Each one needs another one that stands now before it, now behind it: sweeps over all nodes would be as many
// as these.
TEST(CompletableNodes, chains_to_and_fro_take_no_sweeps) {
  constexpr std::size_t kCount = 200'000;
  Nodes nodes;
  std::vector<NodeId> made;
  for (std::size_t i = 0; i < kCount; ++i) made.push_back(nodes.choice({}));
  const auto place = [&](std::size_t step) { return made[step % 2 == 0 ? step / 2 : kCount - 1 - step / 2]; };
  for (std::size_t step = 1; step < kCount; ++step) nodes.branches(place(step)) = {place(step - 1)};
  nodes.branches(place(0)) = {nodes.terminal()};
  const auto found = nodes.completable();
  EXPECT_EQ(std::count(found.begin(), found.end(), true), static_cast<std::ptrdiff_t>(kCount + 1));
}

}  // namespace
}  // namespace parley::inference::grammar
