#include "inference/engine/mailbox.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/fakes/recording_sink.h"

namespace parley::inference::engine {
namespace {

namespace fakes = tests::fakes;

std::shared_ptr<TokenSink> sink() { return std::make_shared<fakes::RecordingSink>(); }

Rejection::Kind rejection(const std::variant<RequestId, Rejection>& outcome) {
  return std::get<Rejection>(outcome).kind;
}

TEST(Mailbox, HandsOverInOrder) {
  Mailbox mailbox(10, {});
  const auto first = std::get<RequestId>(mailbox.submit({}, sink()));
  const auto second = std::get<RequestId>(mailbox.submit({}, sink()));
  mailbox.cancel(first);
  const Mailbox::Mail mail = mailbox.wait(false);
  ASSERT_EQ(mail.submissions.size(), 2u);
  EXPECT_EQ(mail.submissions[0].id, first);
  EXPECT_EQ(mail.submissions[1].id, second);
  EXPECT_LT(first, second);
  EXPECT_EQ(mail.cancellations, std::vector<RequestId>{first});
  EXPECT_FALSE(mail.closed);
  EXPECT_TRUE(mailbox.wait(true).submissions.empty()) << "taken once, and no parking while there is work";
}

TEST(Mailbox, CountsRequestsOnTheirWayAsWaiting) {
  Mailbox mailbox(2, {});
  mailbox.submit({}, sink());
  mailbox.submit({}, sink());
  EXPECT_EQ(mailbox.stats().waiting, 2);
  const auto rejected = std::get<Rejection>(mailbox.submit({}, sink()));
  EXPECT_EQ(rejected.kind, Rejection::Kind::queue_full);
  EXPECT_EQ(rejected.limit, 2);
  EXPECT_EQ(rejected.actual, 2);
  mailbox.wait(true);
  EXPECT_EQ(mailbox.stats().waiting, 2) << "taken, but not counted by the engine yet";
  EXPECT_EQ(rejection(mailbox.submit({}, sink())), Rejection::Kind::queue_full);
  EngineStats stats;
  stats.running = 2;
  stats.accepted = 2;
  mailbox.publish(stats);
  EXPECT_EQ(mailbox.stats().waiting, 0);
  EXPECT_EQ(mailbox.stats().accepted, 2u);
  EXPECT_TRUE(std::holds_alternative<RequestId>(mailbox.submit({}, sink())));
  EXPECT_EQ(mailbox.stats().accepted, 3u);
}

TEST(Mailbox, WhatIsReadAheadTakesNobodysPlaceInTheQueue) {
  Mailbox mailbox(1, {});
  Request ahead;
  ahead.purpose = Purpose::read_ahead;
  EXPECT_TRUE(std::holds_alternative<RequestId>(mailbox.submit(ahead, sink())));
  EXPECT_EQ(mailbox.stats().waiting, 0);
  EXPECT_EQ(mailbox.stats().accepted, 0u);
  EXPECT_TRUE(std::holds_alternative<RequestId>(mailbox.submit({}, sink())));
  EXPECT_EQ(mailbox.wait(true).submissions.size(), 2u);
  EXPECT_EQ(mailbox.stats().waiting, 1);
  EXPECT_TRUE(std::holds_alternative<RequestId>(mailbox.submit(ahead, sink()))) << "the queue is full";
  mailbox.close();
  EXPECT_EQ(rejection(mailbox.submit(ahead, sink())), Rejection::Kind::shutting_down);
}

TEST(Mailbox, TakesNothingAfterItWasClosed) {
  Mailbox mailbox(10, {});
  mailbox.submit({}, sink());
  mailbox.close();
  const auto rejected = std::get<Rejection>(mailbox.submit({}, sink()));
  EXPECT_EQ(rejected.kind, Rejection::Kind::shutting_down);
  EXPECT_EQ(rejected.failure, "");
  const Mailbox::Mail mail = mailbox.wait(false);
  EXPECT_TRUE(mail.closed);
  EXPECT_EQ(mail.submissions.size(), 1u) << "what was accepted is not lost";
}

TEST(Mailbox, SaysWhyADeadEngineTakesNothing) {
  Mailbox mailbox(10, {});
  EngineStats stats;
  stats.alive = false;
  stats.failure = "The model stopped working: the device was lost. Restart the server to load it again.";
  mailbox.publish(stats);
  EXPECT_EQ(std::get<Rejection>(mailbox.submit({}, sink())).failure, stats.failure);
  mailbox.close();
  EXPECT_EQ(std::get<Rejection>(mailbox.submit({}, sink())).failure, stats.failure);
}

TEST(Mailbox, ADeadEngineAlwaysHasASentence) {
  Mailbox mailbox(10, {});
  EngineStats stats;
  stats.alive = false;
  mailbox.publish(stats);
  const auto rejected = std::get<Rejection>(mailbox.submit({}, sink()));
  EXPECT_NE(rejected.failure.find("Restart the server"), std::string::npos) << rejected.failure;
}

TEST(Mailbox, WakesTheParkedEngine) {
  Mailbox mailbox(10, {});
  std::atomic<int> taken = 0;
  std::thread engine([&] {
    for (;;) {
      const Mailbox::Mail mail = mailbox.wait(false);
      taken += static_cast<int>(mail.submissions.size());
      mailbox.publish({});
      if (mail.closed) return;
    }
  });
  int accepted = 0;
  for (int i = 0; i < 200; ++i)
    accepted += std::holds_alternative<RequestId>(mailbox.submit({}, sink())) ? 1 : 0;
  mailbox.close();
  engine.join();
  EXPECT_EQ(taken, accepted);
}

}  // namespace
}  // namespace parley::inference::engine
