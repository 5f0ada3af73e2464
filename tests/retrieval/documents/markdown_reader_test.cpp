#include <gtest/gtest.h>
#include <md4c.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/retrieval/documents/document_checks.h"

namespace parley::retrieval::documents {

namespace {

Lines markdown(const std::string& text) {
  const Document document = read_document(text, "a.md");
  EXPECT_EQ(document.text, text);
  return described(document);
}

TEST(MarkdownReaderTest, HeadingsOfBothKinds) {
  EXPECT_EQ(markdown("# One #\n\n### Three\ntext\nTwo\nlines\n---\n#nothing\n"),
            (Lines{"h1 One", "h3 Three", "h2 text/Two/lines", "p #nothing"}));
}

TEST(MarkdownReaderTest, FencesKeepWhatIsInThem) {
  EXPECT_EQ(markdown("a\n```sh\n# no heading\n\n- no item\n```\nb\n~~~~\n```\n~~~\n~~~~\n"),
            (Lines{"p a", "code ```sh/# no heading//- no item/```", "p b", "code ~~~~/```/~~~/~~~~"}));
  EXPECT_EQ(markdown("```\nnever closed\n\n# a\n"), (Lines{"code ```/never closed//# a"}));
}

TEST(MarkdownReaderTest, ListsNest) {
  EXPECT_EQ(
      markdown("- a\n  still a\n  - b\n    1. c\n- d\n\n  another paragraph of d\n\nend\n"),
      (Lines{"li1 - a/  still a", "li2 - b", "li3 1. c", "li1 - d", "p another paragraph of d", "p end"}));
  EXPECT_EQ(markdown("1. run\n\n   ```\n   x\n   ```\n2. stop\n"),
            (Lines{"li1 1. run", "code    ```/   x/   ```", "li1 2. stop"}));
}

TEST(MarkdownReaderTest, TablesHaveAHeaderAndRows) {
  EXPECT_EQ(markdown("| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 | 4 |\n\nafter\n"),
            (Lines{"th | a | b |/|---|:-:|", "tr | 1 | 2 |", "tr | 3 | 4 |", "p after"}));
  EXPECT_EQ(markdown("a | b\n--- | --- | ---\n"), (Lines{"p a | b/--- | --- | ---"}));
}

TEST(MarkdownReaderTest, QuotesCodeAndComments) {
  EXPECT_EQ(
      markdown("> said\n> # loudly\ngoes on\n\n    indented\n\n    code\n\n<!-- no\n\n# heading -->\n***\n"),
      (Lines{"q > said/> # loudly", "p goes on", "code     indented//    code", "p <!-- no//# heading -->",
             "p ***"}));
}

TEST(MarkdownReaderTest, FrontMatterNamesIt) {
  const Document document = read_document("---\ntitle: \"The: name\"\ntags: [a]\n---\n\n# Heading\n", "a.md");
  EXPECT_EQ(document.title, "The: name");
  EXPECT_EQ(described(document), (Lines{"code ---/title: \"The: name\"/tags: [a]/---", "h1 Heading"}));
  EXPECT_EQ(read_document("---\n\n# Heading\n", "a.md").title, "Heading");
}

// An independent reading: md4c's.
struct Counts {
  int headings[7] = {};
  int code = 0, rows = 0, tables = 0, depth = 0;
  bool operator==(const Counts& other) const {
    return std::equal(headings, headings + 7, other.headings) && code == other.code && rows == other.rows &&
           tables == other.tables;
  }
  std::string shown() const {
    std::string text = "h";
    for (const int count : headings) text += " " + std::to_string(count);
    return text + " code " + std::to_string(code) + " tables " + std::to_string(tables) + " rows " +
           std::to_string(rows);
  }
};

int enter(MD_BLOCKTYPE type, void* detail, void* user) {
  auto& counts = *static_cast<Counts*>(user);
  if (type == MD_BLOCK_QUOTE) ++counts.depth;
  if (counts.depth > 0) return 0;  // quotes are one block here
  if (type == MD_BLOCK_H) ++counts.headings[static_cast<MD_BLOCK_H_DETAIL*>(detail)->level];
  if (type == MD_BLOCK_CODE) ++counts.code;
  if (type == MD_BLOCK_TABLE) ++counts.tables;
  if (type == MD_BLOCK_TABLE)
    counts.rows += static_cast<int>(static_cast<MD_BLOCK_TABLE_DETAIL*>(detail)->body_row_count);
  return 0;
}

int leave(MD_BLOCKTYPE type, void*, void* user) {
  if (type == MD_BLOCK_QUOTE) --static_cast<Counts*>(user)->depth;
  return 0;
}

int span(MD_SPANTYPE, void*, void*) { return 0; }
int words(MD_TEXTTYPE, const MD_CHAR*, MD_SIZE, void*) { return 0; }

Counts counted_by_md4c(const std::string& text) {
  const MD_PARSER parser = {0, MD_FLAG_TABLES, enter, leave, span, span, words, nullptr, nullptr};
  Counts counts;
  md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, &counts);
  return counts;
}

Counts counted(const Document& document) {
  Counts counts;
  for (const Block& block : document.blocks) {
    if (block.kind == BlockKind::heading) ++counts.headings[block.level];
    if (block.kind == BlockKind::code && text_of_range(document, block.range).find("<pre") != 0)
      ++counts.code;
    if (block.kind == BlockKind::table_header) ++counts.tables;
    if (block.kind == BlockKind::table_row) ++counts.rows;
  }
  return counts;
}

// Headings in list items ("- # a") are read as items, so a few files differ; what is compared is a share.
TEST(MarkdownReaderTest, AgreesWithMd4cOnTheFilesOfThisMachine) {
  int files = 0, same = 0;
  std::string differences;
  for (const char* root : {"docs", "/usr/share/doc", "/usr/lib/node_modules", "/usr/share/nodejs"}) {
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator entry(root, error), end; entry != end;
         entry.increment(error)) {
      if (error || !entry->is_regular_file(error) || entry->path().extension() != ".md") continue;
      std::ifstream file(entry->path(), std::ios::binary);
      const std::string bytes((std::istreambuf_iterator<char>(file)), {});
      const ReadOutcome outcome = read_bytes(bytes, "a.md");
      if (!std::holds_alternative<Document>(outcome)) continue;
      const auto& document = std::get<Document>(outcome);
      if (document.text.starts_with("---\n")) continue;  // front matter is no part of CommonMark
      ASSERT_EQ(broken_promise(document), "") << entry->path();
      ++files;
      const Counts ours = counted(document), theirs = counted_by_md4c(document.text);
      same += ours == theirs ? 1 : 0;
      if (!(ours == theirs))
        differences += entry->path().string() + "\n  " + ours.shown() + "\n  " + theirs.shown() + "\n";
      if (files == 1000) break;
    }
  }
  EXPECT_GT(files, 5);
  EXPECT_GE(same * 100, files * 95) << same << " of " << files << " alike\n" << differences;
  RecordProperty("files", files);
  RecordProperty("same", same);
}

}  // namespace

}  // namespace parley::retrieval::documents
