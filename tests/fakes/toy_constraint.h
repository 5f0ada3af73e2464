#pragma once
// A constraint whose allowed tokens depend on everything accepted so far, so that a lost or doubled token
// shows. One thread. Misuse throws std::logic_error.

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "inference/grammar/token_constraint.h"
#include "tests/fakes/toy_model.h"

namespace parley::tests::fakes {

class ToyConstraint final : public inference::grammar::TokenConstraint {
 public:
  // Complete after `length` tokens; 0: never. About one token in `rarity` is allowed at each place, and only
  // one at `percent_forced` of the places.
  ToyConstraint(int vocab_size, int length, int rarity, int percent_forced = 0)
      : vocab_size_(vocab_size), length_(length), rarity_(rarity), percent_forced_(percent_forced) {}

  bool allows(std::int32_t token) const override {
    if (is_complete()) return false;
    if (token == always()) return true;
    if (is_forced()) return false;
    return toy_mix(history_, static_cast<std::uint64_t>(token)) % static_cast<std::uint64_t>(rarity_) == 0;
  }
  void accept(std::int32_t token) override {
    if (!allows(token)) throw std::logic_error("a token was accepted that is not allowed");
    history_ = toy_mix(history_, static_cast<std::uint64_t>(token) + 1);
    ++num_accepted_;
    last_accepted_ = token;
  }
  void fill_mask(std::span<std::uint64_t> mask) override {
    for (std::uint64_t& word : mask) word = 0;
    for (std::int32_t token = 0; token < vocab_size_; ++token) {
      const auto bit = static_cast<std::size_t>(token);
      if (allows(token)) mask[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
  }
  std::string forced_bytes() const override { return {}; }
  std::vector<std::int32_t> forced_run(std::span<const std::int32_t> context) const override {
    if (num_accepted_ > 0 && (context.empty() || context.back() != last_accepted_))
      throw std::logic_error("the context is not the text so far");
    constexpr std::size_t kLongest = 64;
    std::vector<std::int32_t> run;
    for (ToyConstraint next = *this; run.size() < kLongest && !next.is_complete() && next.is_forced();) {
      run.push_back(next.always());
      next.accept(run.back());
    }
    return run;
  }
  bool is_complete() const override { return length_ > 0 && num_accepted_ >= length_; }
  std::unique_ptr<TokenConstraint> clone() const override { return std::make_unique<ToyConstraint>(*this); }

 private:
  std::int32_t always() const {
    return static_cast<std::int32_t>(history_ % static_cast<std::uint64_t>(vocab_size_));
  }

  bool is_forced() const { return toy_mix(history_, 0) % 100 < static_cast<std::uint64_t>(percent_forced_); }

  int vocab_size_;
  int length_;
  int rarity_;
  int percent_forced_;
  int num_accepted_ = 0;
  std::int32_t last_accepted_ = -1;
  std::uint64_t history_ = 1;
};

}  // namespace parley::tests::fakes
