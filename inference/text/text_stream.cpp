#include "inference/text/text_stream.h"

#include <utility>

#include "inference/text/utf8_repair.h"
#include "inference/tokenizer/byte_matcher.h"

namespace parley::inference::text {
namespace {

using tokenizer::ByteMatcher;

// Bytes held back are never stored: they are the beginning of a stop string, and the matcher's state names
// it.
class StopStringStream final : public TextStream {
 public:
  explicit StopStringStream(std::vector<std::string> stops) : matcher_(std::move(stops)) {}

  std::string push(std::string_view token_bytes) override {
    std::string text;
    for (const char byte : token_bytes) {
      if (matched_stop_) break;
      take(byte, text);
    }
    return text;
  }

  std::string finish() override {
    std::string text = release_held();
    repair_.finish(text);
    return text;
  }

  std::string finish_cut() override {
    std::string text = release_held();
    repair_.drop_unfinished();
    return text;
  }

  const std::optional<std::string>& matched_stop() const override { return matched_stop_; }

 private:
  std::string release_held() {
    std::string text;
    if (matched_stop_) return text;
    repair_.push(matcher_.suffix(state_), text);
    state_ = ByteMatcher::kStart;
    return text;
  }

  // Of the bytes held and the new one, releases what no stop string can begin with any more.
  void take(char byte, std::string& text) {
    const std::string_view held = matcher_.suffix(state_);
    state_ = matcher_.next(state_, static_cast<unsigned char>(byte));
    const int match = matcher_.longest_match(state_);
    std::size_t kept = matcher_.suffix(state_).size();
    if (match != ByteMatcher::kNoPattern) {
      matched_stop_ = matcher_.pattern(match);
      kept = matched_stop_->size();
    }
    const std::size_t released = held.size() + 1 - kept;
    repair_.push(held.substr(0, released), text);
    if (released > held.size()) repair_.push({&byte, 1}, text);
    if (matched_stop_) repair_.finish(text);
  }

  const ByteMatcher matcher_;
  ByteMatcher::State state_ = ByteMatcher::kStart;
  Utf8Repair repair_;
  std::optional<std::string> matched_stop_;
};

}  // namespace

std::unique_ptr<TextStream> make_text_stream(std::vector<std::string> stops) {
  return std::make_unique<StopStringStream>(std::move(stops));
}

}  // namespace parley::inference::text
