#include "retrieval/documents/outcome_bytes.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>
#include <variant>

#include "tests/fakes/mutator.h"
#include "tests/retrieval/documents/document_checks.h"

namespace parley::retrieval::documents {

namespace {

Document full_document() {
  Document document;
  document.text = "Título\n\none | two";
  Block heading;
  heading.kind = BlockKind::heading;
  heading.level = 2;
  heading.range = {0, 7};
  heading.original = {100, 110};
  heading.words = {0, 6};
  heading.page = 1;
  Block row;
  row.kind = BlockKind::table_row;
  row.range = {9, 18};
  row.original = {20, 30};  // before the one above
  row.page = 2;
  row.box = {1.5F, 2.5F, 300.25F, 40};
  document.blocks = {heading, row};
  document.title = "Título";
  document.media_type = "application/pdf";
  document.encoding = "UTF-8";
  document.num_pages = 2;
  document.page_names = {"first", "second"};
  document.notes = {{2, "page 2 is a picture: it needs OCR"}};
  return document;
}

bool is_refused(const Document& document) {
  return !decoded_outcome(encoded_outcome(document), {}).has_value();
}

TEST(OutcomeBytesTest, ADocumentComesBackAsItWas) {
  const Document sent = full_document();
  const std::optional<ReadOutcome> outcome = decoded_outcome(encoded_outcome(sent), {});
  ASSERT_TRUE(outcome && std::holds_alternative<Document>(*outcome));
  const auto& got = std::get<Document>(*outcome);
  EXPECT_EQ(got.text, sent.text);
  EXPECT_EQ(got.title, sent.title);
  EXPECT_EQ(got.media_type, sent.media_type);
  EXPECT_EQ(got.encoding, sent.encoding);
  EXPECT_EQ(got.num_pages, 2);
  EXPECT_EQ(got.page_names, sent.page_names);
  ASSERT_EQ(got.notes.size(), 1U);
  EXPECT_EQ(got.notes[0].page, 2);
  EXPECT_EQ(got.notes[0].reason, sent.notes[0].reason);
  ASSERT_EQ(got.blocks.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(got.blocks[i].kind, sent.blocks[i].kind);
    EXPECT_EQ(got.blocks[i].level, sent.blocks[i].level);
    EXPECT_EQ(got.blocks[i].range.begin, sent.blocks[i].range.begin);
    EXPECT_EQ(got.blocks[i].range.end, sent.blocks[i].range.end);
    EXPECT_EQ(got.blocks[i].original.begin, sent.blocks[i].original.begin);
    EXPECT_EQ(got.blocks[i].original.end, sent.blocks[i].original.end);
    EXPECT_EQ(got.blocks[i].words.begin, sent.blocks[i].words.begin);
    EXPECT_EQ(got.blocks[i].words.end, sent.blocks[i].words.end);
    EXPECT_EQ(got.blocks[i].page, sent.blocks[i].page);
    EXPECT_EQ(got.blocks[i].box.right, sent.blocks[i].box.right);
    EXPECT_EQ(got.blocks[i].box.top, sent.blocks[i].box.top);
  }
}

TEST(OutcomeBytesTest, AFailureComesBackAsItWas) {
  const ReadFailure sent = {ReadFailure::Kind::needs_ocr, "It is a scan."};
  const std::optional<ReadOutcome> outcome = decoded_outcome(encoded_outcome(sent), {});
  ASSERT_TRUE(outcome && std::holds_alternative<ReadFailure>(*outcome));
  EXPECT_EQ(std::get<ReadFailure>(*outcome).kind, sent.kind);
  EXPECT_EQ(std::get<ReadFailure>(*outcome).reason, sent.reason);
}

TEST(OutcomeBytesTest, TextThatIsNoneIsRefused) {
  Document document = full_document();
  document.text[3] = '\xFF';
  EXPECT_TRUE(is_refused(document));
  document = full_document();
  document.text[10] = '\0';
  EXPECT_TRUE(is_refused(document));
  document = full_document();
  document.title = "\xC3";
  EXPECT_TRUE(is_refused(document));
}

TEST(OutcomeBytesTest, RangesOutsideOfTheTextOrWithinACharacterAreRefused) {
  Document document = full_document();
  document.blocks[1].range.end = 19;
  EXPECT_TRUE(is_refused(document));
  document = full_document();
  document.blocks[0].range.end = 2;  // in the middle of í
  EXPECT_FALSE(is_valid_utf8(document.text.substr(0, 2)));
  EXPECT_TRUE(is_refused(document));
  document = full_document();
  document.blocks[1].range = {5, 18};  // over the one before
  EXPECT_TRUE(is_refused(document));
  document = full_document();
  document.blocks[0].words = {0, 8};
  EXPECT_TRUE(is_refused(document));
  document = full_document();
  document.blocks[0].range = {0, 0};
  EXPECT_TRUE(is_refused(document));
}

TEST(OutcomeBytesTest, PagesAndBoxesThatCannotBeAreRefused) {
  Document document = full_document();
  document.blocks[1].page = 3;
  EXPECT_TRUE(is_refused(document));
  document = full_document();
  document.page_names.pop_back();
  EXPECT_TRUE(is_refused(document));
  document = full_document();
  document.blocks[1].box.left = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(is_refused(document));
  document = full_document();
  document.num_pages = 10'001;
  document.page_names.clear();
  EXPECT_TRUE(is_refused(document));
}

TEST(OutcomeBytesTest, LimitsHold) {
  const std::string bytes = encoded_outcome(full_document());
  ReadLimits limits;
  limits.max_text_bytes = 10;
  EXPECT_FALSE(decoded_outcome(bytes, limits).has_value());
  limits = {};
  limits.max_blocks = 1;
  EXPECT_FALSE(decoded_outcome(bytes, limits).has_value());
  EXPECT_FALSE(decoded_outcome(bytes + "x", {}).has_value());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decoded_outcome(bytes.substr(0, size), {}).has_value()) << size;
  }
}

TEST(OutcomeBytesTest, MutatedBytesAreRefusedOrKeepWhatDocumentsPromise) {
  tests::fakes::Mutator mutator({encoded_outcome(full_document()), encoded_outcome(ReadFailure{})}, 7);
  for (std::size_t i = tests::fakes::fuzz_rounds(20'000); i > 0; --i) {
    const std::optional<ReadOutcome> outcome = decoded_outcome(mutator.next(), {});
    if (!outcome || !std::holds_alternative<Document>(*outcome)) continue;
    std::size_t end = 0;
    const auto& document = std::get<Document>(*outcome);
    ASSERT_TRUE(is_valid_utf8(document.text));
    for (const Block& block : document.blocks) {
      ASSERT_LE(end, block.range.begin);
      ASSERT_LT(block.range.begin, block.range.end);
      ASSERT_LE(block.range.end, document.text.size());
      end = block.range.end;
    }
  }
}

}  // namespace

}  // namespace parley::retrieval::documents
