#pragma once
// Writes ZIP archives for tests, right ones and lying ones.

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parley::retrieval::documents::testing {

struct ZipMember {
  std::string name;
  std::string content;
  std::int64_t stated_size = -1;  // -1: the true one
  std::uint16_t flags = 0;        // 1: encrypted
};

inline void put_number(std::string& out, std::uint64_t number, int bytes) {
  for (int index = 0; index < bytes; ++index) {
    out += static_cast<char>((number >> (8 * index)) & 0xFF);
  }
}

inline std::string deflated(const std::string& content) {
  z_stream stream = {};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string zip_of(const std::vector<ZipMember>& members) {
  std::string out, directory;
  for (const ZipMember& member : members) {
    const std::string packed = deflated(member.content);
    const auto size =
        member.stated_size < 0 ? member.content.size() : static_cast<std::uint64_t>(member.stated_size);
    std::string fields;
    put_number(fields, 20, 2);
    put_number(fields, member.flags, 2);
    put_number(fields, 8, 2);  // deflate
    put_number(fields, 0, 4);  // time
    put_number(fields,
               crc32(0, reinterpret_cast<const Bytef*>(member.content.data()),
                     static_cast<uInt>(member.content.size())),
               4);
    put_number(fields, packed.size(), 4);
    put_number(fields, size, 4);
    put_number(fields, member.name.size(), 2);
    put_number(fields, 0, 2);
    directory += std::string("PK\1\2", 4);
    put_number(directory, 20, 2);
    directory += fields;
    directory.append(10, '\0');  // comment, disk, attributes
    put_number(directory, out.size(), 4);
    directory += member.name;
    out += std::string("PK\3\4", 4) + fields + member.name + packed;
  }
  const std::size_t begin = out.size();
  out += directory + std::string("PK\5\6", 4);
  put_number(out, 0, 4);
  put_number(out, members.size(), 2);
  put_number(out, members.size(), 2);
  put_number(out, directory.size(), 4);
  put_number(out, begin, 4);
  put_number(out, 0, 2);
  return out;
}

}  // namespace parley::retrieval::documents::testing
