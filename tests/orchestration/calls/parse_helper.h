#pragma once
// Runs a parser over a text in pieces of any size and writes down its events as short lines.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inference/json/json.h"
#include "orchestration/calls/call_formats.h"
#include "orchestration/calls/call_parser.h"

namespace parley::orchestration::calls {

inline OfferedTool offered(std::string name, std::string_view schema) {
  const auto parsed = inference::json::parse_json(schema, {.max_bytes = 1 << 20});
  return {std::move(name), std::get<inference::json::JsonValue>(parsed).get_object()};
}

inline std::vector<OfferedTool> sample_tools() {
  return {offered("get_weather",
                  R"({"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"},
                                 "detailed":{"type":"boolean"},"places":{"type":"array"},
                                 "options":{"type":"object"},"limit":{"type":["number","null"]},
                                 "any":{}},"required":["city"]})"),
          offered("calculator", R"({"type":"object","properties":{"expression":{"type":"string"}}})"),
          offered("now", R"({"type":"object","properties":{}})")};
}

// Neighbouring parts joined, one line each.
class EventLog {
 public:
  void add(const std::vector<CallEvent>& events) {
    for (const CallEvent& event : events) std::visit([this](const auto& one) { add_one(one); }, event);
  }
  std::string text() const { return done_ + open_; }

 private:
  void part(const std::string& head, const std::string& text) {
    if (head != head_) {
      end_part();
      head_ = head;
      open_ = head;
    }
    open_ += text;
  }
  void end_part() {
    if (!open_.empty()) done_ += open_ + "\n";
    open_.clear();
    head_.clear();
  }
  void line(const std::string& text) {
    end_part();
    done_ += text + "\n";
  }
  void add_one(const ContentDelta& e) { part("content: ", e.text); }
  void add_one(const ReasoningDelta& e) { part("reasoning: ", e.text); }
  void add_one(const CallBegin& e) {
    line("call " + std::to_string(e.index) + " " + e.name + (e.id.empty() ? "" : " #" + e.id));
  }
  void add_one(const ArgumentsDelta& e) { part("arguments " + std::to_string(e.index) + ": ", e.json); }
  void add_one(const CallEnd& e) {
    const std::string tail = e.error.empty() ? "ok" : e.error;
    line("end " + std::to_string(e.index) + " " + tail + (e.id.empty() ? "" : " #" + e.id));
  }
  void add_one(const CallPending&) { line("pending"); }
  void add_one(const UnknownLenientCall& e) { line("unknown " + e.name); }

  std::string done_;
  std::string head_;
  std::string open_;
};

struct ParseCase {
  std::string format = "hermes";
  CallDetection detection = CallDetection::native;
  ReasoningStart reasoning = ReasoningStart::model_opens;
  std::vector<OfferedTool> tools = sample_tools();
};

inline ParserOptions options_of(const ParseCase& c) {
  return {.tools = c.tools, .detection = c.detection, .reasoning = c.reasoning, .vocabulary = {}};
}

inline std::string parse_pieces(const ParseCase& c, const std::vector<std::string_view>& pieces,
                                AnswerEnd end = AnswerEnd::complete) {
  const auto parser = make_call_parser(*find_call_format(c.format), options_of(c));
  EventLog log;
  for (const std::string_view piece : pieces) log.add(parser->push(0, piece));
  log.add(parser->finish(end));
  return log.text();
}

inline std::string parse(const ParseCase& c, std::string_view text) { return parse_pieces(c, {text}); }

inline std::string parse_bytewise(const ParseCase& c, std::string_view text) {
  std::vector<std::string_view> pieces;
  for (std::size_t i = 0; i < text.size(); ++i) pieces.push_back(text.substr(i, 1));
  return parse_pieces(c, pieces);
}

}  // namespace parley::orchestration::calls
