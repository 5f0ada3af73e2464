#include "inference/grammar/token_trie.h"

#include <algorithm>

namespace parley::inference::grammar {
namespace {

std::size_t shared_prefix(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

}  // namespace

TokenTrie::TokenTrie(std::span<const TokenBytes> tokens) {
  std::vector<std::size_t> path;  // nodes from the first byte to the last one added
  const auto close = [&](std::size_t depth) {
    while (path.size() > depth) {
      nodes_[path.back()].num_nodes_ = static_cast<std::uint32_t>(nodes_.size() - path.back());
      path.pop_back();
    }
  };
  std::string_view last;
  for (const auto& [bytes, token] : tokens) {
    if (bytes.empty() || bytes.size() > kMaxDepth) continue;
    if (bytes == last) {
      twins_.push_back({static_cast<std::int32_t>(nodes_[path.back()].token_), token});
      continue;
    }
    close(shared_prefix(last, bytes));
    while (path.size() < bytes.size()) {
      path.push_back(nodes_.size());
      nodes_.emplace_back(static_cast<std::uint8_t>(bytes[path.size() - 1]),
                          static_cast<std::uint8_t>(path.size()));
    }
    nodes_.back().token_ = static_cast<std::uint32_t>(token) & kNoToken;
    last = bytes;
  }
  close(0);
}

SubtreeMarks::SubtreeMarks(const TokenTrie& trie, std::span<const TextClasses> classes)
    : marks_(trie.nodes().size()) {
  const auto nodes = trie.nodes();
  for (std::size_t i = nodes.size(); i-- > 0;) {  // children come behind their parents
    Mark& mark = marks_[i];
    if (nodes[i].token() != TokenTrie::kNoToken) mark = {classes[nodes[i].token()], nodes[i].depth()};
    const std::size_t end = i + nodes[i].num_nodes();
    for (std::size_t child = i + 1; child < end; child += nodes[child].num_nodes()) {
      mark.classes &= marks_[child].classes;
      mark.longest = std::max(mark.longest, marks_[child].longest);
    }
  }
}

bool TokenTrie::has_longer(std::string_view bytes) const {
  std::size_t begin = 0;
  std::size_t end = nodes_.size();
  for (const char byte : bytes) {
    while (begin < end && nodes_[begin].byte() != static_cast<std::uint8_t>(byte)) {
      begin += nodes_[begin].num_nodes();
    }
    if (begin >= end) return false;
    end = begin + nodes_[begin].num_nodes();
    ++begin;
  }
  return begin < end;
}

}  // namespace parley::inference::grammar
