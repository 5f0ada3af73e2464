// kill -9 at random moments: everything that was acknowledged is there afterwards, and a command is
// remembered exactly if what it changed is there. PARLEY_KILL_ROUNDS sets how many kills (30).
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>

#include "orchestration/sessions/sqlite_store.h"
#include "tests/fakes/temp_directory.h"
#include "tests/orchestration/sessions/sample_data.h"

namespace parley::orchestration::sessions {
namespace {

int kill_rounds() {
  const char* text = std::getenv("PARLEY_KILL_ROUNDS");
  return text != nullptr ? std::atoi(text) : 30;
}

// What the child was told is durable: turns, and pieces of the newest answer.
struct Acknowledged {
  int turns = 0;
  int pieces = 0;
};

void say(int pipe, char what) {
  if (::write(pipe, &what, 1) != 1) ::_exit(3);
}

// Runs in the child until it is killed.
[[noreturn]] void write_for_ever(const std::filesystem::path& folder, int pipe, int round) {
  StoreReport report;
  const auto store = open_sqlite_store(folder, report);
  const std::string conversation = "c" + std::to_string(round);
  store->create(sample_conversation(conversation));
  say(pipe, 'c');
  std::string parent;
  for (int turn = 0;; ++turn) {
    const std::string name = std::to_string(round) + "-" + std::to_string(turn);
    store->add_turn(conversation, "title", sample_question("q" + name, parent, "question " + name),
                    sample_answer("a" + name, "q" + name), sample_command("send" + name));
    say(pipe, 't');
    for (int piece = 0; piece < 5; ++piece) {
      store->append(conversation, "a" + name, "piece", {piece});
      say(pipe, 'p');
    }
    parent = "a" + name;
  }
}

Acknowledged read_acknowledgements(int pipe) {
  Acknowledged result;
  std::array<char, 4096> buffer{};
  for (ssize_t size = 0; (size = ::read(pipe, buffer.data(), buffer.size())) > 0;) {
    for (ssize_t i = 0; i < size; ++i) {
      const char what = buffer[static_cast<std::size_t>(i)];
      if (what == 't') result = {result.turns + 1, 0};
      if (what == 'p') ++result.pieces;
    }
  }
  return result;
}

Acknowledged run_and_kill(const std::filesystem::path& folder, int round, std::chrono::microseconds after) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    write_for_ever(folder, ends[1], round);
  }
  ::close(ends[1]);
  char first = 0;
  EXPECT_EQ(::read(ends[0], &first, 1), 1);  // the store is open
  std::this_thread::sleep_for(after);
  ::kill(child, SIGKILL);
  const Acknowledged result = read_acknowledgements(ends[0]);
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return result;
}

// The commands of the turns that are there, and not the next one's.
void expect_commands_of_turns(SessionStore& store, int round, std::size_t num_turns) {
  for (std::size_t turn = 0; turn <= num_turns; ++turn) {
    const std::string id = "send" + std::to_string(round) + "-" + std::to_string(turn);
    EXPECT_EQ(store.find_command(id).has_value(), turn < num_turns) << id;
  }
}

void expect_all_there(const std::filesystem::path& folder, int round, const Acknowledged& acknowledged) {
  StoreReport report;
  const auto store = open_sqlite_store(folder, report);
  EXPECT_TRUE(report.corrupt_copy.empty());
  EXPECT_TRUE(report.damaged_log_copy.empty());
  const std::string id = "c" + std::to_string(round);
  const auto conversation = store->find(id);
  ASSERT_TRUE(conversation);
  const auto page = store->path(id, conversation->active_leaf, SIZE_MAX);
  ASSERT_GE(page.items.size(), 2u * static_cast<std::size_t>(acknowledged.turns));
  for (int turn = 0; turn < acknowledged.turns; ++turn) {
    const std::string name = std::to_string(round) + "-" + std::to_string(turn);
    const Message& answer = page.items[2 * static_cast<std::size_t>(turn) + 1];
    EXPECT_EQ(page.items[2 * static_cast<std::size_t>(turn)].text, "question " + name);
    EXPECT_EQ(answer.status, MessageStatus::interrupted);
    const int pieces = turn + 1 == acknowledged.turns ? acknowledged.pieces : 5;
    EXPECT_GE(answer.text.size(), 5u * static_cast<std::size_t>(pieces));
    EXPECT_EQ(answer.text.size(), 5 * answer.token_ids.size());  // text and ids agree
  }
  expect_commands_of_turns(*store, round, page.items.size() / 2);
}

TEST(Durability, NothingAcknowledgedIsLostByKill9) {
  const tests::fakes::TempDirectory folder;
  std::mt19937 random(11);
  int turns = 0;
  for (int round = 0; round < kill_rounds(); ++round) {
    const auto acknowledged =
        run_and_kill(folder.path(), round, std::chrono::microseconds(random() % 40'000));
    ASSERT_NO_FATAL_FAILURE(expect_all_there(folder.path(), round, acknowledged)) << "round " << round;
    turns += acknowledged.turns;
  }
  EXPECT_GT(turns, 0);
}

}  // namespace
}  // namespace parley::orchestration::sessions
