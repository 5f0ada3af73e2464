#pragma once
// Checks one JSON value byte by byte (RFC 8259; at most 64 containers deep) and says where it ends. The bytes
// are UTF-8. One object per value, used by one thread. Never fails: bad text is a status. Constant time and
// memory per byte.

#include <cstdint>
#include <string>
#include <string_view>

namespace parley::orchestration::calls {

class JsonScanner {
 public:
  enum class Status : std::uint8_t {
    more,
    done,         // the value ends with this byte
    done_before,  // a number ended before this byte, which was not taken
    bad,          // this byte cannot stand here
  };

  Status push(char byte);

  // Whether the value may end here: a number without a further digit.
  bool may_end() const;

  // In a string and not in an escape: any character but a control character may follow.
  bool in_string() const { return state_ == State::string; }
  // In a string, in an escape or not.
  bool within_string() const { return state_ >= State::string; }
  // After `{`: a key or the end must follow.
  bool at_first_key() const { return state_ == State::first_key; }
  // A value is complete, containers are open: a comma or a closing bracket must follow.
  bool after_member() const { return state_ == State::after_value && !open_.empty(); }
  std::size_t depth() const { return open_.size(); }

  // Of the byte that was bad: "a comma or a closing bracket was expected".
  std::string_view problem() const;

 private:
  enum class State : std::uint8_t {
    value,
    first_element,
    first_key,
    key,
    colon,
    after_value,
    literal,
    minus,
    zero,
    digits,
    point,
    decimals,
    exponent,
    exponent_sign,
    exponent_digits,
    string,
    escape,
    hex,  // from `string` on: inside one
  };

  Status push_outside(char byte);
  Status push_in_string(char byte);
  Status push_number(char byte);
  Status begin_value(char byte);
  Status begin_scalar(char byte);
  Status close(char byte);
  Status end_value();
  bool accept(State next) {
    state_ = next;
    return true;
  }
  bool number_goes_on(char byte);

  State state_ = State::value;
  bool string_is_key_ = false;
  std::uint8_t hex_digits_ = 0;
  std::string_view literal_;  // what is left of true, false, null
  std::string open_;          // '{' and '['
};

// Whether the text is one JSON value, white space around it allowed.
bool is_json(std::string_view text);

}  // namespace parley::orchestration::calls
