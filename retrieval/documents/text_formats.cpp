// Formats of text: by what it begins with, then by its name.
#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "retrieval/documents/format_detection.h"
#include "retrieval/documents/source_names.h"
#include "retrieval/documents/text_lines.h"

namespace parley::retrieval::documents {

namespace {

constexpr std::size_t kHead = 16 << 10;

std::string small_letters(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

struct NamedFormat {
  std::string_view extension;
  Format format;
  std::string_view media_type;
};

constexpr std::array kByName = {
    NamedFormat{"md", Format::markdown, "text/markdown"},
    NamedFormat{"markdown", Format::markdown, "text/markdown"},
    NamedFormat{"mkd", Format::markdown, "text/markdown"},
    NamedFormat{"mdown", Format::markdown, "text/markdown"},
    NamedFormat{"mdx", Format::markdown, "text/markdown"},
    NamedFormat{"rmd", Format::markdown, "text/markdown"},
    NamedFormat{"qmd", Format::markdown, "text/markdown"},
    NamedFormat{"rst", Format::rst, "text/x-rst"},
    NamedFormat{"rest", Format::rst, "text/x-rst"},
    NamedFormat{"pod", Format::pod, "text/x-pod"},
    NamedFormat{"html", Format::html, "text/html"},
    NamedFormat{"htm", Format::html, "text/html"},
    NamedFormat{"xhtml", Format::html, "application/xhtml+xml"},
    NamedFormat{"shtml", Format::html, "text/html"},
    NamedFormat{"csv", Format::separated_values, "text/csv"},
    NamedFormat{"tsv", Format::separated_values, "text/tab-separated-values"},
    NamedFormat{"tab", Format::separated_values, "text/tab-separated-values"},
    NamedFormat{"json", Format::json, "application/json"},
    NamedFormat{"geojson", Format::json, "application/json"},
    NamedFormat{"webmanifest", Format::json, "application/json"},
    NamedFormat{"jsonl", Format::json_lines, "application/jsonl"},
    NamedFormat{"ndjson", Format::json_lines, "application/jsonl"},
    NamedFormat{"ipynb", Format::notebook, "application/x-ipynb+json"},
};

// Behind the last dot, in small letters; "rst" also of "index.rst.txt", as Sphinx publishes its sources.
std::string extension_of(std::string_view name) {
  const std::string lower = small_letters(name);
  if (lower.ends_with(".rst.txt")) return "rst";
  if (lower.ends_with(".md.txt")) return "md";
  const std::size_t dot = lower.rfind('.');
  return dot == lower.npos ? "" : lower.substr(dot + 1);
}

// "1", "3pm", "8x", "man", "mdoc".
bool is_manual_section(std::string_view extension) {
  if (extension == "man" || extension == "mdoc" || extension == "roff" || extension == "me") return true;
  return !extension.empty() && extension.size() <= 8 && extension[0] >= '1' && extension[0] <= '9' &&
         std::all_of(extension.begin() + 1, extension.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

// The first line of a manual page that is no comment.
bool begins_manual(std::string_view text) {
  constexpr int kMaxComments = 200;
  TextLine line = line_at(text, 0);
  for (int i = 0; i < kMaxComments && line.begin < text.size(); ++i, line = line_at(text, line.next)) {
    const std::string_view words = text_of(text, line);
    if (is_blank(words) || words.starts_with(".\\\"") || words.starts_with("'\\\"") || words == "." ||
        words == "'") {
      continue;
    }
    for (const std::string_view macro : {".TH ", ".Dd ", ".Dd\t", ".so ", ".TH\t"}) {
      if (words.starts_with(macro)) return true;
    }
    const bool prepares = words.starts_with(".de") || words.starts_with(".if") || words.starts_with(".ie") ||
                          words.starts_with(".nr") || words.starts_with(".ds") || words.starts_with(".ig");
    return prepares && text.find("\n.TH ") != text.npos;
  }
  return false;
}

bool begins_html(std::string_view text) {
  constexpr std::size_t kWithin = 4096;
  std::string head = small_letters(trimmed(text.substr(0, kWithin)));
  std::string_view rest = head;
  // What may come first: an XML declaration, comments.
  for (int i = 0; i < 8; ++i) {
    const std::string_view closing = rest.starts_with("<?xml") ? "?>" : rest.starts_with("<!--") ? "-->" : "";
    if (closing.empty()) break;
    const std::size_t end = rest.find(closing);
    if (end == rest.npos) return false;
    rest = trimmed(rest.substr(end + closing.size()));
  }
  return rest.starts_with("<!doctype html") || rest.starts_with("<html") || rest.starts_with("<head>");
}

bool begins_svg(std::string_view text) {
  const std::string head = small_letters(trimmed(text.substr(0, 1024)));
  return head.starts_with("<svg") || ((head.starts_with("<?xml") || head.starts_with("<!--")) &&
                                      head.find("<svg") != head.npos && head.find("<html") == head.npos);
}

bool has_pod(std::string_view text) {
  for (const std::string_view command : {"=head1 ", "=pod\n", "=encoding "}) {
    if (text.starts_with(command) || text.find("\n\n" + std::string(command)) != text.npos) return true;
  }
  return false;
}

bool is_notebook(std::string_view text) {
  return trimmed(text.substr(0, 64)).starts_with('{') && text.find("\"nbformat\"") != text.npos &&
         text.find("\"cells\"") != text.npos;
}

// A whole JSON value of some size, as far as one look tells.
bool looks_like_json(std::string_view text) {
  const std::string_view value = trimmed(text);
  if (value.size() < 2) return false;
  const bool object = value.front() == '{' && value.back() == '}';
  const bool array = value.front() == '[' && value.back() == ']';
  return (object || array) && value.substr(0, kHead).find("\":") != value.npos;
}

DetectedFormat by_content(std::string_view text, std::string_view extension) {
  if (begins_svg(text))
    return {Format::refused, "image/svg+xml", "It is a picture: there is no text in it to read."};
  if (begins_html(text) && extension != "md") return {Format::html, "text/html", ""};
  if (begins_manual(text)) return {Format::man_page, "text/troff", ""};
  if (is_notebook(text) && (extension == "ipynb" || extension == "json" || extension.empty())) {
    return {Format::notebook, "application/x-ipynb+json", ""};
  }
  return {};
}

DetectedFormat by_name(std::string_view text, std::string_view extension, std::string_view name) {
  for (const NamedFormat& named : kByName) {
    if (extension == named.extension) return {named.format, std::string(named.media_type), ""};
  }
  const std::string_view head = text.substr(0, kHead);
  if (is_manual_section(extension) &&
      (head.find("\n.SH ") != head.npos || head.find("\n.Sh ") != head.npos)) {
    return {Format::man_page, "text/troff", ""};
  }
  if (is_perl_name(extension) && has_pod(text)) return {Format::pod, "text/x-pod", ""};
  const std::string_view source = source_media_type(extension, name);
  if (!source.empty()) return {Format::source_code, std::string(source), ""};
  return {};
}

}  // namespace

DetectedFormat detect_text_format(std::string_view text, std::string_view file_name) {
  const std::string extension = extension_of(file_name);
  DetectedFormat detected = by_content(text, extension);
  if (detected.media_type.empty()) detected = by_name(text, extension, file_name);
  if (!detected.media_type.empty()) return detected;
  const std::string_view head = text.substr(0, kHead);
  if (head.starts_with("#!")) return {Format::source_code, "text/x-script", ""};
  if (head.starts_with("<?xml")) return {Format::source_code, "application/xml", ""};
  if (has_pod(head)) return {Format::pod, "text/x-pod", ""};
  if (extension != "txt" && looks_like_json(text)) return {Format::json, "application/json", ""};
  return {Format::plain_text, "text/plain", ""};
}

std::string name_of_content(std::string_view file_name) {
  for (const std::string_view tail : {".gz", ".bz2", ".xz", ".GZ", ".BZ2", ".XZ"}) {
    if (file_name.size() > tail.size() && file_name.ends_with(tail)) {
      return std::string(file_name.substr(0, file_name.size() - tail.size()));
    }
  }
  return std::string(file_name);
}

}  // namespace parley::retrieval::documents
