#pragma once
// One small made-up file of each office format, as the members of its container.

#include <string>
#include <vector>

#include "tests/retrieval/documents/zip_builder.h"

namespace parley::retrieval::documents::testing {

// A package whose main part is related to the parts given as {type, target}.
inline ZipMember package_root(const std::string& main_part) {
  return {"_rels/.rels",
          "<Relationships><Relationship Id=\"r1\" Type=\"http://x/officeDocument\" Target=\"/" + main_part +
              "\"/></Relationships>"};
}

inline ZipMember relationships_of(const std::string& name, const std::vector<std::string>& type_targets) {
  std::string xml = "<Relationships>";
  for (std::size_t index = 0; index + 1 < type_targets.size(); index += 2) {
    xml += "<Relationship Id=\"rId" + std::to_string(index / 2 + 1) + "\" Type=\"http://x/" +
           type_targets[index] + "\" Target=\"" + type_targets[index + 1] + "\"/>";
  }
  return {name, xml + "</Relationships>"};
}

inline std::vector<ZipMember> docx_with(const std::string& body, std::vector<ZipMember> more = {}) {
  std::vector<ZipMember> members = {
      package_root("word/document.xml"),
      relationships_of("word/_rels/document.xml.rels",
                       {"styles", "styles.xml", "footnotes", "footnotes.xml", "endnotes", "endnotes.xml"}),
      {"word/styles.xml",
       R"(<w:styles><w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/><w:basedOn w:val="N"/></w:style>
<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/></w:style>
<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Chapter"/><w:basedOn w:val="H1"/></w:style>
<w:style w:type="paragraph" w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>
<w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="Q"><w:name w:val="Intense Quote"/></w:style>
<w:style w:type="paragraph" w:styleId="C"><w:name w:val="Source Code"/></w:style>
<w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>
<w:style w:type="paragraph" w:styleId="LB"><w:name w:val="List Bullet"/></w:style></w:styles>)"},
      {"word/footnotes.xml",
       R"(<w:footnotes><w:footnote w:id="2"><w:p><w:r><w:t>The first note.</w:t><w:footnoteReference w:id="2"/></w:r></w:p></w:footnote></w:footnotes>)"},
      {"word/document.xml", R"(<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="w"><w:body>)" +
                                body + "</w:body></w:document>"}};
  members.insert(members.begin(), more.begin(), more.end());
  return members;
}

inline std::string docx_paragraph(const std::string& text, const std::string& style = "") {
  return "<w:p><w:pPr>" + (style.empty() ? "" : "<w:pStyle w:val=\"" + style + "\"/>") +
         "</w:pPr><w:r><w:t xml:space=\"preserve\">" + text + "</w:t></w:r></w:p>";
}

inline std::vector<ZipMember> docx_members() {
  return docx_with(
      docx_paragraph("Garden", "T") + docx_paragraph("Soil", "H1") +
      docx_paragraph("Loam holds water &amp; air.") + docx_paragraph("Sand", "LB") +
      "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Plant</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Height"
      "</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:p><w:r><w:t>Fern</w:t></w:r></w:p></w:tc><w:tc>"
      "<w:p><w:r><w:t>40</w:t></w:r></w:p></w:tc></w:tr></w:tbl>");
}

inline std::string pptx_shape(const std::string& placeholder, const std::string& paragraphs) {
  return "<p:sp><p:nvSpPr><p:cNvPr id=\"2\"/><p:nvPr>" + placeholder +
         "</p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x=\"127000\" y=\"254000\"/><a:ext cx=\"1270000\" "
         "cy=\"635000\"/>"
         "</a:xfrm></p:spPr><p:txBody>" +
         paragraphs + "</p:txBody></p:sp>";
}

inline std::string pptx_paragraph(const std::string& text, int level = 0) {
  return "<a:p><a:pPr lvl=\"" + std::to_string(level) + "\"/><a:r><a:t>" + text + "</a:t></a:r></a:p>";
}

inline std::string pptx_slide_xml(const std::string& shapes) {
  return "<p:sld xmlns:p=\"p\" xmlns:a=\"a\"><p:cSld><p:spTree>" + shapes + "</p:spTree></p:cSld></p:sld>";
}

inline std::vector<ZipMember> pptx_with(const std::vector<std::string>& slides,
                                        std::vector<ZipMember> more = {}) {
  std::vector<std::string> related;
  std::string list;
  std::vector<ZipMember> members = {package_root("ppt/presentation.xml")};
  for (std::size_t index = 0; index < slides.size(); ++index) {
    const std::string number = std::to_string(index + 1);
    related.insert(related.end(), {"slide", "slides/slide" + number + ".xml"});
    list += "<p:sldId id=\"25" + number + "\" r:id=\"rId" + number + "\"/>";
    members.push_back({"ppt/slides/slide" + number + ".xml", slides[index]});
  }
  members.push_back(relationships_of("ppt/_rels/presentation.xml.rels", related));
  members.push_back({"ppt/presentation.xml", "<p:presentation xmlns:p=\"p\" xmlns:r=\"r\"><p:sldIdLst>" +
                                                 list + "</p:sldIdLst></p:presentation>"});
  members.insert(members.end(), more.begin(), more.end());
  return members;
}

inline std::vector<ZipMember> pptx_members() {
  return pptx_with(
      {pptx_slide_xml(pptx_shape("<p:ph idx=\"1\"/>", pptx_paragraph("Rain") + pptx_paragraph("Drizzle", 1)) +
                      pptx_shape("<p:ph type=\"title\"/>", pptx_paragraph("Weather")))});
}

inline std::vector<ZipMember> xlsx_with(const std::string& sheet, const std::string& strings = "",
                                        const std::string& workbook_properties = "") {
  return {
      package_root("xl/workbook.xml"),
      relationships_of("xl/_rels/workbook.xml.rels", {"worksheet", "worksheets/sheet1.xml", "sharedStrings",
                                                      "sharedStrings.xml", "styles", "styles.xml"}),
      {"xl/workbook.xml",
       "<workbook xmlns:r=\"r\">" + workbook_properties +
           "<sheets><sheet name=\"Costs\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"},
      {"xl/sharedStrings.xml", "<sst>" + strings + "</sst>"},
      {"xl/styles.xml",
       "<styleSheet><numFmts count=\"1\"><numFmt numFmtId=\"164\" formatCode=\"yyyy\\-mm\\-dd\\ "
       "hh:mm\"/></numFmts>"
       "<cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/><xf numFmtId=\"10\"/><xf "
       "numFmtId=\"164\"/></cellXfs>"
       "</styleSheet>"},
      {"xl/worksheets/sheet1.xml", "<worksheet>" + sheet + "</worksheet>"}};
}

inline std::vector<ZipMember> xlsx_members() {
  return xlsx_with(
      R"(<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>
<row r="2"><c r="A2" t="inlineStr"><is><t>Seeds</t></is></c><c r="B2"><v>12.5</v></c></row></sheetData>
<mergeCells><mergeCell ref="A2:A3"/></mergeCells>)",
      "<si><t>Item</t></si><si><r><t>Pri</t></r><r><t>ce</t></r></si>");
}

inline std::vector<ZipMember> odf_with(const std::string& body, const std::string& styles = "") {
  return {{"mimetype", "application/vnd.oasis.opendocument.text"},
          {"meta.xml",
           "<office:document-meta><office:meta><dc:title>Field notes</dc:title></office:meta>"
           "</office:document-meta>"},
          {"content.xml", "<office:document-content><office:automatic-styles>" + styles +
                              "</office:automatic-styles><office:body>" + body +
                              "</office:body></office:document-content>"}};
}

inline std::vector<ZipMember> odt_members() {
  return odf_with(
      "<office:text><text:h text:outline-level=\"2\">Birds</text:h><text:p>A<text:s "
      "text:c=\"3\"/>robin.</text:p>"
      "<text:list><text:list-item><text:p>Wren</text:p></text:list-item></text:list></office:text>");
}

inline std::string xhtml_page(const std::string& body, const std::string& title = "") {
  return "<?xml version=\"1.0\"?><!DOCTYPE html><html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>" +
         title + "</title></head><body>" + body + "</body></html>";
}

inline std::vector<ZipMember> epub_with(const std::vector<std::string>& chapters,
                                        std::vector<ZipMember> more = {}) {
  std::string items, spine;
  std::vector<ZipMember> members = {
      {"mimetype", "application/epub+zip"},
      {"META-INF/container.xml",
       "<container><rootfiles><rootfile full-path=\"OPS/book.opf\"/></rootfiles></container>"}};
  for (std::size_t index = 0; index < chapters.size(); ++index) {
    const std::string id = "c" + std::to_string(index + 1);
    items = "<item id=\"" + id + "\" href=\"text/" + id + ".xhtml\" media-type=\"application/xhtml+xml\"/>" +
            items;
    spine += "<itemref idref=\"" + id + "\"/>";
    members.push_back({"OPS/text/" + id + ".xhtml", chapters[index]});
  }
  members.push_back(
      {"OPS/book.opf",
       "<package><metadata><dc:title>The Pond</dc:title></metadata><manifest>" + items +
           "<item id=\"ncx\" href=\"toc.ncx\" media-type=\"application/x-dtbncx+xml\"/></manifest><spine>" +
           spine + "</spine></package>"});
  members.push_back({"OPS/toc.ncx",
                     "<ncx><navMap><navPoint><navLabel><text>Morning</text></navLabel><content "
                     "src=\"text/c1.xhtml#top\"/></navPoint></navMap></ncx>"});
  members.insert(members.end(), more.begin(), more.end());
  return members;
}

inline std::vector<ZipMember> epub_members() {
  return epub_with({xhtml_page("<h1>Mist</h1><p>The pond was <i>still</i>.</p>"),
                    xhtml_page("<h1>Sun</h1><ul><li>Frog</li></ul><pre>a  b</pre>", "Second")});
}

inline std::string rtf_sample() {
  return "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial;}}"
         "{\\stylesheet{\\s0 Normal;}{\\s1\\outlinelevel0 heading 1;}}{\\info{\\title Letters}}"
         "\\pard\\s1 Post\\par\\pard Caf\\'e9 \\u8364 ?5\\par{\\f1 \\'cf\\'ee}\\par"
         "\\trowd\\pard\\intbl One\\cell Two\\cell\\row\\pard{\\pict\\bin4 {}}}}tail\\par}";
}

}  // namespace parley::retrieval::documents::testing
