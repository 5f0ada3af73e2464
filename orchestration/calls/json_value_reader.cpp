#include "orchestration/calls/json_value_reader.h"

#include <array>

namespace parley::orchestration::calls {
namespace {

void append_escaped(std::string& out, char byte) {
  constexpr std::string_view kHex = "0123456789abcdef";
  switch (byte) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  if (static_cast<unsigned char>(byte) >= 0x20) {
    out += byte;
    return;
  }
  out += "\\u00";
  out += kHex[static_cast<unsigned char>(byte) / 16];
  out += kHex[static_cast<unsigned char>(byte) % 16];
}

}  // namespace

std::string json_escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char byte : text) append_escaped(out, byte);
  return out;
}

JsonValueReader::Status JsonValueReader::read(CallInput& input, std::string& out, std::size_t max_bytes) {
  const std::size_t last = num_read_ + (max_bytes < SIZE_MAX - num_read_ ? max_bytes : SIZE_MAX - num_read_);
  while (num_read_ < last) {
    if (input.text().empty()) {
      if (!input.ended()) return Status::more;
      if (scanner_.may_end()) return Status::done;
      problem_ = "the output ended inside it";
      return Status::bad;
    }
    const Step step = read_one(input, out);
    if (step == Step::wait) return Status::more;
    if (step == Step::done) return Status::done;
    if (step == Step::bad) return Status::bad;
  }
  return Status::more;
}

JsonValueReader::Step JsonValueReader::read_one(CallInput& input, std::string& out) {
  const char byte = input.text().front();
  if (MarkerSymbols::is_symbol(input.text())) return read_symbol(input, out);
  if (scanner_.in_string() && static_cast<unsigned char>(byte) < 0x20) return read_control(input, out);
  if (skip_brace_ && !is_space(byte)) {
    skip_brace_ = false;
    if (byte == '}') {
      input.take(1);
      ++num_read_;
      return Step::on;
    }
  }
  if (byte == '{' && scanner_.at_first_key() && doubled_.back() != 'd') {
    doubled_.back() = 'd';
    input.take(1);
    ++num_read_;
    return Step::on;
  }
  const std::size_t depth = scanner_.depth();
  const JsonScanner::Status status = scanner_.push(byte);
  if (status == JsonScanner::Status::bad) return fail(scanner_.problem());
  if (status == JsonScanner::Status::done_before) return Step::done;
  if (scanner_.depth() > depth) doubled_ += ' ';
  if (scanner_.depth() < depth) {
    skip_brace_ = doubled_.back() == 'd';
    doubled_.pop_back();
  }
  out += byte;
  input.take(1);
  ++num_read_;
  return status == JsonScanner::Status::done ? Step::done : Step::on;
}

JsonValueReader::Step JsonValueReader::read_control(CallInput& input, std::string& out) {
  const char byte = input.text().front();
  if (byte == '\n' && num_read_ >= num_settled_) {
    const Match close = looking_ ? Match::yes : match_after_space(input.ahead(), close_).match;
    const Match goes_on = close == Match::yes ? look_for_end(input) : Match::no;
    if (close == Match::partial || goes_on == Match::partial) return Step::wait;
    if (close == Match::yes && goes_on == Match::no) return fail("a string is not ended");
  }
  append_escaped(out, byte);
  input.take(1);
  ++num_read_;
  return Step::on;
}

Match JsonValueReader::look_for_end(CallInput& input) {
  if (!looking_) looking_ = scanner_;
  auto status = JsonScanner::Status::more;
  for (; status == JsonScanner::Status::more; ++num_seen_) {
    const Ahead ahead = input.ahead();
    const bool is_over = num_seen_ == ahead.text.size();
    if (is_over && !ahead.ended) return Match::partial;
    if (is_over || !input.may_reread(num_seen_)) break;
    const bool is_control = static_cast<unsigned char>(ahead.text[num_seen_]) < 0x20;
    if (!is_control || !looking_->in_string()) status = looking_->push(ahead.text[num_seen_]);
  }
  const bool is_complete = status == JsonScanner::Status::done;
  if (is_complete) num_settled_ = num_read_ + num_seen_;
  if (!is_complete) input.note_reread(num_seen_);
  looking_.reset();
  num_seen_ = 0;
  return is_complete ? Match::yes : Match::no;
}

JsonValueReader::Step JsonValueReader::read_symbol(CallInput& input, std::string& out) {
  if (!scanner_.in_string()) return fail(scanner_.problem());
  out += json_escaped(symbols_.spelled(input.text().substr(0, MarkerSymbols::kSymbolSize)));
  input.take(MarkerSymbols::kSymbolSize);
  num_read_ += MarkerSymbols::kSymbolSize;
  return Step::on;
}

JsonValueReader::Step JsonValueReader::fail(std::string_view problem) {
  problem_ = std::string(problem) + " at byte " + std::to_string(num_read_);
  return Step::bad;
}

std::string JsonValueReader::problem() const { return problem_; }

}  // namespace parley::orchestration::calls
