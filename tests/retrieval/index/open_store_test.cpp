// Opening DIR/documents.db: made, kept, set aside.
#include <gtest/gtest.h>

#include "storage/sqlite/store_error.h"
#include "tests/fakes/file_bytes.h"
#include "tests/retrieval/index/sample_documents.h"

namespace parley::retrieval::index {
namespace {

TEST(OpenStore, MakesItPrivateAndSaysNothing) {
  StoreOnDisk on_disk;
  EXPECT_EQ(on_disk.report, "");
  const auto file = on_disk.folder.path() / "documents.db";
  EXPECT_EQ(std::filesystem::status(file).permissions() & std::filesystem::perms::mask,
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST(OpenStore, SetsADamagedFileAsideAndSaysSo) {
  StoreOnDisk on_disk;
  on_disk.file_with(on_disk.collection("docs"), "a.txt", "apple");
  on_disk.store.reset();
  tests::fakes::write_file(on_disk.folder.path() / "documents.db", std::string(50'000, 'x'));
  on_disk.open();
  EXPECT_NE(on_disk.report.find(".corrupt-"), std::string::npos);
  EXPECT_TRUE(on_disk.store->collections().empty());
  on_disk.file_with(on_disk.collection("docs"), "a.txt", "pear");
  EXPECT_EQ(on_disk.texts({"pear"}), Texts{"pear"});
}

TEST(OpenStore, RefusesAFileThatAnotherStoreHasOpen) {
  StoreOnDisk on_disk;
  std::string report;
  EXPECT_THROW(open_document_store(on_disk.folder.path(), report), storage::sqlite::StoreError);
  on_disk.file_with(on_disk.collection("docs"), "a.txt", "apple");
  EXPECT_EQ(on_disk.texts({"apple"}), Texts{"apple"});
}

TEST(OpenStore, LeavesNoLogBehindWhenItIsClosed) {
  StoreOnDisk on_disk;
  on_disk.file_with(on_disk.collection("docs"), "a.txt", "apple");
  EXPECT_EQ(on_disk.texts({"apple"}), Texts{"apple"});
  on_disk.store.reset();
  EXPECT_FALSE(std::filesystem::exists(on_disk.folder.path() / "documents.db-wal"));
}

}  // namespace
}  // namespace parley::retrieval::index
