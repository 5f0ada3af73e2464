#pragma once
// A worker that reads a file as one paragraph of text, in this process. Words in the text make it do what
// files do.

#include <unistd.h>

#include <atomic>
#include <memory>
#include <string>

#include "retrieval/documents/document_worker.h"

namespace parley::retrieval::ingest {

class ScriptedWorker final : public documents::DocumentWorker {
 public:
  explicit ScriptedWorker(std::shared_ptr<std::atomic<int>> num_reads) : num_reads_(std::move(num_reads)) {}

  documents::ReadOutcome read(int descriptor, const std::string&, std::stop_token) override {
    using documents::ReadFailure;
    ++*num_reads_;
    std::string text(4096, '\0');
    const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    if (text.find("ENCRYPTED") != std::string::npos)
      return ReadFailure{ReadFailure::Kind::encrypted, "It is encrypted."};
    if (text.find("CRASH") != std::string::npos)
      return ReadFailure{ReadFailure::Kind::crashed, "Its reader crashed."};
    if (text.empty()) return ReadFailure{ReadFailure::Kind::empty, "The file is empty."};
    documents::Document document;
    documents::Block block;
    block.range = block.original = {0, text.size()};
    document.blocks.push_back(block);
    document.text = std::move(text);
    document.media_type = "text/plain";
    return document;
  }

 private:
  std::shared_ptr<std::atomic<int>> num_reads_;
};

}  // namespace parley::retrieval::ingest
