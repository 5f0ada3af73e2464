// The server dies or is shut down in the middle of an answer, with the store on disk.
#include <gtest/gtest.h>

#include <random>

#include "tests/fakes/temp_directory.h"
#include "tests/orchestration/turn/server_run.h"

namespace parley::orchestration::turn {
namespace {

TEST(Restart, AnInterruptedAnswerIsKeptMarkedAndGoesOn) {
  const tests::fakes::TempDirectory folder;
  const std::string id = test_uuid(1);
  std::string answer;
  ClientPosition position;
  ClientView view;
  {
    ServerRun server(folder.path());
    value_of(server.io.run(server.hub->create(make_uuid(), id, "")));
    FollowingClient client(server.io, *server.hub, id);
    answer = value_of(server.send(id, 10));
    server.io.run_until(
        [&] { return !client.view().messages.empty() && client.view().last().text.size() > 60; });
    position = client.view().position(server.hub->instance());
    view = client.view();
  }
  ServerRun server(folder.path());
  EXPECT_EQ(server.report.interrupted_answers, 1u);
  EXPECT_EQ(value_of(server.send(id, 10)), answer);  // the client did not hear the answer to its command
  EXPECT_TRUE(server.model.requests.empty());

  FollowingClient client(server.io, *server.hub, id, position);
  server.io.run_until([&] { return client.view().num_snapshots == 1; });
  const MessageView cut = client.view().last();
  EXPECT_EQ(cut.status, MessageStatus::interrupted);
  EXPECT_EQ(cut.epoch, view.last().epoch + 1);
  EXPECT_FALSE(cut.text.empty());
  EXPECT_EQ(whole_answer().substr(0, cut.text.size()), cut.text);

  value_of(server.io.run(server.hub->continue_answer(make_uuid(), id, answer)));
  server.wait_for_end(id);
  server.io.run_until([&] { return client.view().last().status == MessageStatus::complete; });
  EXPECT_EQ(client.view().last().text, cut.text + whole_answer());
  EXPECT_EQ(client.view().last().epoch, cut.epoch);
  EXPECT_EQ(client.view().num_snapshots, 1);
}

TEST(Restart, AtRandomMomentsKeepsWhatWasAcknowledged) {
  const tests::fakes::TempDirectory folder;
  const std::string id = test_uuid(1);
  std::mt19937 random(5);
  int sent = 0;
  for (int run = 0; run < 25; ++run) {
    ServerRun server(folder.path());
    EXPECT_TRUE(server.report.corrupt_copy.empty());
    server.io.run(server.hub->create(make_uuid(), id, ""));
    FollowingClient client(server.io, *server.hub, id);
    server.io.run_until([&] { return client.view().num_snapshots == 1; });
    EXPECT_EQ(client.view().messages.size(), 2u * static_cast<std::size_t>(sent));
    for (const MessageView& message : client.view().messages) {
      EXPECT_NE(message.status, MessageStatus::streaming);
    }
    value_of(server.send(id, 100 + run));
    ++sent;
    server.io.run_for(std::chrono::milliseconds(random() % 20));
  }
}

TEST(Restart, ShuttingDownLetsAnswersEndInTime) {
  const tests::fakes::TempDirectory folder;
  const std::string id = test_uuid(1);
  ServerRun server(folder.path());
  value_of(server.io.run(server.hub->create(make_uuid(), id, "")));
  const auto answer = value_of(server.send(id, 10));
  server.io.run(server.hub->shut_down(std::chrono::seconds(10)));
  EXPECT_EQ(server.store->find_message(id, answer)->status, MessageStatus::complete);
  EXPECT_EQ(server.store->find_message(id, answer)->text, whole_answer());
}

TEST(Restart, ShuttingDownSavesAnswersThatTakeTooLong) {
  const tests::fakes::TempDirectory folder;
  const std::string id = test_uuid(1);
  ServerRun server(folder.path());
  server.model.answer = [](const ChatRequest&) {
    ChatScript script;
    script.pieces = {"text"};
    script.until_cancelled = true;
    return script;
  };
  value_of(server.io.run(server.hub->create(make_uuid(), id, "")));
  FollowingClient client(server.io, *server.hub, id);
  const auto answer = value_of(server.send(id, 10));
  server.io.run_until([&] { return !client.view().messages.empty() && client.view().last().text == "text"; });
  auto list = server.hub->subscribe_list();
  server.io.run(server.hub->shut_down(std::chrono::milliseconds(20)));
  EXPECT_EQ(server.store->find_message(id, answer)->status, MessageStatus::interrupted);
  EXPECT_EQ(server.store->find_message(id, answer)->text, "text");
  server.io.run_until([&] { return client.ended(); });
  EXPECT_EQ(client.view().last().status, MessageStatus::interrupted);
  while (!server.io.run(list->next()).empty()) {
  }
  EXPECT_EQ(error_of(server.send(id, 11)).code, Code::unavailable);
  EXPECT_EQ(error_of(server.io.run(server.hub->rename(make_uuid(), id, "x"))).code, Code::unavailable);
}

TEST(Restart, ASecondCallDoesNotCutTheTimeOfTheFirst) {
  const tests::fakes::TempDirectory folder;
  const std::string id = test_uuid(1);
  ServerRun server(folder.path());
  value_of(server.io.run(server.hub->create(make_uuid(), id, "")));
  const auto answer = value_of(server.send(id, 10));
  bool down = false;
  boost::asio::co_spawn(server.io.io(), server.hub->shut_down(std::chrono::seconds(10)),
                        [&](std::exception_ptr) { down = true; });
  server.io.io().poll();
  EXPECT_FALSE(down);
  server.io.run(server.hub->shut_down(std::chrono::milliseconds(0)));
  EXPECT_EQ(server.store->find_message(id, answer)->status, MessageStatus::complete);
  EXPECT_EQ(server.store->find_message(id, answer)->text, whole_answer());
  server.io.run_until([&] { return down; });
}

TEST(Restart, ASecondCallMayGiveMoreTime) {
  const tests::fakes::TempDirectory folder;
  const std::string id = test_uuid(1);
  ServerRun server(folder.path());
  value_of(server.io.run(server.hub->create(make_uuid(), id, "")));
  const auto answer = value_of(server.send(id, 10));
  boost::asio::co_spawn(server.io.io(), server.hub->shut_down(std::chrono::milliseconds(1)),
                        boost::asio::detached);
  server.io.run(server.hub->shut_down(std::chrono::seconds(10)));
  EXPECT_EQ(server.store->find_message(id, answer)->text, whole_answer());
}

TEST(Restart, WhileShuttingDownNoTurnBegins) {
  const tests::fakes::TempDirectory folder;
  const std::string id = test_uuid(1);
  ServerRun server(folder.path());
  value_of(server.io.run(server.hub->create(make_uuid(), id, "")));
  const auto answer = value_of(server.send(id, 10));
  bool down = false;
  boost::asio::co_spawn(server.io.io(), server.hub->shut_down(std::chrono::seconds(10)),
                        [&](std::exception_ptr) { down = true; });
  server.io.io().poll();
  EXPECT_EQ(value_of(server.send(id, 10)), answer);
  EXPECT_EQ(error_of(server.send(id, 11)).code, Code::unavailable);
  server.io.run_until([&] { return down; });
  EXPECT_EQ(server.store->find_message(id, answer)->text, whole_answer());
}

}  // namespace
}  // namespace parley::orchestration::turn
