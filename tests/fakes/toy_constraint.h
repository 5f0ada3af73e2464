#pragma once
// A constraint whose allowed tokens depend on everything accepted so far, so that a lost or doubled token
// shows. One thread. Misuse throws std::logic_error.

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "inference/grammar/token_constraint.h"
#include "tests/fakes/toy_model.h"

namespace parley::tests::fakes {

class ToyConstraint final : public inference::grammar::TokenConstraint {
 public:
  // Complete after `length` tokens; 0: never. About one token in `rarity` is allowed at each place.
  ToyConstraint(int vocab_size, int length, int rarity)
      : vocab_size_(vocab_size), length_(length), rarity_(rarity) {}

  bool allows(std::int32_t token) const override {
    if (is_complete()) return false;
    if (token == always()) return true;
    return toy_mix(history_, static_cast<std::uint64_t>(token)) % static_cast<std::uint64_t>(rarity_) == 0;
  }
  void accept(std::int32_t token) override {
    if (!allows(token)) throw std::logic_error("a token was accepted that is not allowed");
    history_ = toy_mix(history_, static_cast<std::uint64_t>(token) + 1);
    ++num_accepted_;
  }
  void fill_mask(std::span<std::uint64_t> mask) override {
    for (std::uint64_t& word : mask) word = 0;
    for (std::int32_t token = 0; token < vocab_size_; ++token) {
      const auto bit = static_cast<std::size_t>(token);
      if (allows(token)) mask[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
  }
  std::string forced_bytes() const override { return {}; }
  bool is_complete() const override { return length_ > 0 && num_accepted_ >= length_; }
  std::unique_ptr<TokenConstraint> clone() const override { return std::make_unique<ToyConstraint>(*this); }

 private:
  std::int32_t always() const {
    return static_cast<std::int32_t>(history_ % static_cast<std::uint64_t>(vocab_size_));
  }

  int vocab_size_;
  int length_;
  int rarity_;
  int num_accepted_ = 0;
  std::uint64_t history_ = 1;
};

}  // namespace parley::tests::fakes
