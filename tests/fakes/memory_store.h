#pragma once
// Conversations in memory. Behaves like the store on disk, errors included: one suite of tests runs over
// both; but it never forgets a command. Used by one thread at a time.

#include <memory>

#include "orchestration/sessions/session_store.h"

namespace parley::tests::fakes {

std::unique_ptr<orchestration::sessions::SessionStore> make_memory_store();

}  // namespace parley::tests::fakes
