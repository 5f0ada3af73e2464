#include "retrieval/documents/document_worker.h"

#include <signal.h>

#include <optional>
#include <utility>

#include "retrieval/documents/outcome_bytes.h"
#include "retrieval/documents/worker_process.h"

namespace parley::retrieval::documents {

namespace {

// What a file did to the program's memory and state is gone after so many.
constexpr std::uint64_t kFilesAWorker = 200;

ReadFailure worker_failure(ReadFailure::Kind kind, std::string reason) { return {kind, std::move(reason)}; }

class ProcessDocumentWorker final : public DocumentWorker {
 public:
  explicit ProcessDocumentWorker(const WorkerOptions& options) : options_(options) { start(); }

  ReadOutcome read(int descriptor, const std::string& file_name, std::stop_token stop) override {
    if (stop.stop_requested()) return stopped();
    if (!process_ || !process_->is_alive()) start();
    // It may die between two files (its parent thread ended, somebody killed it): that is not this file's
    // fault.
    if (!process_->send(file_name, descriptor)) {
      start();
      if (!process_->send(file_name, descriptor)) return ended_with(std::nullopt);
    }
    std::string answer;
    const auto deadline = std::chrono::steady_clock::now() + options_.time_limit;
    switch (process_->receive(answer, max_outcome_bytes(options_.limits), deadline, stop)) {
      case WorkerProcess::Answer::whole:
        return believed(answer);
      case WorkerProcess::Answer::gone:
        return ended_with(process_->end());
      case WorkerProcess::Answer::late:
        process_.reset();
        return worker_failure(
            ReadFailure::Kind::over_limit,
            "Reading it took longer than " + std::to_string(options_.time_limit.count()) + " s.");
      case WorkerProcess::Answer::stopped:
        process_.reset();
        return stopped();
      case WorkerProcess::Answer::too_long:
        break;
    }
    return unbelievable();
  }

 private:
  void start() {
    process_.reset();
    WorkerHello hello;
    hello.limits = options_.limits;
    hello.memory_bytes = options_.memory_bytes;
    hello.seconds_a_file = static_cast<std::uint64_t>(options_.time_limit.count());
    hello.max_files = kFilesAWorker;
    process_ = std::make_unique<WorkerProcess>(options_.program, hello);
    num_files_ = 0;
  }

  ReadOutcome believed(const std::string& answer) {
    std::optional<ReadOutcome> outcome = decoded_outcome(answer, options_.limits);
    if (!outcome) return unbelievable();
    // What is free again in a program is seldom given back; a quarter of what it may have is enough to keep.
    const bool grown = process_->resident_bytes() > options_.memory_bytes / 4;
    if (++num_files_ >= kFilesAWorker || grown) process_.reset();
    return *std::move(outcome);
  }

  ReadOutcome unbelievable() {
    process_.reset();
    return worker_failure(ReadFailure::Kind::crashed,
                          "The program that reads documents gave a broken answer for it.");
  }

  static ReadOutcome stopped() {
    return worker_failure(ReadFailure::Kind::crashed, "Reading it was stopped.");
  }

  ReadOutcome ended_with(std::optional<int> signal) {
    process_.reset();
    if (signal == SIGXCPU) {
      return worker_failure(ReadFailure::Kind::over_limit, "Reading it took too much computing time.");
    }
    std::string how = "ended";
    if (signal == SIGSYS) how = "asked the system for something that it may not do";
    if (signal == SIGKILL) how = "was killed, perhaps for want of memory,";
    if (signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS || signal == SIGFPE || signal == SIGILL) {
      how = "crashed";
    }
    return worker_failure(ReadFailure::Kind::crashed,
                          "The program that reads documents " + how + " while it read it.");
  }

  WorkerOptions options_;
  std::unique_ptr<WorkerProcess> process_;  // none: it is started for the next file
  std::uint64_t num_files_ = 0;
};

}  // namespace

std::unique_ptr<DocumentWorker> make_document_worker(const WorkerOptions& options) {
  return std::make_unique<ProcessDocumentWorker>(options);
}

}  // namespace parley::retrieval::documents
