// What answers, and what does so no more.
#include "retrieval/index/document_store.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "storage/sqlite/store_error.h"
#include "tests/retrieval/index/sample_documents.h"

namespace parley::retrieval::index {
namespace {

TEST(DocumentStore, KeepsCollectionsAsTheyWereAdded) {
  StoreOnDisk on_disk;
  const CollectionSettings settings{
      .name = "docs", .root = "/srv/d\xff", .include = {"*.md", ""}, .exclude = {}};
  const Collection added = on_disk.store->add_collection(settings);
  on_disk.open();
  const std::vector<Collection> all = on_disk.store->collections();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].id, added.id);
  EXPECT_EQ(all[0].settings.name, "docs");
  EXPECT_EQ(all[0].settings.root, "/srv/d\xff");
  EXPECT_EQ(all[0].settings.include, (std::vector<std::string>{"*.md", ""}));
  EXPECT_TRUE(all[0].settings.exclude.empty());
  EXPECT_EQ(all[0].state, CollectionState::active);
  EXPECT_EQ(all[0].created_ms, added.created_ms);
  EXPECT_GT(all[0].created_ms, 0);
}

TEST(DocumentStore, RefusesANameThatIsTakenUntilItIsRemoved) {
  StoreOnDisk on_disk;
  const CollectionId first = on_disk.collection("docs");
  EXPECT_THROW(on_disk.collection("docs"), storage::sqlite::StoreError);
  on_disk.store->remove_collection(first);
  const CollectionId second = on_disk.collection("docs");
  EXPECT_NE(first, second);
}

TEST(DocumentStore, RemembersWhyACollectionIsNotActive) {
  StoreOnDisk on_disk;
  const CollectionId docs = on_disk.collection("docs");
  on_disk.store->set_collection_state(docs, CollectionState::unavailable, "/docs is gone.");
  on_disk.open();
  EXPECT_EQ(on_disk.store->collections()[0].state, CollectionState::unavailable);
  EXPECT_EQ(on_disk.store->collections()[0].reason, "/docs is gone.");
}

TEST(DocumentStore, TellsAllOfAPassage) {
  StoreOnDisk on_disk;
  const CollectionId docs = on_disk.collection("docs");
  const FileId file = on_disk.file(docs, "a/b.xlsx");
  FileCommit commit = commit_of(file, "first line\nsecond line\n\nthird line");
  commit.document.page_names = {"Sheet A", "Sheet B"};
  commit.chunks = a_chunk_a_line(commit.document.text, {"Chapter", "Section"});
  commit.chunks[2].page = 2;
  commit.chunks[2].box = {1.5F, 2.0F, 3.0F, 4.0F};
  commit.chunks[2].num_tokens = 7;
  on_disk.store->commit_file(commit);

  const std::vector<StoredPassage> found = on_disk.passages(on_disk.match({"third"}));
  ASSERT_EQ(found.size(), 1u);
  const StoredPassage& passage = found[0];
  EXPECT_EQ(passage.file, file);
  EXPECT_EQ(passage.collection, docs);
  EXPECT_EQ(passage.collection_name, "docs");
  EXPECT_EQ(passage.path, "a/b.xlsx");
  EXPECT_EQ(passage.title, "Title");
  EXPECT_EQ(passage.heading_path, (std::vector<std::string>{"Chapter", "Section"}));
  EXPECT_EQ(passage.text, "third line");
  EXPECT_EQ(passage.range.begin, 24u);
  EXPECT_EQ(passage.range.end, 34u);
  EXPECT_EQ(passage.line, 4);
  EXPECT_EQ(passage.page, 2);
  EXPECT_EQ(passage.page_name, "Sheet B");
  EXPECT_EQ(passage.box.left, 1.5F);
  EXPECT_EQ(passage.box.bottom, 4.0F);
  EXPECT_EQ(passage.num_tokens, 7);
  EXPECT_EQ(passage.ordinal, 2);
  EXPECT_EQ(passage.text_hash, hash_text("third line"));
}

TEST(DocumentStore, KeepsATextThatIsNotItsRange) {
  StoreOnDisk on_disk;
  const FileId file = on_disk.file(on_disk.collection("docs"), "t.csv");
  FileCommit commit = commit_of(file, "name;value\nalpha;1\nbeta;2");
  commit.chunks[2].text = "name;value\nbeta;2";
  on_disk.store->commit_file(commit);
  const std::vector<StoredPassage> found = on_disk.passages(on_disk.match({"beta"}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].text, "name;value\nbeta;2");
  EXPECT_EQ(on_disk.store->text_of(file)->text, "name;value\nalpha;1\nbeta;2");
}

TEST(DocumentStore, PutsANewGenerationInTheOldOnesPlace) {
  StoreOnDisk on_disk;
  const CollectionId docs = on_disk.collection("docs");
  const FileId file = on_disk.file_with(docs, "a.txt", "old apple\nold pear");
  const std::vector<ScoredPassage> old = on_disk.match({"apple"});
  ASSERT_EQ(old.size(), 1u);
  on_disk.file_with(docs, "a.txt", "new apple", 2);

  EXPECT_EQ(on_disk.texts({"apple"}), Texts{"new apple"});
  EXPECT_EQ(on_disk.texts({"pear"}), Texts{});
  EXPECT_TRUE(on_disk.passages(old).empty());
  EXPECT_EQ(on_disk.store->text_of(file)->text, "new apple");
  EXPECT_EQ(on_disk.store->counts(docs).passages, 1);
}

TEST(DocumentStore, AnswersWithTheOldGenerationWhileAFileWaitsAndWhenItFails) {
  StoreOnDisk on_disk;
  const CollectionId docs = on_disk.collection("docs");
  const FileId file = on_disk.file_with(docs, "a.txt", "apple");
  on_disk.file(docs, "a.txt", 2);
  EXPECT_EQ(on_disk.texts({"apple"}), Texts{"apple"});
  on_disk.store->fail_file(
      file, {.state = FileState::failed, .reason = "It is damaged.", .retry_at_ms = 0, .content = {}});
  EXPECT_EQ(on_disk.texts({"apple"}), Texts{"apple"});
  ASSERT_EQ(on_disk.store->failed_files(docs, 10).size(), 1u);
  EXPECT_EQ(on_disk.store->failed_files(docs, 10)[0].reason, "It is damaged.");
}

TEST(DocumentStore, DropsPassagesWhenAFileBecameSomethingElse) {
  StoreOnDisk on_disk;
  const CollectionId docs = on_disk.collection("docs");
  const FileId file = on_disk.file_with(docs, "a.txt", "apple");
  FileFailure failure;
  failure.state = FileState::skipped;
  failure.reason = "It is a picture.";
  failure.drop_passages = true;
  on_disk.store->fail_file(file, failure);
  EXPECT_TRUE(on_disk.match({"apple"}).empty());
  EXPECT_FALSE(on_disk.store->text_of(file).has_value());
  EXPECT_EQ(on_disk.store->counts(docs).skipped, 1);
  EXPECT_EQ(on_disk.store->counts(docs).passages, 0);
}

TEST(DocumentStore, LetsNothingOfARemovedFileAnswer) {
  StoreOnDisk on_disk;
  const CollectionId docs = on_disk.collection("docs");
  const FileId gone = on_disk.file_with(docs, "a.txt", "apple one");
  on_disk.file_with(docs, "b.txt", "apple two");
  const std::vector<ScoredPassage> before = on_disk.match({"apple"});
  const std::vector<FileId> files = {gone};
  on_disk.store->remove_files(files);
  EXPECT_EQ(on_disk.texts({"apple"}), Texts{"apple two"});
  EXPECT_EQ(on_disk.passages(before).size(), 1u);
  EXPECT_FALSE(on_disk.store->text_of(gone).has_value());
  EXPECT_FALSE(on_disk.store->find_file(docs, "a.txt").has_value());
}

TEST(DocumentStore, LetsNothingOfARemovedCollectionAnswer) {
  StoreOnDisk on_disk;
  const CollectionId docs = on_disk.collection("docs");
  const FileId file = on_disk.file_with(docs, "a.txt", "apple one");
  on_disk.file(docs, "queued.txt");
  on_disk.file_with(on_disk.collection("other"), "b.txt", "apple two");
  on_disk.store->remove_collection(docs);
  EXPECT_EQ(on_disk.texts({"apple"}), Texts{"apple two"});
  EXPECT_EQ(on_disk.texts({"apple"}, {docs}), Texts{});
  EXPECT_FALSE(on_disk.store->text_of(file).has_value());
  EXPECT_FALSE(on_disk.store->find_file(docs, "a.txt").has_value());
  EXPECT_TRUE(on_disk.store->next_files(1, 10).empty());
  EXPECT_EQ(on_disk.store->counts(docs).files, 0);
  int seen = 0;
  on_disk.store->for_each_file(docs, [&](const FileRecord&) { ++seen; });
  EXPECT_EQ(seen, 0);
}

TEST(DocumentStore, IgnoresWhatWasReadOfAFileThatIsGone) {
  StoreOnDisk on_disk;
  const CollectionId docs = on_disk.collection("docs");
  const FileId file = on_disk.file(docs, "a.txt");
  const std::vector<FileId> files = {file};
  on_disk.store->remove_files(files);
  on_disk.store->commit_file(commit_of(file, "apple"));
  on_disk.store->fail_file(file, {});
  on_disk.store->rename_file(file, "b.txt", stamp_at(2));
  EXPECT_TRUE(on_disk.match({"apple"}).empty());
  EXPECT_EQ(on_disk.store->counts(docs).files, 0);
}

TEST(DocumentStore, KeepsPassagesOfARenamedFileAndDropsWhatItReplaced) {
  StoreOnDisk on_disk;
  const CollectionId docs = on_disk.collection("docs");
  const FileId file = on_disk.file_with(docs, "a.txt", "apple one");
  on_disk.file_with(docs, "b.txt", "apple two");
  const std::vector<ScoredPassage> before = on_disk.match({"one"});
  on_disk.store->rename_file(file, "b.txt", stamp_at(9));
  EXPECT_EQ(on_disk.match({"one"})[0].id, before[0].id);
  EXPECT_EQ(on_disk.texts({"apple"}), Texts{"apple one"});
  EXPECT_EQ(on_disk.passages(before)[0].path, "b.txt");
  EXPECT_EQ(on_disk.store->find_file(docs, "b.txt")->stamp, stamp_at(9));
  EXPECT_FALSE(on_disk.store->find_file(docs, "a.txt").has_value());
}

TEST(DocumentStore, TellsFollowersWhatCameAndWent) {
  StoreOnDisk on_disk;
  const CollectionId docs = on_disk.collection("docs");
  const FileId file = on_disk.file_with(docs, "a.txt", "one\ntwo\nthree");
  PassageChanges changes = on_disk.store->changes_since({}, 2);
  ASSERT_EQ(changes.added.size(), 2u);
  EXPECT_TRUE(changes.more);
  EXPECT_EQ(changes.added[0].text_hash, hash_text("one"));
  EXPECT_EQ(changes.added[0].collection, docs);
  const PassageId first = changes.added[0].id;
  changes = on_disk.store->changes_since(changes.mark, 2);
  ASSERT_EQ(changes.added.size(), 1u);
  EXPECT_FALSE(changes.more);

  const std::vector<FileId> files = {file};
  on_disk.store->remove_files(files);
  changes = on_disk.store->changes_since(changes.mark, 10);
  EXPECT_TRUE(changes.added.empty());
  ASSERT_EQ(changes.gone.size(), 1u);
  EXPECT_EQ(changes.gone[0].first, first);
  EXPECT_EQ(changes.gone[0].last, first + 2);
  changes = on_disk.store->changes_since(changes.mark, 10);
  EXPECT_TRUE(changes.gone.empty());
}

}  // namespace
}  // namespace parley::retrieval::index
