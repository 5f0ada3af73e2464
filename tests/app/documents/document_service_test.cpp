// Folders on disk, real readers in their worker program, the store: by commands, without an embedding model.
#include "app/documents/document_service.h"

#include <gtest/gtest.h>

#include "inference/json/fields.h"
#include "inference/json/json_writer.h"
#include "tests/fakes/eventually.h"
#include "tests/fakes/file_bytes.h"
#include "tests/fakes/temp_directory.h"

namespace parley::app::documents {
namespace {

namespace fs = std::filesystem;
using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::text_field;
using tests::fakes::write_file;

class DocumentServiceTest : public testing::Test {
 protected:
  DocumentServiceTest() {
    fs::create_directories(root());
    options_.data_dir = folder_.path() / "data";
    fs::create_directories(options_.data_dir);
    // Tests lie three folders below the programs.
    options_.worker_program = fs::read_symlink("/proc/self/exe").parent_path() / "../../../parley-documents";
    options_.following = Following::once;
    options_.no_embedder = "No model here.";
    service_ = make_document_service(options_);
  }

  fs::path root() const { return folder_.path() / "manuals"; }
  JsonObject ask(const JsonObject& request) { return service_->answer(request); }
  std::string error_of(const JsonObject& request) { return text_field(ask(request), "error"); }
  JsonObject collection(const std::string& name) {
    return ask({{"command", "list"}, {"name", name}}).at("collections").as_array().at(0).as_object();
  }
  void add(const std::string& name = "") {
    JsonObject request{{"command", "add"}, {"folder", root().string()}};
    if (!name.empty()) request["name"] = name;
    const JsonObject answer = ask(request);
    ASSERT_FALSE(answer.contains("error")) << inference::json::to_json_text(answer);
    const std::string made = text_field(answer.at("collection").as_object(), "name");
    EXPECT_TRUE(tests::fakes::eventually(
        [&] {
          const std::string activity = text_field(collection(made), "activity");
          return activity == "idle" || activity == "standing";
        },
        std::chrono::seconds(30)));
  }
  JsonArray search(const std::string& question) {
    return ask({{"command", "search"}, {"question", question}}).at("passages").as_array();
  }

  tests::fakes::TempDirectory folder_;
  DocumentServiceOptions options_;
  std::unique_ptr<DocumentService> service_;
};

TEST_F(DocumentServiceTest, AFoldersFilesAreFoundWithTheirPlace) {
  write_file(root() / "pump.md",
             "# Pumps\n\nIntroduction.\n\n## Reset\n\nHold the red lever for nine seconds.\n");
  write_file(root() / "other.txt", "Nothing about it here.\n");
  add();
  const JsonArray found = search("red lever");
  ASSERT_FALSE(found.empty());
  const JsonObject& best = found[0].as_object();
  EXPECT_EQ(text_field(best, "collection"), "manuals");
  EXPECT_EQ(text_field(best, "source"), "pump.md");
  EXPECT_EQ(text_field(best, "headings").empty(), true);  // a list, not a text
  EXPECT_EQ(best.at("headings").as_array().back().as_string(), "Reset");
  EXPECT_NE(text_field(best, "text").find("nine seconds"), std::string::npos);
  const auto counts = collection("manuals").at("counts").as_object();
  EXPECT_EQ(counts.at("ready").to_number<int>(), 2);
}

TEST_F(DocumentServiceTest, WithoutAModelItSaysSo) {
  EXPECT_EQ(text_field(ask({{"command", "search"}, {"question", "x"}}), "note"), "No model here.");
}

TEST_F(DocumentServiceTest, WhatCouldNotBeReadIsListedWithItsReason) {
  write_file(root() / "broken.docx", std::string("PK\x03\x04", 4) + std::string(200, 'x'));
  write_file(root() / "fine.txt", "fine words");
  add("m");
  const JsonArray files = ask({{"command", "files"}, {"name", "m"}}).at("files").as_array();
  const auto counts = collection("m").at("counts").as_object();
  EXPECT_EQ(counts.at("ready").to_number<int>(), 1);
  EXPECT_EQ(counts.at("failed").to_number<int>() + counts.at("skipped").to_number<int>(), 1);
  for (const auto& file : files) EXPECT_FALSE(text_field(file.as_object(), "reason").empty());
}

TEST_F(DocumentServiceTest, MistakesGetASentence) {
  EXPECT_NE(error_of({{"command", "ad"}}).find("no command \"ad\""), std::string::npos);
  EXPECT_NE(error_of({{"command", "add"}}).find("Name the folder"), std::string::npos);
  EXPECT_NE(error_of({{"command", "add"}, {"folder", "/no/such/folder"}}).find("is no folder"),
            std::string::npos);
  EXPECT_NE(error_of({{"command", "search"}}).find("Say what to look for"), std::string::npos);
  EXPECT_NE(error_of({{"command", "search"}, {"question", "x"}, {"limit", 0}}).find("from 1 to 100"),
            std::string::npos);
  EXPECT_NE(error_of({{"command", "search"}, {"question", "x"}, {"collections", JsonArray{1}}})
                .find("list of texts"),
            std::string::npos);
  add("manuals");
  EXPECT_NE(error_of({{"command", "list"}, {"name", "manual"}}).find("did you mean \"manuals\"?"),
            std::string::npos);
  EXPECT_NE(error_of({{"command", "add"}, {"folder", root().string()}, {"name", "x"}}).find("already"),
            std::string::npos);
}

TEST_F(DocumentServiceTest, WhatWasIndexedIsThereAfterARestartAndGoneAfterRemove) {
  write_file(root() / "a.txt", "the heron stands in the reeds");
  add("m");
  service_.reset();
  service_ = make_document_service(options_);
  EXPECT_EQ(search("heron").size(), 1u);
  EXPECT_EQ(text_field(ask({{"command", "remove"}, {"name", "m"}}), "removed"), "m");
  EXPECT_TRUE(search("heron").empty());
  EXPECT_TRUE(ask({{"command", "list"}}).at("collections").as_array().empty());
  EXPECT_TRUE(fs::exists(root() / "a.txt"));
}

}  // namespace
}  // namespace parley::app::documents
