// kill -9 at random moments of indexing: each file answers with one generation, whole, the one that was
// acknowledged last or the one that was being committed. PARLEY_KILL_ROUNDS sets how many kills (30).
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>

#include "tests/retrieval/index/sample_documents.h"

namespace parley::retrieval::index {
namespace {

constexpr int kFiles = 3;
constexpr int kPassages = 40;

int kill_rounds() {
  const char* text = std::getenv("PARLEY_KILL_ROUNDS");
  return text != nullptr ? std::atoi(text) : 30;
}

std::string text_of_generation(int file, int generation) {
  std::string text;
  for (int i = 0; i < kPassages; ++i)
    text += "file" + std::to_string(file) + " gen" + std::to_string(generation) + " part" +
            std::to_string(i) + "\n";
  return text;
}

// What the child was told is durable: the generations of each file.
struct Acknowledged {
  std::array<int, kFiles> generations{};
};

// Runs in the child until it is killed.
[[noreturn]] void index_for_ever(const std::filesystem::path& folder, int pipe,
                                 std::array<int, kFiles> generations) {
  std::string report;
  const auto store = open_document_store(folder, report);
  const CollectionId docs = store->collections()[0].id;
  if (::write(pipe, "r", 1) != 1) ::_exit(3);
  for (int turn = 0;; ++turn) {
    const int file = turn % kFiles;
    const int generation = ++generations[static_cast<std::size_t>(file)];
    const std::string path = std::to_string(file);
    const std::vector<FileToRead> files = {{path, stamp_at(generation)}};
    store->queue_files(docs, files);
    store->commit_file(
        commit_of(store->find_file(docs, path)->id, text_of_generation(file, generation), generation));
    const char done = static_cast<char>('0' + file);
    if (::write(pipe, &done, 1) != 1) ::_exit(3);
    store->clean_up(17);
  }
}

void read_acknowledgements(int pipe, Acknowledged& acknowledged) {
  std::array<char, 4096> buffer{};
  for (ssize_t size = 0; (size = ::read(pipe, buffer.data(), buffer.size())) > 0;) {
    for (ssize_t i = 0; i < size; ++i)
      ++acknowledged.generations[static_cast<std::size_t>(buffer[static_cast<std::size_t>(i)] - '0')];
  }
}

void run_and_kill(const std::filesystem::path& folder, std::chrono::microseconds after,
                  Acknowledged& acknowledged) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::close(pipe[0]);
    index_for_ever(folder, pipe[1], acknowledged.generations);
  }
  ::close(pipe[1]);
  char ready = 0;
  ASSERT_EQ(::read(pipe[0], &ready, 1), 1) << "the child could not open the store";
  std::this_thread::sleep_for(after);
  ::kill(child, SIGKILL);
  read_acknowledgements(pipe[0], acknowledged);
  ::close(pipe[0]);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status)) << "the child ended by itself";
}

// The generation that file `file` answers with, after looking at every word of it.
int answering_generation(StoreOnDisk& on_disk, int file) {
  std::set<std::string> generations, parts;
  const std::vector<StoredPassage> found =
      on_disk.passages(on_disk.match({"file" + std::to_string(file)}, {}, 10 * kPassages));
  for (const StoredPassage& passage : found) {
    const std::size_t space = passage.text.find(' '), second = passage.text.find(' ', space + 1);
    generations.insert(passage.text.substr(space + 4, second - space - 4));
    parts.insert(passage.text.substr(second + 1));
  }
  EXPECT_EQ(found.size(), static_cast<std::size_t>(kPassages));
  EXPECT_EQ(generations.size(), 1u);
  EXPECT_EQ(parts.size(), static_cast<std::size_t>(kPassages));
  return generations.empty() ? -1 : std::stoi(*generations.begin());
}

TEST(Durability, KillsLeaveOneWholeGenerationOfEachFile) {
  StoreOnDisk on_disk;
  const CollectionId docs = on_disk.collection("docs");
  for (int file = 0; file < kFiles; ++file)
    on_disk.file_with(docs, std::to_string(file), text_of_generation(file, 0), 0);
  on_disk.store.reset();

  std::mt19937 random(5);
  Acknowledged acknowledged;
  int commits = 0;
  for (int round = 0; round < kill_rounds(); ++round) {
    const std::chrono::microseconds after(random() % 60'000);
    run_and_kill(on_disk.folder.path(), after, acknowledged);
    on_disk.open();
    ASSERT_EQ(on_disk.report, "");
    for (int file = 0; file < kFiles; ++file) {
      int& known = acknowledged.generations[static_cast<std::size_t>(file)];
      const int found = answering_generation(on_disk, file);
      ASSERT_TRUE(found == known || found == known + 1)
          << "file " << file << " round " << round << ": " << found << " after " << known;
      known = found;
      commits = std::max(commits, found);
      EXPECT_EQ(on_disk.store->text_of(on_disk.store->find_file(docs, std::to_string(file))->id)->text,
                text_of_generation(file, found));
    }
    on_disk.store.reset();
  }
  EXPECT_GT(commits, 0) << "no kill came after a commit";

  on_disk.open();
  while (on_disk.store->clean_up(1000)) {
  }
  for (int file = 0; file < kFiles; ++file) answering_generation(on_disk, file);
  const PassageChanges changes = on_disk.store->changes_since({}, 10'000);
  EXPECT_EQ(changes.added.size(), static_cast<std::size_t>(kFiles * kPassages));
  EXPECT_TRUE(changes.gone.empty());
}

}  // namespace
}  // namespace parley::retrieval::index
