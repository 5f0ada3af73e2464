#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "retrieval/documents/mime.h"
#include "tests/retrieval/documents/document_checks.h"

namespace parley::retrieval::documents {

namespace {

const std::string kHeaders =
    "From: Jo <jo@example.org>\r\nTo: al@example.org\r\nSubject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\r\nDate: "
    "today\r\n";

Lines mail(const std::string& rest) { return described(read_document(kHeaders + rest, "a.eml")); }

const std::string kFirst = "p From: Jo <jo@example.org>/To: al@example.org/Date: today";

TEST(MailReaderTest, HeadersAndText) {
  EXPECT_EQ(mail("\r\nHello,\r\n\r\n> you said\r\n> that\r\nyes.\r\n"),
            (Lines{"h1 Grüße", kFirst, "p Hello,", "q > you said/> that", "p yes."}));
  EXPECT_EQ(read_document(kHeaders + "\r\nx", "a.eml").title, "Grüße");
}

TEST(MailReaderTest, EncodedBodiesInTheirCharset) {
  EXPECT_EQ(mail("Content-Type: text/plain; charset=\"iso-8859-1\"\r\nContent-Transfer-Encoding: "
                 "quoted-printable\r\n\r\ncaf=E9 is=\r\n"
                 " open\r\n")
                .back(),
            "p café is open");
  EXPECT_EQ(mail("Content-Type: text/plain; charset=koi8-r\r\nContent-Transfer-Encoding: "
                 "base64\r\n\r\n8NLJ\r\n18XU\r\n")
                .back(),
            "p Привет");
}

TEST(MailReaderTest, PartsAndAttachments) {
  const std::string parts =
      "Content-Type: multipart/mixed; boundary=\"b 1\"\r\n\r\npreamble\r\n--b 1\r\nContent-Type: "
      "multipart/alternative; "
      "boundary=b2\r\n\r\n--b2\r\nContent-Type: text/html\r\n\r\n<p>rich</p>\r\n--b2\r\nContent-Type: "
      "text/plain\r\n\r\nplain\r\n--b2--\r\n"
      "--b 1\r\nContent-Type: application/pdf; name=no.pdf\r\nContent-Disposition: attachment;\r\n "
      "filename*=utf-8''pl%C3%A4ne.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERg==\r\n--b "
      "1--\r\nepilogue\r\n";
  EXPECT_EQ(mail(parts),
            (Lines{"h1 Grüße", kFirst, "p plain", "li1 Attachment: pläne.pdf (application/pdf)"}));
}

TEST(MailReaderTest, HtmlAloneAndMailWithinMail) {
  EXPECT_EQ(mail("Content-Type: text/html; charset=utf-8\r\n\r\n<h2>Big</h2><ul><li>é</ul>"),
            (Lines{"h1 Grüße", kFirst, "h2 Big", "li1 é"}));
  EXPECT_EQ(mail("Content-Type: message/rfc822\r\n\r\nSubject: inner\r\n\r\nwords\r\n"),
            (Lines{"h1 Grüße", kFirst, "h1 inner", "p words"}));
}

TEST(MailReaderTest, PartsNestedWithoutEndAreNoTrouble) {
  std::string deep = kHeaders;
  for (int i = 0; i < 5'000; ++i)
    deep += "Content-Type: message/rfc822\r\n\r\nSubject: " + std::to_string(i) + "\r\n";
  EXPECT_LT(read_document(deep + "\r\nend", "a.eml").blocks.size(), 1'000U);
}

TEST(MailboxReaderTest, EachMessageHasItsSubject) {
  const std::string box =
      "From jo@example.org Thu Mar  4 10:11:12 2004\nSubject: one\nFrom: jo\n\nfirst\n>From here\n\nFrom now "
      "on it is the same mail?\n\n"
      "From al@example.org Thu Mar  4 10:11:13 2004\nSubject: two\n\nsecond\n";
  const Lines lines = described(read_document(box, "inbox.mbox"));
  EXPECT_EQ(lines.front(), "h1 one");
  EXPECT_NE(std::find(lines.begin(), lines.end(), "p first/From here"), lines.end());
  EXPECT_NE(std::find(lines.begin(), lines.end(), "h1 two"), lines.end());
  EXPECT_EQ(lines.back(), "p second");
}

TEST(MimeTest, HeadersAreDecodedAsPythonDoes) {
  // str(email.header.make_header(email.header.decode_header(…)))
  EXPECT_EQ(decoded_header("=?ISO-8859-1?Q?a?= =?ISO-8859-1?Q?_b?= c"), "a b c");
  EXPECT_EQ(decoded_header("=?UTF-8?B?44GT44KM?= =?UTF-8?B?44Gv?="), "これは");
  EXPECT_EQ(decoded_header("plain =?utf-8?q?=C3=A9?= text"), "plain é text");
  EXPECT_EQ(decoded_header("=?utf-8*en?Q?x?="), "x");
  EXPECT_EQ(decoded_header("=?broken"), "=?broken");
  EXPECT_EQ(decoded_header("=?utf-8?B?4pyT?="), "✓");
  // A character that is cut between two words.
  EXPECT_EQ(decoded_header("=?utf-8?B?4pw=?= =?utf-8?B?kw==?="), "✓");
}

TEST(MimeTest, Fields) {
  const MailField field =
      parse_field("Text/Plain; Charset=\"utf-8\"; name=\"a\\\"b;c\"; x*0=one; x*1=two; y=");
  EXPECT_EQ(field.value, "text/plain");
  EXPECT_EQ(field.parameter("charset"), "utf-8");
  EXPECT_EQ(field.parameter("name"), "a\"b;c");
  EXPECT_EQ(field.parameter("x"), "onetwo");
  EXPECT_EQ(field.parameter("none"), "");
}

TEST(MimeTest, Base64PassesOverWhatIsNoDigit) {
  EXPECT_EQ(decoded_base64("aGVs\r\nbG8="), "hello");
  EXPECT_EQ(decoded_base64("a"), "");
}

}  // namespace

}  // namespace parley::retrieval::documents
