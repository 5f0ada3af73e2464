#pragma once
// Which tokens may come next: the seam between the sampler and a grammar. One object belongs to one request
// and is used by one thread at a time (the engine thread, once the request is submitted). Never throws for a
// token.
//
// The engine draws first and verifies after: `allows` costs the token's bytes, `fill_mask` a walk over the
// vocabulary, so the mask is made only when a drawn token was refused.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace parley::inference::grammar {

class TokenConstraint {
 public:
  virtual ~TokenConstraint() = default;

  // Whether `token` may come next. Ids that end generation are allowed exactly when the text may end here.
  virtual bool allows(std::int32_t token) const = 0;
  // Moves on by a token that is allowed.
  virtual void accept(std::int32_t token) = 0;
  // Sets bit `token` (of word token / 64) for all allowed tokens, clears all others. At least one is set.
  virtual void fill_mask(std::span<std::uint64_t> mask) = 0;
  // The bytes that must come next, whatever is drawn; empty when there is a choice, or when the text may end
  // here.
  virtual std::string forced_bytes() const = 0;
  // Nothing but an end may follow.
  virtual bool is_complete() const = 0;
  // A copy in the same state: what may be undone is tried on a copy.
  virtual std::unique_ptr<TokenConstraint> clone() const = 0;
};

}  // namespace parley::inference::grammar
