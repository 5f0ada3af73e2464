#include "retrieval/documents/zip_archive.h"

#include <gtest/gtest.h>

#include "retrieval/documents/format_error.h"
#include "tests/retrieval/documents/zip_builder.h"

namespace parley::retrieval::documents {
namespace {

using testing::zip_of;

ReadFailure::Kind failure_of(const std::string& bytes, const ReadLimits& limits = {}) {
  try {
    ZipArchive archive(bytes, limits);
    archive.read("a");
  } catch (const FormatError& error) {
    return error.kind();
  }
  return ReadFailure::Kind::unsupported;  // it was read
}

TEST(ZipArchive, ReadsMembersByName) {
  const std::string bytes = zip_of({{"a", "first"}, {"b/c", "second"}});
  const ReadLimits limits;
  ZipArchive archive(bytes, limits);
  EXPECT_EQ(archive.read("a"), "first");
  EXPECT_EQ(archive.read("b/c"), "second");
  EXPECT_TRUE(archive.contains("b/c"));
  EXPECT_FALSE(archive.contains("c"));
  EXPECT_EQ(archive.read_if_there("c"), std::nullopt);
  EXPECT_THROW(archive.read("c"), FormatError);
}

TEST(ZipArchive, KeepsToTheLimitOfInflatedBytesOverAllMembers) {
  const std::string half(600, 'x');
  const std::string bytes = zip_of({{"a", half}, {"b", half}});
  ReadLimits limits;
  limits.max_inflated_bytes = 1000;
  ZipArchive archive(bytes, limits);
  EXPECT_EQ(archive.read("a"), half);
  EXPECT_THROW(archive.read("b"), FormatError);
}

TEST(ZipArchive, StopsABombByItsRatio) {
  EXPECT_EQ(failure_of(zip_of({{"a", std::string(40'000'000, '\0')}})), ReadFailure::Kind::over_limit);
}

TEST(ZipArchive, AllowsSmallMembersThatShrinkALot) {
  EXPECT_EQ(failure_of(zip_of({{"a", std::string(900'000, ' ')}})), ReadFailure::Kind::unsupported);
}

TEST(ZipArchive, DoesNotBelieveStatedSizes) {
  ReadLimits limits;
  limits.max_inflated_bytes = 100'000;
  // Stated as 10 bytes, inflates to a million: the count of real bytes ends it.
  EXPECT_EQ(failure_of(zip_of({{"a", std::string(1'000'000, 'x'), 10}}), limits),
            ReadFailure::Kind::over_limit);
  // Stated as 4 GB and 5 bytes long: nothing is allocated for it, and the mismatch is damage or does not
  // matter.
  EXPECT_NE(failure_of(zip_of({{"a", "12345", 0xFFFFFFF0}}), limits), ReadFailure::Kind::over_limit);
}

TEST(ZipArchive, RefusesTooManyEntries) {
  ReadLimits limits;
  limits.max_archive_entries = 2;
  EXPECT_EQ(failure_of(zip_of({{"a", ""}, {"b", ""}, {"c", ""}}), limits), ReadFailure::Kind::over_limit);
}

TEST(ZipArchive, TellsEncryptedMembersApart) {
  EXPECT_EQ(failure_of(zip_of({{"a", "secret", -1, 1}})), ReadFailure::Kind::encrypted);
}

TEST(ZipArchive, ReportsTruncatedArchivesAsDamaged) {
  const std::string bytes = zip_of({{"a", std::string(300, 'y')}});
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_EQ(failure_of(bytes.substr(0, length)), ReadFailure::Kind::damaged) << length;
  }
}

}  // namespace
}  // namespace parley::retrieval::documents
