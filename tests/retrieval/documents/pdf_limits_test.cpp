// Hostile, large and foreign PDFs. Poppler reads them, so what may bring it down is tried in a child process.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "retrieval/documents/pdf_reader.h"
#include "tests/fakes/mutator.h"
#include "tests/fakes/temp_directory.h"
#include "tests/retrieval/documents/pdf_builder.h"
#include "tests/retrieval/documents/reading.h"
#include "tests/retrieval/documents/reference_run.h"

// Fontconfig keeps what it reads at its start.
extern "C" const char* __lsan_default_suppressions();  // the sanitizer looks for it
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig"; }

namespace parley::retrieval::documents {
namespace {

using testing::pdf_of;
using testing::PdfPageBuilder;

TEST(PdfLimits, ReadsTenThousandPagesInTime) {
  std::vector<PdfPageBuilder> pages(10'000);
  for (std::size_t index = 0; index < pages.size(); ++index) {
    pages[index].lines(72, 100, 12,
                       {"Entry " + std::to_string(index) + " of the log tells of wind and of weather,",
                        "and of nothing that has not been told before."});
  }
  const std::string bytes = pdf_of(pages);
  const auto begin = std::chrono::steady_clock::now();
  const Document document = testing::read_document(*make_pdf_reader(), bytes);
  EXPECT_EQ(document.num_pages, 10'000);
  EXPECT_EQ(document.blocks.size(), 10'000U);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(300));
  ReadLimits limits;
  limits.max_pages = 9'999;
  EXPECT_EQ(testing::read_failure(*make_pdf_reader(), bytes, limits).kind, ReadFailure::Kind::over_limit);
  limits = {};
  limits.max_text_bytes = 100'000;
  EXPECT_EQ(testing::read_failure(*make_pdf_reader(), bytes, limits).kind, ReadFailure::Kind::over_limit);
}

TEST(PdfLimits, BearsManyWordsOnOnePage) {
  PdfPageBuilder page;
  for (int index = 0; index < 40'000; ++index) {
    page.text(static_cast<float>((index * 7919) % 580), static_cast<float>((index * 4729) % 780), "w", 3);
  }
  const auto begin = std::chrono::steady_clock::now();
  testing::read_with(*make_pdf_reader(), pdf_of({page}));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(150));
}

TEST(PdfLimits, RefusesWhatIsNoPdf) {
  const auto reader = make_pdf_reader();
  EXPECT_EQ(testing::read_failure(*reader, "").kind, ReadFailure::Kind::damaged);
  EXPECT_EQ(testing::read_failure(*reader, "plain text").kind, ReadFailure::Kind::damaged);
  EXPECT_EQ(testing::read_failure(*reader, "%PDF-1.7 and no more").kind, ReadFailure::Kind::damaged);
}

TEST(PdfLimits, EndsPagesThatAreTheirOwnParents) {
  std::string bytes = pdf_of({PdfPageBuilder().text(72, 100, "round")});
  const std::size_t kids = bytes.find("/Kids [6 0 R");
  ASSERT_NE(kids, std::string::npos);
  bytes[kids + 7] = '2';
  testing::read_with(*make_pdf_reader(), bytes);
}

TEST(PdfLimits, TellsEncryptedFilesApart) {
  const tests::fakes::TempDirectory folder;
  const std::string plain = folder.path() / "a.pdf", locked = folder.path() / "b.pdf";
  std::ofstream(plain, std::ios::binary) << pdf_of({PdfPageBuilder().text(72, 100, "A secret place.")});
  const auto encrypt = [&](const std::string& user_password) {
    return testing::run_reference(
        "/usr/bin/python3 -c \"import sys; "
        "import pypdf; w = "
        "pypdf.PdfWriter(); [w.add_page(p) for p in pypdf.PdfReader(sys.argv[1]).pages]; "
        "w.encrypt('" +
        user_password + "', 'owner'); w.write(sys.argv[2])\" " + plain + " " + locked + " 2>&1");
  };
  const testing::ReferenceRun run = encrypt("user");
  if (run.output.find("No module named") != std::string::npos) {
    GTEST_SKIP() << run.output;
  }
  ASSERT_EQ(run.status, 0) << run.output;
  EXPECT_EQ(testing::read_failure(*make_pdf_reader(), testing::file_bytes(locked)).kind,
            ReadFailure::Kind::encrypted);
  // Anyone may read what has a password for changes only.
  ASSERT_EQ(encrypt("").status, 0);
  EXPECT_EQ(testing::read_document(*make_pdf_reader(), testing::file_bytes(locked)).text,
            "A secret place.\n");
}

// Words of at least four letters, sorted, lines that end with a hyphen joined.
std::vector<std::string> long_words(std::string text) {
  for (std::size_t at = text.find("-\n"); at != std::string::npos; at = text.find("-\n", at)) {
    text.erase(at, 2);
  }
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  std::erase_if(words, [](const std::string& word) { return word.size() < 4; });
  std::sort(words.begin(), words.end());
  return words;
}

TEST(PdfLimits, FindsTheWordsThatPdftotextFinds) {
  int num_compared = 0;
  for (const char* path :
       {"/usr/share/doc/libtasn1-doc/libtasn1.pdf", "/usr/share/doc/sqlite3/copyright-release.pdf",
        "/usr/share/doc/shared-mime-info/shared-mime-info-spec.pdf"}) {
    const testing::ReferenceRun run =
        testing::run_reference("pdftotext -nopgbrk " + std::string(path) + " - 2>/dev/null");
    if (!std::filesystem::exists(path) || run.status != 0) {
      continue;
    }
    ++num_compared;
    const std::vector<std::string> wanted = long_words(run.output);
    const std::vector<std::string> found =
        long_words(testing::read_document(*make_pdf_reader(), testing::file_bytes(path)).text);
    std::vector<std::string> missing, added;
    std::set_difference(wanted.begin(), wanted.end(), found.begin(), found.end(),
                        std::back_inserter(missing));
    std::set_difference(found.begin(), found.end(), wanted.begin(), wanted.end(), std::back_inserter(added));
    // Running headers are left out, nothing else is.
    EXPECT_LT(missing.size() * 50, wanted.size()) << path;
    EXPECT_LT(added.size() * 500, wanted.size() + 500) << path << " " << (added.empty() ? "" : added.front());
  }
  if (num_compared == 0) {
    GTEST_SKIP() << "no PDFs of Debian packages, or no pdftotext";
  }
}

// In a child, so that a fault in Poppler is counted and does not end the test program.
bool survives(const std::vector<std::string>& files) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    const auto reader = make_pdf_reader();
    for (const std::string& bytes : files) {
      testing::read_with(*reader, bytes);
    }
    ::_exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(PdfLimits, SurvivesAThousandChangedFiles) {
  PdfPageBuilder page;
  page.text(72, 80, "Changed", 18)
      .lines(72, 100, 12, {"Some words that stand in a line,", "and some in the next."});
  page.picture();
  tests::fakes::Mutator mutator({pdf_of({page}), pdf_of({page, page}, "/Title (Twice)")}, 5);
  const std::size_t rounds = tests::fakes::fuzz_rounds(1000);
  constexpr std::size_t kTogether = 50;
  for (std::size_t round = 0; round < rounds; round += kTogether) {
    std::vector<std::string> files;
    for (std::size_t index = 0; index < kTogether; ++index) {
      files.push_back(mutator.next());
    }
    EXPECT_TRUE(survives(files)) << "from round " << round;
  }
}

}  // namespace
}  // namespace parley::retrieval::documents
