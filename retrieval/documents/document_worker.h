#pragma once
// Reads files in a program of its own (parley-documents), which a hostile file may bring down without harm:
// it has no network, no files but the one whose descriptor it is handed, and limits on memory, time and
// output. One worker is used for many files and replaced after a failure, or when it has read enough.
//
// One caller at a time each worker; make as many as there are threads that read, each in its thread: the
// program ends with the thread that started it (the next file would start another). Throws std::runtime_error
// when the program cannot be started; what a file does to it is a ReadFailure.

#include <chrono>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

#include "retrieval/documents/document_reader.h"

namespace parley::retrieval::documents {

struct WorkerOptions {
  std::filesystem::path program;  // of parley-documents
  ReadLimits limits;
  std::chrono::seconds time_limit{60};  // wall time a file
  std::size_t memory_bytes = std::size_t{2} << 30;
};

class DocumentWorker {
 public:
  virtual ~DocumentWorker() = default;  // ends the program
  // Reads what `descriptor` (a regular file, open for reading, not taken over) holds. `stop` ends the worker.
  virtual ReadOutcome read(int descriptor, const std::string& file_name, std::stop_token stop) = 0;
};

std::unique_ptr<DocumentWorker> make_document_worker(const WorkerOptions& options);

}  // namespace parley::retrieval::documents
