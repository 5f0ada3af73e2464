#include "retrieval/documents/compressed_file.h"

#include <bzlib.h>
#include <gtest/gtest.h>
#include <lzma.h>
#include <zlib.h>

#include <cstdint>
#include <string>

#include "tests/retrieval/documents/document_checks.h"

namespace parley::retrieval::documents {

namespace {

using Kind = ReadFailure::Kind;

std::string in_gzip(const std::string& text) {
  z_stream stream = {};
  deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
  std::string bytes(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

std::string in_bzip2(const std::string& text) {
  auto size = static_cast<unsigned>(text.size() + text.size() / 50 + 1000);
  std::string bytes(size, '\0');
  EXPECT_EQ(BZ2_bzBuffToBuffCompress(bytes.data(), &size, const_cast<char*>(text.data()),
                                     static_cast<unsigned>(text.size()), 9, 0, 0),
            BZ_OK);
  bytes.resize(size);
  return bytes;
}

std::string in_xz(const std::string& text) {
  std::string bytes(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr,
                                    reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                    reinterpret_cast<std::uint8_t*>(bytes.data()), &size, bytes.size()),
            LZMA_OK);
  bytes.resize(size);
  return bytes;
}

const std::string kText = "# Title\n\nWords that are worth compressing, words that are worth it.\n";

TEST(CompressedFileTest, OneLayerIsReadAsTheFileInside) {
  for (const std::string& bytes : {in_gzip(kText), in_bzip2(kText), in_xz(kText)}) {
    const Document document = read_document(bytes, "notes.md.gz");
    EXPECT_EQ(document.text, kText);
    EXPECT_EQ(document.media_type, "text/markdown");
    EXPECT_EQ(document.title, "Title");
  }
}

TEST(CompressedFileTest, MembersBehindEachOtherAreOneFile) {
  EXPECT_EQ(read_document(in_gzip("one ") + in_gzip("two"), "a.txt.gz").text, "one two");
  EXPECT_EQ(read_document(in_bzip2("one ") + in_bzip2("two"), "a.txt.bz2").text, "one two");
  EXPECT_EQ(read_document(in_xz("one ") + in_xz("two"), "a.txt.xz").text, "one two");
  EXPECT_EQ(read_document(in_gzip("one") + std::string(512, '\0'), "a.txt.gz").text, "one");
}

TEST(CompressedFileTest, TwoLayersAndArchivesAreRefusedWithTheReason) {
  EXPECT_EQ(read_failure(in_gzip(in_gzip(kText)), "a.gz.gz").reason,
            "It is compressed twice: unpack it to have it read.");
  std::string tar(1024, '\0');
  tar.replace(0, 5, "a.txt");
  tar.replace(257, 5, "ustar");
  const ReadFailure failure = read_failure(in_xz(tar), "a.tar.xz");
  EXPECT_EQ(failure.kind, Kind::unsupported);
  EXPECT_EQ(failure.reason, "It is an archive of many files: unpack it to have them read.");
  EXPECT_EQ(read_failure(in_gzip(""), "a.gz").kind, Kind::empty);
}

TEST(CompressedFileTest, WhatIsCutOffOrBrokenIsDamaged) {
  for (const std::string& whole : {in_gzip(kText), in_bzip2(kText), in_xz(kText)}) {
    EXPECT_EQ(read_failure(whole.substr(0, whole.size() / 2), "a.txt.gz").kind, Kind::damaged);
    std::string broken = whole;
    broken[12] ^= 0x55;  // in the data, in a checksum, in a header
    EXPECT_EQ(read_failure(broken, "a.txt.gz").kind, Kind::damaged);
  }
}

TEST(CompressedFileTest, BombsAreStoppedWhileTheyUnpack) {
  const std::string zeros(std::size_t{8} << 20, ' ');
  ReadLimits limits;
  for (const std::string& bomb : {in_gzip(zeros), in_bzip2(zeros), in_xz(zeros)}) {
    EXPECT_EQ(read_failure(bomb, "a.gz").kind, Kind::over_limit);  // more than 200 times its size
  }
  limits.max_inflated_bytes = 1000;
  EXPECT_EQ(read_failure(in_gzip(std::string(1001, 'a')), "a.gz", limits).kind, Kind::over_limit);
  EXPECT_TRUE(std::holds_alternative<Document>(read_bytes(in_gzip(std::string(1000, 'a')), "a.gz", limits)));
}

}  // namespace

}  // namespace parley::retrieval::documents
