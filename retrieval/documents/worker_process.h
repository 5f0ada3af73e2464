#pragma once
// One running parley-documents: started, spoken to with a deadline, ended. One owner, one thread at a time.

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>

#include "retrieval/documents/owned_descriptor.h"
#include "retrieval/documents/worker_protocol.h"

namespace parley::retrieval::documents {

class WorkerProcess {
 public:
  // Returns once the program says that it is confined. Throws std::runtime_error when it cannot be started or
  // does not say so.
  WorkerProcess(const std::filesystem::path& program, const WorkerHello& hello);
  ~WorkerProcess();  // kills its process group and reaps it
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  bool is_alive() const;
  // False: it is gone.
  bool send(const std::string& name, int descriptor);

  enum class Answer { whole, gone, late, stopped, too_long };
  Answer receive(std::string& message, std::size_t longest, std::chrono::steady_clock::time_point deadline,
                 const std::stop_token& stop);

  std::size_t resident_bytes() const;
  // Kills it and says by which signal it ended; 0: it ended by itself.
  int end();

 private:
  void greet(const WorkerHello& hello);

  pid_t pid_ = -1;
  OwnedDescriptor socket_;
};

}  // namespace parley::retrieval::documents
