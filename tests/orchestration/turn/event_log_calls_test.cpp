// Calls in the event log: arguments that are being written, and readers that come at any moment.
#include <gtest/gtest.h>

#include <random>

#include "orchestration/turn/event_log.h"
#include "tests/orchestration/turn/client_view.h"

namespace parley::orchestration::turn {
namespace {

using sessions::CallState;
using sessions::MessageStatus;

// The log of one conversation as its turn writes it, and what is true of the conversation.
class Writer {
 public:
  explicit Writer(const EventLog::Limits& limits = {}) : log_(0, limits) {}

  EventLog& log() { return log_; }

  void begin_answer() {
    MessageAdded added;
    added.message.id = "a" + std::to_string(messages_.size());
    added.message.parent = messages_.empty() ? "" : messages_.back().id;
    added.message.status = MessageStatus::streaming;
    messages_.push_back(added.message);
    preparing = false;
    log_.open_text(added.message.id, 0, "");
    log_.add(std::move(added));
  }
  void prepare() {
    preparing = true;
    log_.begin_preparing();
  }
  void write(const std::string& text) {
    preparing = false;
    answer().text += text;
    log_.grow(text);
  }
  void begin_call() {
    answer().calls.emplace_back().id = std::to_string(answer().calls.size());
    tell_call();
    log_.open_arguments(index());
  }
  void write_arguments(const std::string& text) {
    call().arguments += text;
    log_.grow_arguments(text);
  }
  // While it is being written, or the end of the writing.
  void set_name(const std::string& name) {
    call().name = name;
    tell_call();
  }
  void end_call() {
    log_.close_arguments();
    call().state = CallState::awaiting_approval;
    tell_call();
  }
  void end_answer(MessageStatus status = MessageStatus::complete) {
    preparing = false;
    answer().status = status;
    MessageChanged changed;
    changed.message = answer();
    changed.text_bytes = answer().text.size();
    changed.message.text.clear();
    log_.add(std::move(changed));
  }
  void run_call(CallState state) {
    call().state = state;
    tell_call();
  }

  Snapshot snapshot() {
    Snapshot snapshot;
    snapshot.messages = messages_;
    snapshot.sequence = log_.last_sequence();
    return snapshot;
  }
  sessions::Message& answer() { return messages_.back(); }
  sessions::ToolCall& call() { return answer().calls.back(); }
  bool answers() { return !messages_.empty() && answer().status == MessageStatus::streaming; }
  const std::vector<sessions::Message>& messages() const { return messages_; }
  bool preparing = false;  // what comes may be a call

 private:
  int index() { return static_cast<int>(answer().calls.size()) - 1; }
  void tell_call() {
    preparing = false;
    CallChanged changed;
    changed.message = answer().id;
    changed.index = index();
    changed.call.call = call();
    const bool written = log_.writing_call() == index();
    if (written) changed.call.call.arguments.clear();  // the log knows them
    log_.add(std::move(changed));
  }

  EventLog log_;
  std::vector<sessions::Message> messages_;
};

// A browser with its cursor; a new snapshot where the log says it is too far behind.
class Reader {
 public:
  explicit Reader(Writer& writer) : writer_(writer) {}

  void read() {
    auto events = cursor_ ? writer_.log().read(*cursor_) : std::nullopt;
    if (!events) {
      view.apply(std::vector<ConversationEvent>{writer_.snapshot()});
      cursor_ = writer_.log().end();
      events = writer_.log().read(*cursor_);
    }
    view.apply(*events);
  }
  // The connection breaks; the next read goes on with what the view has.
  void reconnect() {
    view.preparing.clear();
    cursor_ = writer_.log().resume(view.position(""));
  }
  bool goes_on() const { return cursor_.has_value(); }

  ClientView view;

 private:
  Writer& writer_;
  std::optional<Cursor> cursor_;
};

void expect_same(const ClientView& view, const Writer& writer) {
  ASSERT_EQ(view.messages.size(), writer.messages().size());
  EXPECT_EQ(view.preparing, writer.preparing ? writer.messages().back().id : "");
  for (std::size_t i = 0; i < view.messages.size(); ++i) {
    const MessageView& seen = view.messages[i];
    const sessions::Message& real = writer.messages()[i];
    EXPECT_EQ(seen.text, real.text);
    ASSERT_EQ(seen.calls.size(), real.calls.size());
    for (std::size_t j = 0; j < seen.calls.size(); ++j) {
      EXPECT_EQ(seen.calls[j].arguments, real.calls[j].arguments);
      EXPECT_EQ(seen.calls[j].state, real.calls[j].state);
      EXPECT_EQ(seen.calls[j].name, real.calls[j].name);
    }
  }
}

const ArgumentsDelta& arguments_of(const ConversationEvent& event) { return std::get<ArgumentsDelta>(event); }

TEST(EventLogCalls, ArgumentsAreReadPieceByPiece) {
  Writer writer;
  writer.begin_answer();
  Cursor reader = writer.log().end();
  writer.begin_call();
  writer.write_arguments("{\"a\"");
  const auto first = writer.log().read(reader).value();
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(std::get<CallChanged>(first[0]).sequence, 2u);
  EXPECT_EQ(arguments_of(first[1]).text, "{\"a\"");
  EXPECT_EQ(arguments_of(first[1]).message, "a0");
  EXPECT_TRUE(writer.log().read(reader)->empty());
  writer.write_arguments(":1}");
  const auto more = writer.log().read(reader).value();
  ASSERT_EQ(more.size(), 1u);
  EXPECT_EQ(arguments_of(more[0]).offset, 4u);
  EXPECT_EQ(arguments_of(more[0]).text, ":1}");
  writer.end_call();
  const auto end = writer.log().read(reader).value();
  ASSERT_EQ(end.size(), 1u);
  EXPECT_EQ(std::get<CallChanged>(end[0]).call.call.arguments, "{\"a\":1}");
}

TEST(EventLogCalls, ASlowReaderGetsFinishedArgumentsWithTheirCallOnly) {
  Writer writer;
  writer.begin_answer();
  Reader reader(writer);
  reader.read();
  writer.begin_call();
  for (int i = 0; i < 100; ++i) writer.write_arguments("piece");
  writer.end_call();
  writer.begin_call();
  writer.write_arguments("second");
  Cursor cursor = *writer.log().resume(reader.view.position(""));
  EXPECT_EQ(writer.log().read(cursor)->size(), 4u);  // two that begin, one that ends, one piece
  reader.read();
  expect_same(reader.view, writer);
}

TEST(EventLogCalls, WhoComesBackGetsTheArgumentsFromTheirBeginning) {
  Writer writer;
  writer.begin_answer();
  Reader reader(writer);
  reader.read();
  writer.begin_call();
  writer.write_arguments("12345");
  reader.read();
  writer.write_arguments("678");
  reader.reconnect();
  ASSERT_TRUE(reader.goes_on());
  Cursor cursor = *writer.log().resume(reader.view.position(""));
  const auto events = writer.log().read(cursor).value();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(arguments_of(events[0]).offset, 0u);
  EXPECT_EQ(arguments_of(events[0]).text, "12345678");
  reader.read();
  expect_same(reader.view, writer);
}

TEST(EventLogCalls, AChangeOfTheCallThatIsWrittenBringsItsArgumentsSoFar) {
  Writer writer;
  writer.begin_answer();
  Reader quick(writer);
  Reader slow(writer);
  quick.read();
  slow.read();
  writer.begin_call();
  writer.write_arguments("12");
  quick.read();
  slow.read();
  writer.write_arguments("345");
  quick.read();
  writer.set_name("weather");
  writer.write_arguments("678");
  quick.read();
  slow.read();
  expect_same(quick.view, writer);
  expect_same(slow.view, writer);
  EXPECT_EQ(quick.view.last().calls.at(0).name, "weather");
}

TEST(EventLogCalls, AnAnswerThatEndsAmidItsArgumentsLeavesNoneBehind) {
  Writer writer;
  Reader reader(writer);
  writer.begin_answer();
  writer.begin_call();
  writer.write_arguments("half");
  reader.read();
  writer.run_call(CallState::cancelled);  // stopped
  writer.end_answer(MessageStatus::stopped);
  EXPECT_EQ(writer.log().writing_call(), -1);
  writer.begin_answer();
  writer.write("next");
  reader.read();
  writer.begin_call();
  reader.read();
  EXPECT_EQ(reader.view.last().calls.at(0).arguments, "");
  expect_same(reader.view, writer);
}

TEST(EventLogCalls, CallsOfAnEndedAnswerStillChange) {
  Writer writer;
  Reader reader(writer);
  reader.read();
  writer.begin_answer();
  writer.write("text");
  writer.begin_call();
  writer.write_arguments("{}");
  writer.end_call();
  writer.end_answer();
  reader.read();
  writer.run_call(CallState::running);
  reader.reconnect();
  EXPECT_TRUE(reader.goes_on());
  writer.run_call(CallState::done);
  reader.read();
  EXPECT_EQ(reader.view.num_snapshots, 1);
  expect_same(reader.view, writer);
}

TEST(EventLogCalls, WhatMayBecomeACallIsToldOnceToWhoeverComes) {
  Writer writer;
  writer.begin_answer();
  Cursor reader = writer.log().end();
  writer.write("Sure. ");
  writer.prepare();
  const auto events = writer.log().read(reader).value();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(std::get<TextDelta>(events[0]).text, "Sure. ");
  EXPECT_EQ(std::get<CallPreparing>(events[1]).message, "a0");
  writer.prepare();
  EXPECT_TRUE(writer.log().read(reader)->empty());
  Cursor late = writer.log().end();
  EXPECT_EQ(writer.log().read(late)->size(), 1u);
  writer.write("{} is no call.");
  Cursor later = writer.log().end();
  EXPECT_TRUE(writer.log().read(later)->empty());
  writer.prepare();
  EXPECT_EQ(writer.log().read(reader)->size(), 2u) << "the text that ended it, and the next one";
  writer.begin_call();
  EXPECT_EQ(writer.log().read(reader)->size(), 1u);
  writer.end_answer();
  writer.begin_answer();
  EXPECT_EQ(writer.log().read(reader)->size(), 2u);
}

TEST(EventLogCalls, LongArgumentsShortenTheHistory) {
  EventLog::Limits limits;
  limits.bytes = 10'000;
  Writer writer(limits);
  Reader reader(writer);
  writer.begin_answer();
  reader.read();
  writer.begin_call();
  writer.write_arguments(std::string(6'000, 'x'));
  for (int i = 0; i < 3; ++i) writer.set_name(std::to_string(i));
  reader.reconnect();
  EXPECT_FALSE(reader.goes_on());
  reader.read();
  expect_same(reader.view, writer);
  EXPECT_EQ(reader.view.num_snapshots, 2);
}

TEST(EventLogCalls, LongCommandLinesShortenTheHistory) {
  EventLog::Limits limits;
  limits.bytes = 10'000;
  Writer writer(limits);
  Reader reader(writer);
  writer.begin_answer();
  reader.read();
  writer.begin_call();
  writer.end_call();
  writer.call().preview.words = {"program", std::string(6'000, 'x')};
  for (int i = 0; i < 3; ++i) writer.run_call(CallState::running);
  reader.reconnect();
  EXPECT_FALSE(reader.goes_on()) << "the log keeps what its limit allows, words of programs included";
  reader.read();
  expect_same(reader.view, writer);
}

void act(Writer& writer, std::mt19937& random) {
  const auto pick = random() % 16;
  if (!writer.answers())
    return pick < 8 && !writer.messages().empty() && !writer.answer().calls.empty()
               ? writer.run_call(CallState::running)
               : writer.begin_answer();
  const bool written = writer.log().writing_call() >= 0;
  if (pick < 8)
    return written ? writer.write_arguments(std::string(random() % 3 + 1, 'x')) : writer.write("text ");
  if (pick < 10) return written ? writer.set_name(std::to_string(random())) : writer.begin_call();
  if (pick < 12) return written ? writer.end_call() : writer.begin_call();
  if (pick == 12) return written ? writer.run_call(CallState::writing) : writer.end_answer();
  if (pick == 13) {
    if (written) writer.run_call(CallState::interrupted);
    writer.end_answer(MessageStatus::interrupted);
  }
  if (pick > 13 && !written) writer.prepare();
}

TEST(EventLogCalls, ReadersAtAnyMomentSeeTheSame) {
  std::mt19937 random(4'711);
  EventLog::Limits limits;
  limits.events = 12;
  Writer writer(limits);
  std::vector<Reader> readers(6, Reader(writer));
  int num_resumed = 0;
  for (int step = 0; step < 5'000; ++step) {
    act(writer, random);
    Reader& reader = readers[random() % readers.size()];
    const bool is_lazy = &reader == &readers.back() && random() % 20 != 0;
    if (is_lazy) continue;
    if (random() % 4 == 0) reader.reconnect();
    num_resumed += reader.goes_on() ? 1 : 0;
    reader.read();
    ASSERT_NO_FATAL_FAILURE(expect_same(reader.view, writer));
    ASSERT_FALSE(testing::Test::HasFailure()) << "step " << step;
  }
  EXPECT_GT(num_resumed, 2'000);
  for (Reader& reader : readers) EXPECT_LT(reader.view.num_snapshots, 500);
  EXPECT_GT(readers.back().view.num_snapshots, 5);
}

}  // namespace
}  // namespace parley::orchestration::turn
