#pragma once
// Writes what became of a file into the store: a new generation, a new stamp, a reason, or that it is gone.
// The indexer's thread. Throws storage::sqlite::StoreError.

#include <chrono>
#include <cstdint>

#include "retrieval/index/document_store.h"
#include "retrieval/ingest/reader_pool.h"

namespace parley::retrieval::ingest {

// When a file that could not be read for a passing reason is tried again after `attempts` tries; 0: no more.
std::chrono::milliseconds retry_delay(int attempts);

// `now_ms` since 1970. An outcome whose file was removed or renamed meanwhile is dropped.
void write_outcome(index::DocumentStore& store, const FinishedJob& done, std::int64_t now_ms);

}  // namespace parley::retrieval::ingest
