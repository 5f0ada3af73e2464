#include "inference/formats/gguf.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "tests/inference/formats/written_file.h"

namespace parley::inference::formats {
namespace {

using tests::fakes::GgufWriter;

using Gguf = WrittenFile;

TEST_F(Gguf, reads_versions_2_and_3_alike) {
  for (const std::uint32_t version : {2U, 3U}) {
    GgufWriter writer;
    writer.version = version;
    writer.add("general.architecture", "llama").add_f32("weight", {2, 3}, {1, 2, 3, 4, 5, 6});
    const auto file = open(writer);
    EXPECT_EQ(file->version(), static_cast<int>(version));
    EXPECT_EQ(file->file_bytes(), writer.bytes().size());
    EXPECT_EQ(file->path(), path_);
    EXPECT_EQ(value<std::string>(*file, "general.architecture"), "llama");
    ASSERT_EQ(file->tensors().size(), 1U);
  }
}

TEST_F(Gguf, opens_a_file_without_tensors) {
  GgufWriter writer;
  writer.add("k", 1);
  EXPECT_TRUE(open(writer)->tensors().empty());
  EXPECT_TRUE(open(GgufWriter())->metadata().empty());
}

TEST_F(Gguf, says_why_a_file_cannot_be_opened) {
  EXPECT_EQ(error_of_file(), "cannot open: No such file or directory");
  std::filesystem::create_directory(path_);
  EXPECT_EQ(error_of_file(), "not a regular file");
  std::filesystem::remove(path_);
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(error_of_file(), "not a regular file") << "and does not wait for a writer";
}

TEST_F(Gguf, refuses_other_files) {
  EXPECT_EQ(error_of_bytes(""),
            "magic: needs 4 bytes at offset 0 but the file ends at 0; it is incomplete or damaged");
  EXPECT_EQ(error_of_bytes("PK\3\4 some archive"), "magic: not a GGUF file");
  GgufWriter writer;
  writer.version = 1;
  EXPECT_EQ(error_of(writer), "version: GGUF version 1; versions 2 and 3 are supported");
  writer.version = 0x03000000;
  EXPECT_EQ(error_of(writer), "version: a big-endian file; convert it to little-endian first");
}

TEST_F(Gguf, refuses_counts_that_cannot_be_true) {
  for (const std::uint64_t count : kHostileNumbers) {
    GgufWriter tensors;
    tensors.tensor_count = count;
    EXPECT_EQ(error_of(tensors),
              "tensor count: " + std::to_string(count) + " tensors, at most 65536 are allowed");
    GgufWriter entries;
    entries.metadata_count = count;
    EXPECT_EQ(error_of(entries),
              "metadata count: " + std::to_string(count) + " entries, at most 65536 are allowed");
  }
  GgufWriter one_too_many;
  one_too_many.metadata_count = 1;
  EXPECT_EQ(
      error_of(one_too_many),
      "metadata count: 1 entries do not fit into the 0 bytes that follow; the file is incomplete or damaged");
}

TEST_F(Gguf, refuses_repeated_names) {
  EXPECT_EQ(error_of(GgufWriter().add("a", 1).add("b", 1).add("a", 2)), "metadata key 'a': appears twice");
  EXPECT_EQ(error_of(GgufWriter().add_f32("t", {1}, {1}).add_f32("u", {1}, {1}).add_f32("t", {1}, {1})),
            "tensor 't': appears twice");
}

TEST_F(Gguf, refuses_impossible_alignments) {
  const auto error = [this](auto alignment) {
    return error_of(GgufWriter().add("general.alignment", alignment));
  };
  for (const std::uint32_t alignment : {0U, 1U, 4U, 24U, 33U, 2097152U, 0x80000000U, 0xffffffffU}) {
    EXPECT_EQ(error(alignment), "metadata key 'general.alignment': is " + std::to_string(alignment) +
                                    "; must be a power of two from 8 to 1048576");
  }
  EXPECT_EQ(error(-32), "metadata key 'general.alignment': must be an unsigned integer");
  EXPECT_EQ(error("32"), "metadata key 'general.alignment': must be an unsigned integer");
  EXPECT_EQ(error(1048576U), "no error");
}

}  // namespace
}  // namespace parley::inference::formats
