#include <map>
#include <string>
#include <utility>
#include <vector>

#include "retrieval/documents/block_assembler.h"
#include "retrieval/documents/format_error.h"
#include "retrieval/documents/office_readers.h"
#include "retrieval/documents/opc_package.h"
#include "retrieval/documents/xhtml_blocks.h"
#include "retrieval/documents/xhtml_tree.h"
#include "retrieval/documents/xml_tree.h"
#include "retrieval/documents/zip_archive.h"

namespace parley::retrieval::documents {
namespace {

class EpubReader final : public DocumentReader {
 public:
  ReadOutcome read(const ReadInput& input, const ReadLimits& limits) const override {
    return read_or_fail([&] { return read_epub(input.bytes, limits); });
  }

 private:
  static ReadOutcome read_epub(std::string_view bytes, const ReadLimits& limits);
};

struct EpubBook {
  std::string title;
  std::vector<std::string> chapters;                 // parts in reading order
  std::map<std::string, std::string> chapter_names;  // by part, from the table of contents
};

// Links in books are URIs: "chapter%201.xhtml#start".
std::string linked_part(std::string_view base, std::string_view link) {
  const auto hex_digit = [](char c) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    return kDigits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c);
  };
  link = link.substr(0, link.find('#'));
  std::string path;
  for (std::size_t index = 0; index < link.size(); ++index) {
    if (link[index] == '%' && index + 2 < link.size()) {
      const std::size_t high = hex_digit(link[index + 1]), low = hex_digit(link[index + 2]);
      if (high != std::string_view::npos && low != std::string_view::npos) {
        path += static_cast<char>(high * 16 + low);
        index += 2;
        continue;
      }
    }
    path += link[index];
  }
  return resolve_part(base, path);
}

// EPUB 2: ncx; EPUB 3: a page with a nav element. The first entry that leads to a part names it.
void read_chapter_names(const XmlTree& contents, std::string_view part, EpubBook& book) {
  std::vector<XmlNode> waiting = {contents.root()};
  while (!waiting.empty()) {
    const XmlNode node = waiting.back();
    waiting.pop_back();
    if (!node) {
      continue;
    }
    if (node != contents.root()) {
      waiting.push_back(node.next());
    }
    waiting.push_back(node.first_child());
    if (node.name() == "navPoint") {
      book.chapter_names.emplace(linked_part(part, node.child("content").attribute("src")),
                                 node.child("navLabel").all_text());
    } else if (node.name() == "a" && !node.attribute("href").empty()) {
      book.chapter_names.emplace(linked_part(part, node.attribute("href")), xhtml_line(node));
    }
  }
}

EpubBook read_package(ZipArchive& zip, const ReadLimits& limits) {
  constexpr std::string_view kContainer = "META-INF/container.xml";
  const XmlTree container(zip.read(kContainer), limits, kContainer);
  const std::string package_part = linked_part("", container.root().find("rootfile").attribute("full-path"));
  const XmlTree package(zip.read(package_part), limits, package_part);
  EpubBook book;
  book.title = package.root().child("metadata").child("title").all_text();
  std::map<std::string, std::string, std::less<>> parts;  // by id in the manifest
  std::string contents_part;
  for (const XmlNode item : package.root().child("manifest")) {
    const std::string part = linked_part(package_part, item.attribute("href"));
    const bool is_contents = item.attribute("properties").find("nav") != std::string_view::npos;
    if (is_contents ||
        (contents_part.empty() && item.attribute("media-type") == "application/x-dtbncx+xml")) {
      contents_part = part;
    }
    parts.emplace(item.attribute("id"), part);
  }
  for (const XmlNode reference : package.root().child("spine")) {
    const auto found = parts.find(reference.attribute("idref"));
    const bool is_contents = found != parts.end() && found->second == contents_part;
    if (reference.name() == "itemref" && found != parts.end() && !is_contents) {
      book.chapters.push_back(found->second);
    }
  }
  if (zip.contains(contents_part)) {
    read_chapter_names(parse_xhtml(zip.read(contents_part), limits, contents_part), contents_part, book);
  }
  return book;
}

// Fonts are often listed there, disguised and not encrypted; chapters only when they are protected.
void refuse_protected_chapters(ZipArchive& zip, const EpubBook& book, const ReadLimits& limits) {
  constexpr std::string_view kEncryption = "META-INF/encryption.xml";
  const auto bytes = zip.read_if_there(kEncryption);
  if (!bytes) {
    return;
  }
  const XmlTree tree(*bytes, limits, kEncryption);
  for (const XmlNode data : tree.root()) {
    const std::string part = linked_part("", data.find("CipherReference").attribute("URI"));
    for (const std::string& chapter : book.chapters) {
      if (chapter == part) {
        throw FormatError(ReadFailure::Kind::encrypted, "the book is protected against copying");
      }
    }
  }
}

ReadOutcome EpubReader::read_epub(std::string_view bytes, const ReadLimits& limits) {
  ZipArchive zip(bytes, limits);
  const EpubBook book = read_package(zip, limits);
  refuse_protected_chapters(zip, book, limits);
  BlockAssembler out(limits, "application/epub+zip");
  out.set_title(book.title);
  for (const std::string& part : book.chapters) {
    const auto chapter = zip.read_if_there(part);
    if (!chapter) {
      out.begin_page("");
      out.add_note("the chapter '" + part.substr(0, 80) + "' is missing in the file");
      continue;
    }
    const XmlTree tree = parse_xhtml(*chapter, limits, part);
    const auto named = book.chapter_names.find(part);
    const std::string own_name = xhtml_line(tree.root().child("head").child("title"));
    out.begin_page(named == book.chapter_names.end() ? own_name : named->second);
    XhtmlBlocks(out).read(tree.root().child("body"));
  }
  return out.take();
}

}  // namespace

std::unique_ptr<DocumentReader> make_epub_reader() { return std::make_unique<EpubReader>(); }

}  // namespace parley::retrieval::documents
