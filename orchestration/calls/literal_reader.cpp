#include "orchestration/calls/literal_reader.h"

#include <array>
#include <utility>

#include "orchestration/calls/json_scanner.h"
#include "orchestration/calls/json_value_reader.h"

namespace parley::orchestration::calls {
namespace {

constexpr std::size_t kMaxContainers = 64;
constexpr std::size_t kMaxKeyBytes = 128;
constexpr std::size_t kMaxWordBytes = 65536;
constexpr std::string_view kClosers = ")]}";

char closer_of(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

std::string json_of_word(std::string_view word) {
  while (!word.empty() && is_space(word.back())) word.remove_suffix(1);
  if (word == "True" || word == "true") return "true";
  if (word == "False" || word == "false") return "false";
  if (word == "None" || word == "null") return "null";
  return is_json(word) ? std::string(word) : '"' + json_escaped(word) + '"';
}

// `name =` of an argument, `key :` of a dictionary.
Found match_key(Ahead ahead, char separator) {
  std::size_t length = 0;
  while (length < ahead.text.size() && length < kMaxKeyBytes && is_name_byte(ahead.text[length])) ++length;
  if (length == 0 && !ahead.text.empty()) return {};
  const std::size_t space = space_length(ahead.text.substr(length));
  if (length + space == ahead.text.size() && space <= kMaxSpace && length < kMaxKeyBytes) {
    return {ahead.ended ? Match::no : Match::partial, 0};
  }
  const bool found = length + space < ahead.text.size() && ahead.text[length + space] == separator;
  return found ? Found{Match::yes, length} : Found{};
}

}  // namespace

bool is_name_byte(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
         byte == '_' || byte == '-' || byte == '.' || static_cast<unsigned char>(byte) >= 0x80;
}

Found match_call_head(Ahead ahead, std::string_view brackets) {
  std::size_t length = 0;
  while (length < ahead.text.size() && length < kMaxKeyBytes && is_name_byte(ahead.text[length])) ++length;
  if (length == ahead.text.size()) return {ahead.ended ? Match::no : Match::partial, 0};
  const bool found = length > 0 && brackets.find(ahead.text[length]) != std::string_view::npos;
  return found ? Found{Match::yes, length} : Found{};
}

LiteralReader::LiteralReader(const MarkerSymbols& symbols, const Markers& quote, char open,
                             ArgumentNames names)
    : symbols_(symbols), quote_(quote), names_(std::move(names)), containers_{{.open = open}} {}

LiteralReader::Status LiteralReader::read(CallInput& input, std::string& out) {
  if (!std::exchange(begun_, true)) out += in_map() ? '{' : '[';
  for (;;) {
    const Step step = next(input, out);
    if (step == Step::on) continue;
    if (step == Step::done) return Status::done;
    if (step == Step::wait && !input.ended()) return Status::more;
    if (step == Step::wait) problem_ = "the output ended inside them";
    return Status::bad;
  }
}

LiteralReader::Step LiteralReader::next(CallInput& input, std::string& out) {
  if (state_ == State::string) return string(input, out);
  if (state_ == State::word) return word(input, out);
  input.take_space();
  if (input.text().empty()) return Step::wait;
  if (state_ == State::item) return item(input, out);
  return state_ == State::value ? value(input, out) : after_value(input, out);
}

LiteralReader::Step LiteralReader::item(CallInput& input, std::string& out) {
  if (kClosers.find(input.text().front()) != std::string_view::npos) return close(input, out);
  if (in_map()) return named_item(input, out);
  if (containers_.back().num_items++ > 0) out += ", ";
  state_ = State::value;
  return Step::on;
}

LiteralReader::Step LiteralReader::named_item(CallInput& input, std::string& out) {
  Container& container = containers_.back();
  const bool in_arguments = container.open == '(';
  if (!in_arguments) {
    const Found quote = match_marker(input.ahead(), quote_);
    if (quote.match == Match::partial) return Step::wait;
    if (quote.match == Match::yes || input.text().front() == '"' || input.text().front() == '\'') {
      if (container.num_items++ > 0) out += ", ";
      is_key_ = true;
      state_ = State::value;
      return Step::on;
    }
    return bare_key(input, out);
  }
  const Found key = match_key(input.ahead(), '=');
  if (key.match == Match::partial) return Step::wait;
  if (key.match == Match::yes) return bare_key(input, out);
  const auto name = names_ ? names_(container.num_items) : std::nullopt;
  if (!name) return fail("an argument without a name");
  if (container.num_items++ > 0) out += ", ";
  out += '"' + json_escaped(*name) + "\": ";
  state_ = State::value;
  return Step::on;
}

LiteralReader::Step LiteralReader::bare_key(CallInput& input, std::string& out) {
  const Found key = match_key(input.ahead(), containers_.back().open == '(' ? '=' : ':');
  if (key.match == Match::partial) return Step::wait;
  if (key.match == Match::no) return fail("a key was expected");
  if (containers_.back().num_items++ > 0) out += ", ";
  out += '"' + json_escaped(input.text().substr(0, key.length)) + "\": ";
  input.take(key.length);
  input.take_space();
  input.take(1);
  state_ = State::value;
  return Step::on;
}

LiteralReader::Step LiteralReader::value(CallInput& input, std::string& out) {
  const Ahead ahead = input.ahead();
  const Found quote = match_marker(ahead, quote_);
  const char byte = ahead.text.front();
  const bool is_quote = byte == '"' || byte == '\'';
  if (quote.match == Match::partial || (is_quote && ahead.text.size() < 3 && !ahead.ended)) return Step::wait;
  if (quote.match == Match::yes || is_quote) {
    open_string({quote.match == Match::yes ? ahead.text.substr(0, quote.length) : ahead.text, ahead.ended});
    input.take(end_.size());
    out += '"';
    state_ = State::string;
    return Step::on;
  }
  if (byte == '(' || byte == '[' || byte == '{') {
    if (containers_.size() == kMaxContainers) return fail("more than 64 containers are nested");
    containers_.push_back({.open = byte == '(' ? '[' : byte});
    out += in_map() ? '{' : '[';
    input.take(1);
    state_ = State::item;
    return Step::on;
  }
  if (byte == ',' || kClosers.find(byte) != std::string_view::npos) return fail("a value was expected");
  word_.clear();
  state_ = State::word;
  return Step::on;
}

bool LiteralReader::open_string(Ahead ahead) {
  const char byte = ahead.text.front();
  raw_ = byte != '"' && byte != '\'';
  if (raw_) {
    end_ = ahead.text;
  } else {
    const std::string triple(3, byte);
    end_ = ahead.text.starts_with(triple) ? triple : std::string(1, byte);
  }
  return raw_;
}

Found LiteralReader::match_string_end(Ahead ahead) const {
  const Found end = match_text(ahead, end_);
  if (end.match != Match::yes) return end;
  const std::string_view rest = ahead.text.substr(end.length);
  const std::size_t space = space_length(rest);
  if (space > kMaxSpace) return {};
  if (space == rest.size()) return ahead.ended ? end : Found{Match::partial, 0};
  const char next = rest[space];
  const bool legal = is_key_ ? next == ':' : next == ',' || kClosers.find(next) != std::string_view::npos;
  return legal ? end : Found{};
}

LiteralReader::Step LiteralReader::string(CallInput& input, std::string& out) {
  const Ahead ahead = input.ahead();
  if (ahead.text.empty()) return Step::wait;
  if (ahead.text.front() == end_.front()) {
    const Found end = match_string_end(ahead);
    if (end.match == Match::partial) return Step::wait;
    if (end.match == Match::yes) return end_string(input, out, end.length);
  }
  if (MarkerSymbols::is_symbol(ahead.text)) {
    out += json_escaped(symbols_.spelled(ahead.text.substr(0, MarkerSymbols::kSymbolSize)));
    input.take(MarkerSymbols::kSymbolSize);
    return Step::on;
  }
  if (ahead.text.front() == '\\' && !raw_) return escape(input, out);
  out += json_escaped(ahead.text.substr(0, 1));
  input.take(1);
  return Step::on;
}

LiteralReader::Step LiteralReader::end_string(CallInput& input, std::string& out, std::size_t length) {
  out += '"';
  input.take(length);
  state_ = State::after_value;
  if (!std::exchange(is_key_, false)) return Step::on;
  input.take_space();
  if (input.text().empty()) return fail("a colon was expected");
  input.take(1);
  out += ": ";
  state_ = State::value;
  return Step::on;
}

LiteralReader::Step LiteralReader::escape(CallInput& input, std::string& out) {
  constexpr std::string_view kSame = "nrtbf\"\\/";  // escapes that JSON has, too
  const std::string_view text = input.text();
  if (text.size() < 2) return Step::wait;
  const char kind = text[1];
  const std::size_t digits = kind == 'u' ? 4 : kind == 'x' ? 2 : 0;
  if (text.size() < 2 + digits) return Step::wait;
  const std::string_view hex = text.substr(2, digits);
  if (digits > 0 && hex.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos) {
    out += digits == 4 ? "\\u" : "\\u00";
    out += hex;
    input.take(2 + digits);
    return Step::on;
  }
  if (kSame.find(kind) != std::string_view::npos) {
    out += text.substr(0, 2);
  } else if (kind == '\'') {
    out += '\'';
  } else if (kind != '\n') {
    out += "\\\\";
    input.take(1);
    return Step::on;
  }
  input.take(2);
  return Step::on;
}

LiteralReader::Step LiteralReader::word(CallInput& input, std::string& out) {
  const std::string_view text = input.text();
  if (text.empty()) return Step::wait;
  const char byte = text.front();
  if (byte == ',' || byte == '\n' || kClosers.find(byte) != std::string_view::npos) {
    out += json_of_word(word_);
    state_ = State::after_value;
    return Step::on;
  }
  if (word_.size() == kMaxWordBytes) return fail("a value without quotes is too long");
  if (MarkerSymbols::is_symbol(text)) return fail("a marker stands in a value");
  word_ += byte;
  input.take(1);
  return Step::on;
}

LiteralReader::Step LiteralReader::after_value(CallInput& input, std::string& out) {
  if (input.text().front() != ',') return close(input, out);
  input.take(1);
  state_ = State::item;
  return Step::on;
}

LiteralReader::Step LiteralReader::close(CallInput& input, std::string& out) {
  const char open = containers_.back().open;
  const char byte = input.text().front();
  // A tuple is a list here, and closes as either.
  if (byte != closer_of(open) && !(open == '[' && byte == ')'))
    return fail("a comma or a closing bracket was expected");
  out += open == '[' ? ']' : '}';
  input.take(1);
  containers_.pop_back();
  state_ = State::after_value;
  return containers_.empty() ? Step::done : Step::on;
}

LiteralReader::Step LiteralReader::fail(std::string problem) {
  problem_ = std::move(problem);
  return Step::bad;
}

std::optional<std::string> json_of_literal(std::string_view text) {
  if (text.empty() || (text.front() != '{' && text.front() != '[')) return std::nullopt;
  static const Markers kNoQuote;
  const MarkerSymbols symbols{{}};
  CallInput input;
  input.append(text.substr(1));
  input.end();
  std::string json;
  LiteralReader reader(symbols, kNoQuote, text.front());
  if (reader.read(input, json) != LiteralReader::Status::done) return std::nullopt;
  input.take_space();
  if (!input.text().empty()) return std::nullopt;
  return json;
}

}  // namespace parley::orchestration::calls
