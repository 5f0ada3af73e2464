#pragma once
// A store on disk that tests open again and again, and the file under it.

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "orchestration/sessions/sqlite_store.h"
#include "tests/fakes/file_bytes.h"
#include "tests/fakes/temp_directory.h"

namespace parley::orchestration::sessions {

using tests::fakes::read_file;
using tests::fakes::write_file;

class StoreOnDisk : public testing::Test {
 protected:
  std::unique_ptr<SessionStore> open() {
    report_ = {};
    return open_sqlite_store(folder_.path(), report_, options_);
  }

  // What the store says when it does not open; empty: it does.
  std::string refusal() {
    try {
      open();
    } catch (const StoreError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path file() const { return folder_.path() / "parley.db"; }

  tests::fakes::TempDirectory folder_;
  StoreOptions options_;
  StoreReport report_;
};

}  // namespace parley::orchestration::sessions
