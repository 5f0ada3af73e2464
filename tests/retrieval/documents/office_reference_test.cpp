// Files that python-docx and openpyxl wrote, read as those libraries read them.
#include <gtest/gtest.h>

#include "retrieval/documents/office_readers.h"
#include "tests/fakes/temp_directory.h"
#include "tests/retrieval/documents/reading.h"
#include "tests/retrieval/documents/reference_run.h"

namespace parley::retrieval::documents {
namespace {

constexpr int kNotInstalled = 77;

testing::ReferenceRun write_reference(const std::string& kind, const std::string& path) {
  return testing::run_reference("/usr/bin/python3 " PARLEY_SOURCE_DIR
                                "/tests/retrieval/documents/office_reference.py " +
                                kind + " " + path);
}

TEST(OfficeReference, DocxReadsAsPythonDocxReadsIt) {
  const tests::fakes::TempDirectory folder;
  const std::string path = folder.path() / "a.docx";
  const testing::ReferenceRun run = write_reference("docx", path);
  if (run.status == kNotInstalled) {
    GTEST_SKIP() << run.output;
  }
  ASSERT_EQ(run.status, 0) << run.output;
  const Document document = testing::read_document(*make_docx_reader(), testing::file_bytes(path));
  testing::Lines lines = testing::shown_blocks(document);
  lines.insert(lines.begin(), "title: " + document.title);
  EXPECT_EQ(lines, run.lines());
}

TEST(OfficeReference, XlsxReadsAsOpenpyxlReadsIt) {
  const tests::fakes::TempDirectory folder;
  const std::string path = folder.path() / "a.xlsx";
  const testing::ReferenceRun run = write_reference("xlsx", path);
  if (run.status == kNotInstalled) {
    GTEST_SKIP() << run.output;
  }
  ASSERT_EQ(run.status, 0) << run.output;
  const Document document = testing::read_document(*make_xlsx_reader(), testing::file_bytes(path));
  EXPECT_EQ(testing::shown_blocks(document), run.lines());
  EXPECT_EQ(document.page_names, (testing::Lines{"Catch & weight", "Plan"}));
}

}  // namespace
}  // namespace parley::retrieval::documents
