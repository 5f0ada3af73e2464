#include <gtest/gtest.h>

#include "retrieval/documents/office_readers.h"
#include "retrieval/documents/xhtml_tree.h"
#include "tests/retrieval/documents/office_samples.h"
#include "tests/retrieval/documents/reading.h"

namespace parley::retrieval::documents {
namespace {

using testing::epub_with;
using testing::Lines;
using testing::xhtml_page;
using testing::zip_of;

Lines chapter_blocks(const std::string& page) {
  return testing::blocks_of(*make_epub_reader(), zip_of(epub_with({page})));
}

TEST(EpubReader, ReadsChaptersInReadingOrder) {
  const Document document = testing::read_document(*make_epub_reader(), zip_of(testing::epub_members()));
  EXPECT_EQ(testing::shown_blocks(document), (Lines{"heading 1: Mist", "paragraph: The pond was still.",
                                                    "heading 1: Sun", "item 1: Frog", "code: a  b"}));
  EXPECT_EQ(document.title, "The Pond");
  EXPECT_EQ(document.page_names, (Lines{"Morning", "Second"}));
  EXPECT_EQ(document.blocks.back().page, 2);
}

TEST(EpubReader, ReadsTheStructureOfXhtml) {
  EXPECT_EQ(chapter_blocks(xhtml_page(
                "<h2>A <em>b</em></h2><div>one<br/>two<p>three\n four</p></div><ul><li>x<ol><li>y"
                "</li></ol></li></ul><blockquote><p>said</p></blockquote><table><tr><th>K</th><th>V"
                "</th></tr><tr><td>1</td><td>2</td></tr></table><script>no()</script>")),
            (Lines{"heading 2: A b", "paragraph: one\ntwo", "paragraph: three four", "item 1: x", "item 2: y",
                   "quote: said", "columns: K | V", "row: 1 | 2"}));
}

TEST(EpubReader, KnowsNamedCharactersInWellFormedPages) {
  EXPECT_EQ(chapter_blocks(xhtml_page("<p>caf&eacute;&nbsp;&mdash; &lt;b&gt; &unknown;</p>")),
            (Lines{"paragraph: caf\u00E9 \u2014 <b> &unknown;"}));
  EXPECT_EQ(with_named_characters("a&amp;&hellip;&;&"), "a&amp;\u2026&;&");
}

TEST(EpubReader, ReadsMalformedPagesAsABrowserDoes) {
  EXPECT_EQ(chapter_blocks("<html><body><p>one<p>two & <b>three</body>"),
            (Lines{"paragraph: one", "paragraph: two & three"}));
}

TEST(EpubReader, RefusesMalformedPagesThatNestWithoutEnd) {
  std::string page = "<p>&";
  for (int index = 0; index < 100'000; ++index) {
    page += "<div class=\"" + std::to_string(index) + "\">";
  }
  EXPECT_EQ(testing::read_failure(*make_epub_reader(), zip_of(epub_with({page}))).kind,
            ReadFailure::Kind::over_limit);
}

TEST(EpubReader, NamesMissingChaptersAndGoesOn) {
  auto members = testing::epub_members();
  std::erase_if(members, [](const testing::ZipMember& member) { return member.name == "OPS/text/c1.xhtml"; });
  const Document document = testing::read_document(*make_epub_reader(), zip_of(members));
  ASSERT_EQ(document.notes.size(), 1U);
  EXPECT_EQ(document.notes[0].page, 1);
  EXPECT_EQ(document.blocks.front().page, 2);
}

TEST(EpubReader, TellsProtectedBooksFromDisguisedFonts) {
  const auto with_encrypted = [](const std::string& uri) {
    return zip_of(epub_with(
        {xhtml_page("<p>x</p>")},
        {{"META-INF/encryption.xml", "<encryption><EncryptedData><CipherData><CipherReference URI=\"" + uri +
                                         "\"/></CipherData></EncryptedData></encryption>"}}));
  };
  EXPECT_EQ(testing::read_failure(*make_epub_reader(), with_encrypted("OPS/text/c1.xhtml")).kind,
            ReadFailure::Kind::encrypted);
  EXPECT_EQ(testing::read_document(*make_epub_reader(), with_encrypted("OPS/fonts/a.otf")).text, "x\n");
}

TEST(EpubReader, UsesTheContentsPageOfEpub3ForNamesOnly) {
  auto members = epub_with({xhtml_page("<p>Text</p>")});
  for (testing::ZipMember& member : members) {
    if (member.name == "OPS/book.opf") {
      member.content =
          "<package><manifest><item id=\"n\" properties=\"nav\" href=\"nav.xhtml\"/><item id=\"c\" "
          "href=\"text/c1.xhtml\"/></manifest><spine><itemref idref=\"n\"/><itemref "
          "idref=\"c\"/></spine></package>";
    }
  }
  members.push_back(
      {"OPS/nav.xhtml", xhtml_page("<nav><ol><li><a href=\"text/c1.xhtml\">Dawn</a></li></ol></nav>")});
  const Document document = testing::read_document(*make_epub_reader(), zip_of(members));
  EXPECT_EQ(testing::shown_blocks(document), Lines{"paragraph: Text"});
  EXPECT_EQ(document.page_names, Lines{"Dawn"});
}

}  // namespace
}  // namespace parley::retrieval::documents
