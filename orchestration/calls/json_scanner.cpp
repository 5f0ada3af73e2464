#include "orchestration/calls/json_scanner.h"

#include "orchestration/calls/call_input.h"

namespace parley::orchestration::calls {
namespace {

constexpr std::size_t kMaxDepth = 64;

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

bool is_hex_digit(char byte) {
  return is_digit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

}  // namespace

JsonScanner::Status JsonScanner::push(char byte) {
  if (state_ >= State::string) return push_in_string(byte);
  if (state_ >= State::minus) return push_number(byte);
  if (state_ == State::literal) {
    if (byte != literal_.front()) return Status::bad;
    literal_.remove_prefix(1);
    return literal_.empty() ? end_value() : Status::more;
  }
  return is_space(byte) ? Status::more : push_outside(byte);
}

JsonScanner::Status JsonScanner::push_outside(char byte) {
  switch (state_) {
    case State::first_key:
    case State::key:
      if (byte == '}' && state_ == State::first_key) return close(byte);
      if (byte != '"') return Status::bad;
      string_is_key_ = true;
      state_ = State::string;
      return Status::more;
    case State::colon:
      if (byte != ':') return Status::bad;
      state_ = State::value;
      return Status::more;
    case State::after_value:
      if (open_.empty()) return Status::bad;
      if (byte != ',') return close(byte);
      state_ = open_.back() == '{' ? State::key : State::value;
      return Status::more;
    case State::first_element:
      if (byte == ']') return close(byte);
      return begin_value(byte);
    default:
      return begin_value(byte);
  }
}

JsonScanner::Status JsonScanner::begin_value(char byte) {
  if (byte == '"') {
    string_is_key_ = false;
    state_ = State::string;
    return Status::more;
  }
  if (byte != '{' && byte != '[') return begin_scalar(byte);
  if (open_.size() == kMaxDepth) return Status::bad;
  open_ += byte;
  state_ = byte == '{' ? State::first_key : State::first_element;
  return Status::more;
}

JsonScanner::Status JsonScanner::begin_scalar(char byte) {
  if (byte == 't' || byte == 'f' || byte == 'n') {
    literal_ = byte == 't' ? "rue" : byte == 'f' ? "alse" : "ull";
    state_ = State::literal;
  } else if (byte == '-') {
    state_ = State::minus;
  } else if (is_digit(byte)) {
    state_ = byte == '0' ? State::zero : State::digits;
  } else {
    return Status::bad;
  }
  return Status::more;
}

JsonScanner::Status JsonScanner::push_in_string(char byte) {
  constexpr std::string_view kEscapes = "\"\\/bfnrtu";
  if (state_ == State::escape) {
    if (kEscapes.find(byte) == std::string_view::npos) return Status::bad;
    hex_digits_ = 4;
    state_ = byte == 'u' ? State::hex : State::string;
  } else if (state_ == State::hex) {
    if (!is_hex_digit(byte)) return Status::bad;
    if (--hex_digits_ == 0) state_ = State::string;
  } else if (byte == '\\') {
    state_ = State::escape;
  } else if (byte == '"') {
    if (!string_is_key_) return end_value();
    state_ = State::colon;
  } else if (static_cast<unsigned char>(byte) < 0x20) {
    return Status::bad;
  }
  return Status::more;
}

bool JsonScanner::number_goes_on(char byte) {
  const bool is_exponent = byte == 'e' || byte == 'E';
  switch (state_) {
    case State::minus:
      return is_digit(byte) && accept(byte == '0' ? State::zero : State::digits);
    case State::zero:
      return (byte == '.' && accept(State::point)) || (is_exponent && accept(State::exponent));
    case State::digits:
      return is_digit(byte) || (byte == '.' && accept(State::point)) ||
             (is_exponent && accept(State::exponent));
    case State::point:
      return is_digit(byte) && accept(State::decimals);
    case State::decimals:
      return is_digit(byte) || (is_exponent && accept(State::exponent));
    case State::exponent:
      if (byte == '+' || byte == '-') return accept(State::exponent_sign);
      [[fallthrough]];
    case State::exponent_sign:
      return is_digit(byte) && accept(State::exponent_digits);
    default:
      return is_digit(byte);
  }
}

bool JsonScanner::may_end() const {
  return open_.empty() && (state_ == State::zero || state_ == State::digits || state_ == State::decimals ||
                           state_ == State::exponent_digits);
}

JsonScanner::Status JsonScanner::push_number(char byte) {
  if (number_goes_on(byte)) return Status::more;
  if (state_ != State::zero && state_ != State::digits && state_ != State::decimals &&
      state_ != State::exponent_digits) {
    return Status::bad;
  }
  state_ = State::after_value;
  return open_.empty() ? Status::done_before : push(byte);
}

JsonScanner::Status JsonScanner::close(char byte) {
  if (open_.empty() || byte != (open_.back() == '{' ? '}' : ']')) return Status::bad;
  open_.pop_back();
  return end_value();
}

JsonScanner::Status JsonScanner::end_value() {
  state_ = State::after_value;
  return open_.empty() ? Status::done : Status::more;
}

std::string_view JsonScanner::problem() const {
  switch (state_) {
    case State::first_key:
    case State::key:
      return "a key in double quotes was expected";
    case State::colon:
      return "a colon was expected";
    case State::after_value:
      return "a comma or a closing bracket was expected";
    case State::escape:
    case State::hex:
      return "an escape in a string is not one of JSON";
    case State::string:
      return "a control character stands in a string";
    case State::literal:
    case State::value:
    case State::first_element:
      return open_.size() == kMaxDepth ? "more than 64 containers are nested" : "a value was expected";
    default:
      return "a number is not one of JSON";
  }
}

bool is_json(std::string_view text) {
  JsonScanner scanner;
  auto status = JsonScanner::Status::more;
  while (!text.empty() && status == JsonScanner::Status::more) {
    status = scanner.push(text.front());
    if (status != JsonScanner::Status::done_before) text.remove_prefix(1);
  }
  if (status == JsonScanner::Status::more) return scanner.may_end();
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return status != JsonScanner::Status::bad && text.empty();
}

}  // namespace parley::orchestration::calls
