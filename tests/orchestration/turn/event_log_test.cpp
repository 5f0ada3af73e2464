#include "orchestration/turn/event_log.h"

#include <gtest/gtest.h>

namespace parley::orchestration::turn {
namespace {

using sessions::MessageStatus;

constexpr EventLog::Limits kWide;

class EventLogTest : public testing::Test {
 protected:
  void add_question(const std::string& id, const std::string& text = "?") {
    MessageAdded event;
    event.message.id = id;
    event.message.text = text;
    log_.add(std::move(event));
  }
  void begin(const std::string& id, std::int64_t epoch = 0) {
    log_.open_text(id, epoch, "");
    MessageAdded event;
    event.message.id = id;
    event.message.epoch = epoch;
    event.message.status = MessageStatus::streaming;
    log_.add(std::move(event));
  }
  void change(const std::string& id, MessageStatus status, std::size_t bytes) {
    MessageChanged event;
    event.message.id = id;
    event.message.status = status;
    event.text_bytes = bytes;
    log_.add(std::move(event));
  }
  void rename() { log_.add(ConversationChanged()); }

  ClientPosition at(std::uint64_t sequence, const std::string& message = "", std::size_t offset = 0) {
    ClientPosition position;
    position.sequence = sequence;
    position.message = message;
    position.offset = offset;
    return position;
  }

  EventLog log_{0, kWide};
};

std::string text_of(const ConversationEvent& event) { return std::get<TextDelta>(event).text; }

TEST_F(EventLogTest, DeltasComeBeforeTheEventThatEndsThem) {
  Cursor reader = log_.end();
  add_question("q");
  begin("a");
  log_.grow("one");
  log_.grow("two");
  change("a", MessageStatus::complete, 6);
  rename();
  const auto events = log_.read(reader);
  ASSERT_TRUE(events);
  ASSERT_EQ(events->size(), 5u);
  EXPECT_EQ(std::get<MessageAdded>((*events)[0]).sequence, 1u);
  EXPECT_EQ(std::get<MessageAdded>((*events)[1]).sequence, 2u);
  EXPECT_EQ(text_of((*events)[2]), "onetwo");
  EXPECT_EQ(std::get<MessageChanged>((*events)[3]).sequence, 3u);
  EXPECT_EQ(std::get<ConversationChanged>((*events)[4]).sequence, 4u);
  EXPECT_TRUE(log_.read(reader)->empty());
}

TEST_F(EventLogTest, AGrowingTextIsReadPieceByPiece) {
  begin("a");
  Cursor reader = log_.end();
  log_.grow("one");
  EXPECT_EQ(text_of(log_.read(reader)->at(0)), "one");
  EXPECT_TRUE(log_.read(reader)->empty());
  log_.grow("two");
  const auto delta = std::get<TextDelta>(log_.read(reader)->at(0));
  EXPECT_EQ(delta.offset, 3u);
  EXPECT_EQ(delta.text, "two");
}

TEST_F(EventLogTest, AReaderMayBeWholeTurnsBehind) {
  begin("a");
  log_.grow("first");
  Cursor reader = *log_.resume(at(1, "a", 2));
  change("a", MessageStatus::stopped, 5);
  change("a", MessageStatus::streaming, 5);
  log_.grow("+more");
  change("a", MessageStatus::complete, 10);
  add_question("q");
  begin("b");
  log_.grow("second");
  const auto events = log_.read(reader);
  ASSERT_TRUE(events);
  ASSERT_EQ(events->size(), 8u);
  EXPECT_EQ(text_of((*events)[0]), "rst");
  EXPECT_EQ(text_of((*events)[3]), "+more");
  EXPECT_EQ(text_of((*events)[7]), "second");
}

TEST_F(EventLogTest, ResumesOnlyFromPositionsThatCanBe) {
  add_question("q");
  begin("a");
  log_.grow("text");
  EXPECT_TRUE(log_.resume(at(1)));
  EXPECT_TRUE(log_.resume(at(2)));  // saw the answer begin, none of its text
  EXPECT_TRUE(log_.resume(at(2, "a", 4)));
  EXPECT_FALSE(log_.resume(at(3)));
  EXPECT_FALSE(log_.resume(at(2, "a", 5)));
  EXPECT_FALSE(log_.resume(at(2, "b", 0)));
  EXPECT_FALSE(log_.resume(at(1, "a", 2)));  // text of an answer it has not seen begin
  change("a", MessageStatus::complete, 4);
  EXPECT_TRUE(log_.resume(at(3)));
  EXPECT_TRUE(log_.resume(at(3, "a", 4)));
  EXPECT_FALSE(log_.resume(at(3, "a", 3)));  // the end was seen, so all of it was
  EXPECT_TRUE(log_.resume(at(2, "a", 3)));
}

TEST_F(EventLogTest, AClientWithMoreThanWasThereNeedsASnapshot) {
  begin("a");
  log_.grow("one");
  change("a", MessageStatus::stopped, 3);
  change("a", MessageStatus::streaming, 3);
  log_.grow("two");
  auto reader = log_.resume(at(1, "a", 5));  // 5 bytes were never there before event 2
  ASSERT_TRUE(reader);
  EXPECT_FALSE(log_.read(*reader));
}

TEST_F(EventLogTest, AnAnswerThatWasNotGrowingNeedsNoText) {
  Cursor reader = log_.end();
  change("old", MessageStatus::stopped, 100);
  EXPECT_EQ(log_.read(reader)->size(), 1u);
}

TEST_F(EventLogTest, KeepsSoManyEvents) {
  EventLog::Limits limits;
  limits.events = 3;
  log_ = EventLog(10, limits);
  Cursor old = log_.end();
  EXPECT_EQ(old.sequence, 10u);
  for (int i = 0; i < 5; ++i) rename();
  EXPECT_EQ(log_.last_sequence(), 15u);
  EXPECT_FALSE(log_.read(old));
  EXPECT_FALSE(log_.resume(at(11)));
  ASSERT_TRUE(log_.resume(at(12)));
  Cursor reader = *log_.resume(at(12));
  EXPECT_EQ(log_.read(reader)->size(), 3u);
  EXPECT_FALSE(log_.resume(at(9)));
}

TEST_F(EventLogTest, TextGoesWithTheEventsThatNeedIt) {
  EventLog::Limits limits;
  limits.events = 3;
  log_ = EventLog(0, limits);
  begin("a");
  log_.grow("text");
  change("a", MessageStatus::complete, 4);
  begin("b");
  log_.grow("more");
  EXPECT_TRUE(log_.resume(at(1, "a", 2)));
  change("b", MessageStatus::complete, 4);  // event 1 goes
  EXPECT_FALSE(log_.resume(at(0)));
  Cursor reader = *log_.resume(at(1, "a", 2));
  EXPECT_EQ(text_of(log_.read(reader)->at(0)), "xt");
  rename();  // event 2 goes
  EXPECT_FALSE(log_.resume(at(1, "a", 2)));
  EXPECT_TRUE(log_.resume(at(2, "a", 4)));
}

TEST_F(EventLogTest, BigTextsShortenTheHistory) {
  EventLog::Limits limits;
  limits.bytes = 10'000;
  log_ = EventLog(0, limits);
  for (int i = 0; i < 10; ++i) add_question("q" + std::to_string(i), std::string(3000, 'x'));
  EXPECT_TRUE(log_.resume(at(8)));
  EXPECT_FALSE(log_.resume(at(5)));
  EXPECT_EQ(log_.last_sequence(), 10u);
}

TEST_F(EventLogTest, AContinuedAnswerMayComeFromTheStore) {
  Cursor reader = log_.end();
  log_.open_text("a", 2, "stored");
  MessageChanged event;
  event.message.id = "a";
  event.message.epoch = 2;
  event.message.status = MessageStatus::streaming;
  event.text_bytes = 6;
  log_.add(std::move(event));
  log_.grow(" more");
  const auto events = log_.read(reader);
  ASSERT_EQ(events->size(), 2u);
  const auto& delta = std::get<TextDelta>((*events)[1]);
  EXPECT_EQ(delta.text, " more");
  EXPECT_EQ(delta.offset, 6u);
  EXPECT_EQ(delta.epoch, 2);
}

}  // namespace
}  // namespace parley::orchestration::turn
