#include "retrieval/index/vector_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>

namespace parley::retrieval::index {
namespace {

constexpr std::array<char, 8> kMagic = {'P', 'A', 'R', 'L', 'E', 'Y', 'V', 'X'};
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kMaxModelBytes = 4096;
constexpr std::int32_t kMaxDim = 65536;

// Followed by the model's name, filled up to 64 bytes; then ids, then the chunks. Little-endian, as the
// machines are that Parley runs on.
struct Header {
  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kVersion;
  std::int32_t dim = 0;
  std::uint64_t rows = 0;
  std::uint64_t model_bytes = 0;
  std::uint64_t body_checksum = 0;  // of all behind the header
  std::uint64_t header_checksum = 0;
  std::array<std::uint8_t, 16> unused{};
};
static_assert(sizeof(Header) == 64);

constexpr std::size_t padded(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

// Four lanes of multiply and xor, so that it runs as fast as memory; not against forgers.
class Checksum {
 public:
  // Pieces of multiples of 32 bytes.
  void add(const void* bytes, std::size_t size) {
    const auto* p = static_cast<const unsigned char*>(bytes);
    for (std::size_t at = 0; at + 32 <= size; at += 32) {
      std::array<std::uint64_t, 4> words{};
      std::memcpy(words.data(), p + at, 32);
      for (std::size_t lane = 0; lane < 4; ++lane) {
        lanes_[lane] = (lanes_[lane] ^ words[lane]) * 0x9E3779B97F4A7C15U;
        lanes_[lane] ^= lanes_[lane] >> 29;
      }
    }
  }
  std::uint64_t value() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t lane : lanes_) sum = (sum ^ lane) * 0xD6E8FEB86659FD93U + 1;
    return sum;
  }

 private:
  std::array<std::uint64_t, 4> lanes_ = {1, 2, 3, 4};
};

std::uint64_t checksum_of_header(Header header) {
  header.header_checksum = 0;
  Checksum checksum;
  checksum.add(&header, sizeof header);
  return checksum.value();
}

class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

[[noreturn]] void fail_writing(const std::filesystem::path& file) {
  throw std::runtime_error("Cannot write " + file.string() + " (" +
                           std::error_code(errno, std::generic_category()).message() +
                           "). Free some space or give this user write access to its folder.");
}

class Writer {
 public:
  Writer(int descriptor, const std::filesystem::path& file) : descriptor_(descriptor), file_(file) {}

  // Filled up with zeros to a multiple of 64 bytes.
  void write(const void* bytes, std::size_t size) {
    constexpr std::array<char, 64> kZeros{};
    put(bytes, size);
    std::array<char, 64> end{};
    const std::size_t whole = size / 64 * 64;
    checksum_.add(bytes, whole);
    if (size == whole) return;
    std::memcpy(end.data(), static_cast<const char*>(bytes) + whole, size - whole);
    checksum_.add(end.data(), end.size());
    put(kZeros.data(), padded(size) - size);
  }
  void put(const void* bytes, std::size_t size) {
    const auto* p = static_cast<const char*>(bytes);
    while (size > 0) {
      const ssize_t written = ::write(descriptor_, p, std::min(size, std::size_t{1} << 30));
      if (written < 0 && errno != EINTR) fail_writing(file_);
      if (written <= 0) continue;
      p += written;
      size -= static_cast<std::size_t>(written);
    }
  }
  std::uint64_t checksum() const { return checksum_.value(); }

 private:
  int descriptor_;
  const std::filesystem::path& file_;
  Checksum checksum_;
};

void write_body(Writer& writer, std::string_view model, const VectorFile& content) {
  writer.write(model.data(), model.size());
  writer.write(content.ids.data(), content.ids.size() * sizeof(PassageId));
  for (const VectorChunk& chunk : content.rows.chunks()) {
    const ChunkSizes sizes = chunk_sizes(chunk.rows, content.rows.padded_dim());
    writer.write(chunk.codes, sizes.codes);
    writer.write(chunk.scales, sizes.scales);
    writer.write(chunk.halves, sizes.halves);
  }
}

void write_whole(int descriptor, const std::filesystem::path& file, std::string_view model,
                 const VectorFile& content) {
  Header header;
  header.dim = content.rows.dim();
  header.rows = content.rows.size();
  header.model_bytes = model.size();
  Writer writer(descriptor, file);
  writer.put(&header, sizeof header);
  write_body(writer, model, content);
  header.body_checksum = writer.checksum();
  header.header_checksum = checksum_of_header(header);
  if (::pwrite(descriptor, &header, sizeof header, 0) != sizeof header) fail_writing(file);
  if (::fsync(descriptor) != 0) fail_writing(file);
}

void flush_folder(const std::filesystem::path& folder) {
  const Descriptor descriptor(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.get() < 0 || ::fsync(descriptor.get()) != 0) fail_writing(folder);
}

std::size_t bytes_of_chunk(std::size_t rows, int padded_dim) {
  const ChunkSizes sizes = chunk_sizes(rows, padded_dim);
  return sizes.codes + sizes.scales + sizes.halves;
}

// As large as a file with this header is; 0: there is no such file.
std::size_t file_bytes(const Header& header) {
  const bool sane = header.magic == kMagic && header.version == kVersion && header.dim > 0 &&
                    header.dim <= kMaxDim && header.model_bytes <= kMaxModelBytes &&
                    header.rows <= std::uint64_t{1} << 40;
  if (!sane || header.header_checksum != checksum_of_header(header)) return 0;
  const int padded_dim = VectorRows(header.dim).padded_dim();
  const std::size_t chunks = header.rows / kChunkRows, rest = header.rows % kChunkRows;
  return sizeof header + padded(header.model_bytes) + padded(header.rows * sizeof(PassageId)) +
         chunks * bytes_of_chunk(kChunkRows, padded_dim) + (rest > 0 ? bytes_of_chunk(rest, padded_dim) : 0);
}

std::shared_ptr<const char> map_file(const std::filesystem::path& file, std::size_t& size) {
  const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (descriptor.get() < 0 || ::fstat(descriptor.get(), &status) != 0) return nullptr;
  size = static_cast<std::size_t>(status.st_size);
  if (size < sizeof(Header)) return nullptr;
  void* bytes = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor.get(), 0);
  if (bytes == MAP_FAILED) return nullptr;
  return {static_cast<const char*>(bytes), [size](const char* p) { ::munmap(const_cast<char*>(p), size); }};
}

VectorFile read_body(const Header& header, const char* bytes, const std::shared_ptr<const char>& keeper) {
  VectorFile content{std::vector<PassageId>(header.rows), VectorRows(header.dim)};
  std::copy_n(bytes, header.rows * sizeof(PassageId), reinterpret_cast<char*>(content.ids.data()));
  bytes += padded(header.rows * sizeof(PassageId));
  for (std::size_t row = 0; row < header.rows; row += kChunkRows) {
    VectorChunk chunk;
    chunk.rows = std::min<std::size_t>(kChunkRows, header.rows - row);
    const ChunkSizes sizes = chunk_sizes(chunk.rows, content.rows.padded_dim());
    chunk.codes = reinterpret_cast<const std::uint8_t*>(bytes);
    chunk.scales = reinterpret_cast<const float*>(bytes + sizes.codes);
    chunk.halves = reinterpret_cast<const std::uint16_t*>(bytes + sizes.codes + sizes.scales);
    bytes += sizes.codes + sizes.scales + sizes.halves;
    if (chunk.rows == kChunkRows) {
      content.rows.append_mapped(chunk, keeper);
      continue;
    }
    VectorRows last(header.dim);  // goes on growing, so it is copied
    last.append_mapped(chunk, keeper);
    for (std::size_t i = 0; i < chunk.rows; ++i) content.rows.append_copy(last, i);
  }
  return content;
}

}  // namespace

void write_vector_file(const std::filesystem::path& file, std::string_view model, const VectorFile& content) {
  std::filesystem::path temporary = file;
  temporary += ".new";
  {
    const Descriptor descriptor(::open(temporary.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (descriptor.get() < 0) fail_writing(temporary);
    write_whole(descriptor.get(), temporary, model, content);
  }
  if (::rename(temporary.c_str(), file.c_str()) != 0) fail_writing(file);
  flush_folder(file.parent_path());
}

std::optional<VectorFile> map_vector_file(const std::filesystem::path& file, std::string_view model) {
  std::size_t size = 0;
  const std::shared_ptr<const char> bytes = map_file(file, size);
  if (bytes == nullptr) return std::nullopt;
  Header header;
  std::memcpy(&header, bytes.get(), sizeof header);
  if (file_bytes(header) != size) return std::nullopt;
  const char* body = bytes.get() + sizeof header;
  Checksum checksum;
  checksum.add(body, size - sizeof header);
  if (checksum.value() != header.body_checksum) return std::nullopt;
  if (std::string_view(body, header.model_bytes) != model) return std::nullopt;
  return read_body(header, body + padded(header.model_bytes), bytes);
}

}  // namespace parley::retrieval::index
