#include "retrieval/documents/compressed_file.h"

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace parley::retrieval::documents {

namespace {

enum class Step { more, member_end, damaged };

// A decoder takes bytes from the front of `input` and writes to `output`, whose rest it leaves.
class GzipDecoder {
 public:
  GzipDecoder() { good_ = inflateInit2(&stream_, 15 + 16) == Z_OK; }  // 16: a gzip header
  ~GzipDecoder() { inflateEnd(&stream_); }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;

  Step step(std::string_view& input, char*& output, std::size_t room) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = static_cast<uInt>(std::min<std::size_t>(input.size(), 1 << 30));
    stream_.next_out = reinterpret_cast<Bytef*>(output);
    stream_.avail_out = static_cast<uInt>(room);
    const uInt given = stream_.avail_in;
    const int result = good_ ? inflate(&stream_, Z_NO_FLUSH) : Z_DATA_ERROR;
    input.remove_prefix(given - stream_.avail_in);
    output = reinterpret_cast<char*>(stream_.next_out);
    if (result == Z_STREAM_END) return Step::member_end;
    return result == Z_OK ? Step::more : Step::damaged;
  }
  void begin_member() { inflateReset(&stream_); }
  static constexpr std::string_view kMagic = "\x1F\x8B";

 private:
  z_stream stream_ = {};
  bool good_ = false;
};

class Bzip2Decoder {
 public:
  Bzip2Decoder() { good_ = BZ2_bzDecompressInit(&stream_, 0, 0) == BZ_OK; }
  ~Bzip2Decoder() { BZ2_bzDecompressEnd(&stream_); }
  Bzip2Decoder(const Bzip2Decoder&) = delete;
  Bzip2Decoder& operator=(const Bzip2Decoder&) = delete;

  Step step(std::string_view& input, char*& output, std::size_t room) {
    stream_.next_in = const_cast<char*>(input.data());
    stream_.avail_in = static_cast<unsigned>(std::min<std::size_t>(input.size(), 1 << 30));
    stream_.next_out = output;
    stream_.avail_out = static_cast<unsigned>(room);
    const unsigned given = stream_.avail_in;
    const int result = good_ ? BZ2_bzDecompress(&stream_) : BZ_DATA_ERROR;
    const bool moved = stream_.avail_in != given || stream_.next_out != output;
    input.remove_prefix(given - stream_.avail_in);
    output = stream_.next_out;
    if (result == BZ_STREAM_END) return Step::member_end;
    return result == BZ_OK && moved ? Step::more : Step::damaged;
  }
  void begin_member() {
    BZ2_bzDecompressEnd(&stream_);
    stream_ = {};
    good_ = BZ2_bzDecompressInit(&stream_, 0, 0) == BZ_OK;
  }
  static constexpr std::string_view kMagic = "BZh";

 private:
  bz_stream stream_ = {};
  bool good_ = false;
};

class XzDecoder {
 public:
  XzDecoder() { begin_member(); }
  ~XzDecoder() { lzma_end(&stream_); }
  XzDecoder(const XzDecoder&) = delete;
  XzDecoder& operator=(const XzDecoder&) = delete;

  Step step(std::string_view& input, char*& output, std::size_t room) {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(input.data());
    stream_.avail_in = input.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(output);
    stream_.avail_out = room;
    const lzma_ret result = good_ ? lzma_code(&stream_, LZMA_RUN) : LZMA_DATA_ERROR;
    input.remove_prefix(input.size() - stream_.avail_in);
    output = reinterpret_cast<char*>(stream_.next_out);
    if (result == LZMA_STREAM_END) return Step::member_end;
    return result == LZMA_OK ? Step::more : Step::damaged;
  }
  void begin_member() {
    constexpr std::uint64_t kMaxMemory = std::uint64_t{256}
                                         << 20;  // a dictionary as large as xz -9 makes it, and more
    good_ = lzma_stream_decoder(&stream_, kMaxMemory, 0) == LZMA_OK;
  }
  static constexpr std::string_view kMagic{"\xFD\x37zXZ\0", 6};

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool good_ = false;
};

ReadFailure over_inflation(const ReadLimits& limits) {
  return {ReadFailure::Kind::over_limit,
          "It unpacks to more than " + std::to_string(limits.max_inflated_bytes >> 20) +
              " MB, or to more than " + std::to_string(limits.max_inflation_ratio) + " times its size."};
}

bool exceeds(std::size_t out, std::size_t in, const ReadLimits& limits) {
  constexpr std::size_t kRatioFrom = 1 << 20;
  return out > limits.max_inflated_bytes || (out > kRatioFrom && out / limits.max_inflation_ratio > in);
}

template <typename Decoder>
std::variant<std::string, ReadFailure> inflate_all(std::string_view bytes, const ReadLimits& limits) {
  Decoder decoder;
  std::string file;
  std::string_view rest = bytes;
  std::array<char, 64 << 10> buffer;
  for (;;) {
    const std::size_t rest_before = rest.size();
    char* end = buffer.data();
    const Step step = decoder.step(rest, end, buffer.size());
    const auto count = static_cast<std::size_t>(end - buffer.data());
    if (exceeds(file.size() + count, bytes.size(), limits)) return over_inflation(limits);
    file.append(buffer.data(), count);
    if (step == Step::damaged || (count == 0 && rest.size() == rest_before && step == Step::more)) {
      return ReadFailure{ReadFailure::Kind::damaged, "It cannot be unpacked: it is damaged or cut off."};
    }
    if (step == Step::more) continue;
    // Padding and trailing garbage end the file, as the tools have it.
    if (!rest.starts_with(Decoder::kMagic)) return file;
    decoder.begin_member();
  }
}

}  // namespace

std::variant<std::string, ReadFailure> decompressed_file(std::string_view bytes, Format format,
                                                         const ReadLimits& limits) {
  if (format == Format::gzip) return inflate_all<GzipDecoder>(bytes, limits);
  if (format == Format::bzip2) return inflate_all<Bzip2Decoder>(bytes, limits);
  return inflate_all<XzDecoder>(bytes, limits);
}

}  // namespace parley::retrieval::documents
