#include "retrieval/documents/document_worker.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <variant>

#include "retrieval/documents/owned_descriptor.h"
#include "tests/fakes/temp_directory.h"
#include "tests/retrieval/documents/document_checks.h"
#include "tests/retrieval/documents/worker_programs.h"

namespace parley::retrieval::documents {

namespace {

using Kind = ReadFailure::Kind;

class DocumentWorkerTest : public testing::Test {
 protected:
  OwnedDescriptor file_with(const std::string& bytes, const std::string& name = "file") {
    const std::filesystem::path path = folder_.path() / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return OwnedDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  }

  WorkerOptions options(const std::string& program) const {
    WorkerOptions options;
    options.program = built_program(program);
    options.time_limit = std::chrono::seconds(20);
    return options;
  }

  ReadOutcome fake(DocumentWorker& worker, const std::string& what) {
    const OwnedDescriptor file = file_with("x");
    return worker.read(file.number(), what, {});
  }

  std::string fake_title(DocumentWorker& worker, const std::string& what) {
    const ReadOutcome outcome = fake(worker, what);
    const auto* document = std::get_if<Document>(&outcome);
    return document == nullptr ? "failed: " + std::get<ReadFailure>(outcome).reason : document->title;
  }

  Kind fake_failure(DocumentWorker& worker, const std::string& what) {
    const ReadOutcome outcome = fake(worker, what);
    EXPECT_TRUE(std::holds_alternative<ReadFailure>(outcome)) << what;
    return std::holds_alternative<ReadFailure>(outcome) ? std::get<ReadFailure>(outcome).kind : Kind::empty;
  }

  tests::fakes::TempDirectory folder_;
};

TEST_F(DocumentWorkerTest, ReadsAsTheReadersInThisProcessDo) {
  const auto worker = make_document_worker(options("parley-documents"));
  const std::string markdown =
      "# Title\n\nSome *words*.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
  const OwnedDescriptor file = file_with(markdown);
  const ReadOutcome outcome = worker->read(file.number(), "notes.md", {});
  ASSERT_TRUE(std::holds_alternative<Document>(outcome));
  const auto& document = std::get<Document>(outcome);
  EXPECT_EQ(described(document), described(read_document(markdown, "notes.md")));
  EXPECT_EQ(document.title, "Title");
  EXPECT_EQ(document.media_type, "text/markdown");
  EXPECT_EQ(document.encoding, "UTF-8");
}

TEST_F(DocumentWorkerTest, ReadsEncodingsThatNeedConverters) {
  const auto worker = make_document_worker(options("parley-documents"));
  // Several that the worker has not opened before it was confined.
  const OwnedDescriptor cyrillic = file_with("<meta charset=koi8-r><p>\xF0\xD2\xC9\xD7\xC5\xD4 \xCD\xC9\xD2");
  const ReadOutcome outcome = worker->read(cyrillic.number(), "page.html", {});
  ASSERT_TRUE(std::holds_alternative<Document>(outcome));
  EXPECT_EQ(std::get<Document>(outcome).text, "Привет мир");
}

// Poppler loads fonts and converters when it first meets a page: the confinement must come after that.
TEST_F(DocumentWorkerTest, ReadsPdfAsInThisProcess) {
  const auto worker = make_document_worker(options("parley-documents"));
  const std::string pdf =
      "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count "
      "1>>endobj\n"
      "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F 5 0 "
      "R>>>>>>endobj\n"
      "4 0 obj<</Length 50>>stream\nBT /F 12 Tf 20 100 Td (Some words of a page.) Tj ET\nendstream endobj\n"
      "5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>endobj\ntrailer<</Root 1 0 R>>\n";
  for (int i = 0; i < 5; ++i) {  // the C library unloads a converter's module after it was closed some times
    const OwnedDescriptor file = file_with(pdf);
    const ReadOutcome outcome = worker->read(file.number(), "a.pdf", {});
    ASSERT_TRUE(std::holds_alternative<Document>(outcome)) << std::get<ReadFailure>(outcome).reason;
    EXPECT_EQ(std::get<Document>(outcome).text, "Some words of a page.\n");
    EXPECT_EQ(std::get<Document>(outcome).num_pages, 1);
  }
}

TEST_F(DocumentWorkerTest, TellsWhyAFileIsNotRead) {
  const auto worker = make_document_worker(options("parley-documents"));
  const OwnedDescriptor picture = file_with("\x89PNG\r\n\x1A\n");
  const ReadOutcome outcome = worker->read(picture.number(), "a.png", {});
  ASSERT_TRUE(std::holds_alternative<ReadFailure>(outcome));
  EXPECT_EQ(std::get<ReadFailure>(outcome).kind, Kind::unsupported);
  EXPECT_EQ(std::get<ReadFailure>(outcome).reason, "It is a picture: there is no text in it to read.");
}

TEST_F(DocumentWorkerTest, RefusesWhatIsNoRegularFile) {
  const auto worker = make_document_worker(options("parley-documents"));
  const OwnedDescriptor folder(::open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const ReadOutcome outcome = worker->read(folder.number(), "tmp", {});
  ASSERT_TRUE(std::holds_alternative<ReadFailure>(outcome));
  EXPECT_EQ(std::get<ReadFailure>(outcome).kind, Kind::unsupported);
}

TEST_F(DocumentWorkerTest, LeavesTheDescriptorAndItsPositionAlone) {
  const auto worker = make_document_worker(options("parley-documents"));
  const OwnedDescriptor file = file_with("some words");
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(std::holds_alternative<Document>(worker->read(file.number(), "a.txt", {})));
    EXPECT_EQ(::lseek(file.number(), 0, SEEK_CUR), 0);
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they need terabytes of address space
TEST_F(DocumentWorkerTest, AFileThatNeedsMoreMemoryThanAllowedFailsAlone) {
  WorkerOptions small = options("parley-documents");
  small.memory_bytes = std::size_t{160} << 20;
  const auto worker = make_document_worker(small);
  const OwnedDescriptor large = file_with(std::string(std::size_t{60} << 20, 'x') + "\n");
  const ReadOutcome outcome = worker->read(large.number(), "large.txt", {});
  ASSERT_TRUE(std::holds_alternative<ReadFailure>(outcome));
  EXPECT_EQ(std::get<ReadFailure>(outcome).kind, Kind::over_limit);
  const OwnedDescriptor next = file_with("words", "next");
  EXPECT_TRUE(std::holds_alternative<Document>(worker->read(next.number(), "next.txt", {})));
}
#endif

TEST_F(DocumentWorkerTest, ACrashFailsThatFileAndTheNextOneIsReadByANewProgram) {
  const auto worker = make_document_worker(options("fake_document_worker"));
  const std::string first = fake_title(*worker, "a");
  EXPECT_EQ(fake_title(*worker, "b"), first);  // one program for several files
  EXPECT_EQ(fake_failure(*worker, "crash"), Kind::crashed);
  const std::string second = fake_title(*worker, "c");
  EXPECT_NE(second, first);
  EXPECT_EQ(fake_failure(*worker, "exit"), Kind::crashed);
  EXPECT_NE(fake_title(*worker, "d"), second);
}

TEST_F(DocumentWorkerTest, TellsProcessorTimeFromACrash) {
  const auto worker = make_document_worker(options("fake_document_worker"));
  EXPECT_EQ(fake_failure(*worker, "killed by cpu"), Kind::over_limit);
}

TEST_F(DocumentWorkerTest, AFileThatTakesTooLongIsGivenUp) {
  WorkerOptions hasty = options("fake_document_worker");
  hasty.time_limit = std::chrono::seconds(1);
  const auto worker = make_document_worker(hasty);
  const std::string first = fake_title(*worker, "a");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(fake_failure(*worker, "hang"), Kind::over_limit);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  EXPECT_NE(fake_title(*worker, "b"), first);
}

TEST_F(DocumentWorkerTest, AStopEndsTheProgram) {
  const auto worker = make_document_worker(options("fake_document_worker"));
  const pid_t pid = std::stoi(fake_title(*worker, "a"));
  std::stop_source stop;
  std::jthread stopper([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop.request_stop();
  });
  const OwnedDescriptor file = file_with("x");
  const auto begin = std::chrono::steady_clock::now();
  const ReadOutcome outcome = worker->read(file.number(), "hang", stop.get_token());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  ASSERT_TRUE(std::holds_alternative<ReadFailure>(outcome));
  EXPECT_EQ(std::get<ReadFailure>(outcome).reason, "Reading it was stopped.");
  EXPECT_NE(::kill(pid, 0), 0);
}

TEST_F(DocumentWorkerTest, BelievesNoAnswerThatIsNone) {
  const auto worker = make_document_worker(options("fake_document_worker"));
  for (const char* what : {"garbage", "huge", "half"}) {
    EXPECT_EQ(fake_failure(*worker, what), Kind::crashed) << what;
    EXPECT_NE(std::stoi(fake_title(*worker, "next")), 0) << what;
  }
}

TEST_F(DocumentWorkerTest, AProgramThatHasGrownIsReplaced) {
  WorkerOptions tight = options("fake_document_worker");
  tight.memory_bytes = std::size_t{256} << 20;
  const auto worker = make_document_worker(tight);
  const std::string first = fake_title(*worker, "grow");
  EXPECT_NE(fake_title(*worker, "a"), first);
}

TEST_F(DocumentWorkerTest, AProgramIsReplacedAfterManyFiles) {
  const auto worker = make_document_worker(options("fake_document_worker"));
  std::set<std::string> programs;
  for (int i = 0; i < 401; ++i) programs.insert(fake_title(*worker, "a"));
  EXPECT_EQ(programs.size(), 3U);
}

TEST_F(DocumentWorkerTest, InheritsNothingOfTheServer) {
  const OwnedDescriptor secret(::open("/etc/hostname", O_RDONLY));  // without O_CLOEXEC
  const auto worker = make_document_worker(options("fake_document_worker"));
  // 0 to 2 are /dev/null, 3 is the socket, 4 the file.
  EXPECT_EQ(fake_title(*worker, "descriptors"), "0 1 2 3 4 ");
  EXPECT_EQ(fake_title(*worker, "group"), "own group");
}

TEST_F(DocumentWorkerTest, EndsItsProgram) {
  auto worker = make_document_worker(options("fake_document_worker"));
  const pid_t pid = std::stoi(fake_title(*worker, "a"));
  EXPECT_EQ(::kill(pid, 0), 0);
  worker.reset();
  EXPECT_NE(::kill(pid, 0), 0);
}

TEST_F(DocumentWorkerTest, SaysWhenTheProgramCannotBeStarted) {
  WorkerOptions missing = options("parley-documents");
  missing.program = "/nowhere/parley-documents";
  EXPECT_THROW(make_document_worker(missing), std::runtime_error);
  missing.program = "/bin/true";  // starts, but is another program
  EXPECT_THROW(make_document_worker(missing), std::runtime_error);
}

}  // namespace

}  // namespace parley::retrieval::documents
