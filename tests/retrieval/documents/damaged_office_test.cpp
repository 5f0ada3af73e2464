// Changed files of each format: every one ends in a document that keeps the invariants, or in a failure.
#include <gtest/gtest.h>

#include <chrono>

#include "retrieval/documents/office_readers.h"
#include "tests/fakes/mutator.h"
#include "tests/retrieval/documents/office_samples.h"
#include "tests/retrieval/documents/reading.h"

namespace parley::retrieval::documents {
namespace {

using Members = std::vector<testing::ZipMember>;

// Half of the rounds change the container, half a part inside of a right one.
void read_changed(const DocumentReader& reader, const std::vector<Members>& samples) {
  std::vector<std::string> containers;
  for (const Members& members : samples) {
    containers.push_back(testing::zip_of(members));
  }
  tests::fakes::Mutator outer(containers, 1), choice({""}, 2);
  const std::size_t rounds = tests::fakes::fuzz_rounds(1000);
  std::size_t num_read = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::string bytes = outer.next();
    if (round % 2 == 0) {
      Members members = samples[choice.below(samples.size())];
      testing::ZipMember& changed = members[choice.below(members.size())];
      tests::fakes::Mutator inner({changed.content, "<a><b c=\"d\">e</b></a>"},
                                  static_cast<std::uint32_t>(round));
      changed.content = inner.next();
      bytes = testing::zip_of(members);
    }
    SCOPED_TRACE(round);
    num_read += std::holds_alternative<Document>(testing::read_with(reader, bytes)) ? 1 : 0;
  }
  EXPECT_GT(num_read, rounds / 50);  // else the changes only ever reach the container
}

TEST(DamagedOffice, Docx) { read_changed(*make_docx_reader(), {testing::docx_members()}); }
TEST(DamagedOffice, Pptx) { read_changed(*make_pptx_reader(), {testing::pptx_members()}); }
TEST(DamagedOffice, Xlsx) { read_changed(*make_xlsx_reader(), {testing::xlsx_members()}); }
TEST(DamagedOffice, Epub) { read_changed(*make_epub_reader(), {testing::epub_members()}); }
TEST(DamagedOffice, Odf) {
  read_changed(
      *make_odf_reader(),
      {testing::odt_members(),
       testing::odf_with(
           "<office:spreadsheet><table:table table:name=\"a\"><table:table-row><table:table-cell "
           "table:number-columns-repeated=\"3\"><text:p>b</text:p></table:table-cell>"
           "</table:table-row></table:table></office:spreadsheet>"),
       testing::odf_with("<office:presentation><draw:page><draw:frame><draw:text-box><text:p>c</text:p>"
                         "</draw:text-box></draw:frame></draw:page></office:presentation>")});
}

TEST(DamagedOffice, Rtf) {
  tests::fakes::Mutator mutator({testing::rtf_sample(), "{\\rtf1{\\footnote x}\\u5\\'"}, 3);
  const auto reader = make_rtf_reader();
  for (std::size_t round = 0; round < tests::fakes::fuzz_rounds(1000); ++round) {
    SCOPED_TRACE(round);
    testing::read_with(*reader, mutator.next());
  }
}

// One long text that a small file states ten thousand times.
TEST(DamagedOffice, BoundsTextThatIsStatedAgainAndAgain) {
  using Kind = ReadFailure::Kind;
  const std::string text(100'000, 'x');
  const auto times = [](const std::string& part, int count) {
    std::string all;
    for (int index = 0; index < count; ++index) {
      all += part;
    }
    return all;
  };
  EXPECT_EQ(testing::read_failure(
                *make_xlsx_reader(),
                testing::zip_of(testing::xlsx_with(
                    "<sheetData><row>" + times("<c t=\"s\"><v>0</v></c>", 10'000) + "</row></sheetData>",
                    "<si><t>" + text + "</t></si>")))
                .kind,
            Kind::over_limit);
  const std::string more_rows = "<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr></w:tc><w:tc/></w:tr>";
  EXPECT_EQ(testing::read_failure(*make_docx_reader(),
                                  testing::zip_of(testing::docx_with(
                                      "<w:tbl><w:tr><w:tc><w:tcPr><w:vMerge w:val=\"restart\"/></w:tcPr>" +
                                      testing::docx_paragraph(text) + "</w:tc><w:tc/></w:tr>" +
                                      times(more_rows, 10'000) + "</w:tbl>")))
                .kind,
            Kind::over_limit);
  EXPECT_EQ(
      testing::read_failure(
          *make_odf_reader(),
          testing::zip_of(testing::odf_with(
              "<office:spreadsheet><table:table><table:table-row><table:table-cell "
              "table:number-columns-repeated=\"16000\"><text:p>" +
              text + "</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>")))
          .kind,
      Kind::over_limit);
}

TEST(DamagedOffice, EndsChainsOfNotes) {
  constexpr int kNotes = 100'000;
  std::string notes = "<w:footnotes>";
  for (int index = 0; index < kNotes; ++index) {
    notes += "<w:footnote w:id=\"" + std::to_string(index) + "\"><w:p><w:r><w:footnoteReference w:id=\"" +
             std::to_string(index + 1) + "\"/><w:t>n</w:t></w:r></w:p></w:footnote>";
  }
  const std::string body = "<w:p><w:r><w:footnoteReference w:id=\"0\"/><w:t>text</w:t></w:r></w:p>";
  const Document document = testing::read_document(
      *make_docx_reader(),
      testing::zip_of(testing::docx_with(body, {{"word/footnotes.xml", notes + "</w:footnotes>"}})));
  EXPECT_EQ(document.text, "text\n\nn\n");
}

// A kilobyte of each that would grow without end in a reader that believes it.
TEST(DamagedOffice, EndsSoonOnHostileCounts) {
  const auto begin = std::chrono::steady_clock::now();
  std::string merges, rows;
  for (int index = 1; index <= 2000; ++index) {
    merges += "<mergeCell ref=\"A" + std::to_string(index) + ":XFD1048576\"/>";
    rows += "<row r=\"" + std::to_string(index * 500) + "\"><c t=\"str\"><v>x</v></c></row>";
  }
  testing::read_with(*make_xlsx_reader(),
                     testing::zip_of(testing::xlsx_with("<sheetData>" + rows + "</sheetData><mergeCells>" +
                                                        merges + "</mergeCells>")));
  testing::read_with(*make_docx_reader(), testing::zip_of(testing::docx_with(
                                              "<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val=\"2000000000\"/>"
                                              "</w:tcPr><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc></w:tr>"
                                              "</w:tbl>")));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(120));
}

}  // namespace
}  // namespace parley::retrieval::documents
