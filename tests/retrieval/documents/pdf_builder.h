#pragma once
// Writes small PDFs for tests: text where the test puts it. One thread.

#include <string>
#include <vector>

namespace parley::retrieval::documents::testing {

enum class PdfFont { plain, bold, monospaced };

class PdfPageBuilder {
 public:
  // With `y` of the baseline from the page's upper edge. "\x01" and "\x02" are the ligatures fi and fl.
  PdfPageBuilder& text(float x, float y, const std::string& text, float size = 10,
                       PdfFont font = PdfFont::plain) {
    return placed("1 0 0 1 " + std::to_string(x) + " " + std::to_string(kHeight - y), text, size, font);
  }
  // Reads upwards.
  PdfPageBuilder& upward_text(float x, float y, const std::string& text, float size = 10) {
    return placed("0 1 -1 0 " + std::to_string(x) + " " + std::to_string(kHeight - y), text, size,
                  PdfFont::plain);
  }
  PdfPageBuilder& lines(float x, float y, float pitch, const std::vector<std::string>& lines) {
    for (std::size_t index = 0; index < lines.size(); ++index) {
      text(x, y + pitch * static_cast<float>(index), lines[index]);
    }
    return *this;
  }
  // A black picture.
  PdfPageBuilder& picture() {
    content_ += "q 200 0 0 200 100 300 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \1 EI Q\n";
    return *this;
  }

  const std::string& content() const { return content_; }

  static constexpr float kWidth = 612, kHeight = 792;

 private:
  PdfPageBuilder& placed(const std::string& matrix, const std::string& text, float size, PdfFont font) {
    std::string escaped;
    for (const char c : text) {
      escaped += c == '(' || c == ')' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    content_ += "BT /F" + std::to_string(static_cast<int>(font) + 1) + " " + std::to_string(size) + " Tf " +
                matrix + " Tm (" + escaped + ") Tj ET\n";
    return *this;
  }

  std::string content_;
};

inline std::string pdf_of(const std::vector<std::string>& page_contents,
                          const std::string& information = "") {
  std::vector<std::string> objects = {"<< /Type /Catalog /Pages 2 0 R >>", ""};
  const char* names[] = {"Helvetica", "Helvetica-Bold", "Courier"};
  for (const char* name : names) {
    objects.push_back("<< /Type /Font /Subtype /Type1 /BaseFont /" + std::string(name) +
                      " /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [1 /fi 2 /fl] >> >>");
  }
  std::string kids;
  for (const std::string& content : page_contents) {
    kids += std::to_string(objects.size() + 1) + " 0 R ";
    objects.push_back(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R /F2 4 0 R "
        "/F3 5 0 R >> >> /Contents " +
        std::to_string(objects.size() + 2) + " 0 R >>");
    objects.push_back("<< /Length " + std::to_string(content.size()) + " >>\nstream\n" + content +
                      "\nendstream");
  }
  objects[1] = "<< /Type /Pages /Kids [" + kids + "] /Count " + std::to_string(page_contents.size()) + " >>";
  objects.push_back("<< " + information + " >>");
  std::string out = "%PDF-1.4\n", table;
  for (std::size_t index = 0; index < objects.size(); ++index) {
    const std::string offset = std::to_string(out.size());
    table += std::string(10 - offset.size(), '0') + offset + " 00000 n \n";
    out += std::to_string(index + 1) + " 0 obj\n" + objects[index] + "\nendobj\n";
  }
  const std::string begin = std::to_string(out.size());
  const std::string count = std::to_string(objects.size() + 1);
  return out + "xref\n0 " + count + "\n0000000000 65535 f \n" + table + "trailer << /Size " + count +
         " /Root 1 0 R /Info " + std::to_string(objects.size()) + " 0 R >>\nstartxref\n" + begin +
         "\n%%EOF\n";
}

inline std::string pdf_of(const std::vector<PdfPageBuilder>& pages, const std::string& information = "") {
  std::vector<std::string> contents;
  for (const PdfPageBuilder& page : pages) {
    contents.push_back(page.content());
  }
  return pdf_of(contents, information);
}

}  // namespace parley::retrieval::documents::testing
