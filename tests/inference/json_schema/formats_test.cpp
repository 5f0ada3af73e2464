// Formats, beside what the official suite holds. The words of each are in its table.
#include "inference/json_schema/formats.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "inference/json_schema/address_formats.h"
#include "inference/json_schema/time_formats.h"
#include "inference/json_schema/uri_formats.h"

namespace parley::inference::json_schema {
namespace {

using Texts = std::vector<std::string_view>;

void expect(bool (*holds)(std::string_view), const Texts& good, const Texts& bad) {
  for (const std::string_view text : good) EXPECT_TRUE(holds(text)) << text;
  for (const std::string_view text : bad) EXPECT_FALSE(holds(text)) << text;
}

TEST(TimeFormatsTest, DatesAreOfTheCalendar) {
  expect(is_date, {"2024-02-29", "2000-02-29", "1900-02-28", "2024-12-31", "0000-01-01"},
         {"2023-02-29", "1900-02-29", "2024-13-01", "2024-00-01", "2024-01-00", "2024-04-31", "24-01-01",
          "2024-1-1", "2024-01-01 ", "2024/01/01", "", "2024-01-0a", "+2024-01-01"});
}

TEST(TimeFormatsTest, TimesHaveAnOffset) {
  expect(
      is_time,
      {"00:00:00Z", "23:59:59.999999999z", "12:00:00+23:59", "23:59:60Z", "15:59:60-08:00", "01:29:60+01:30"},
      {"24:00:00Z", "12:60:00Z", "12:00:61Z", "12:00:00", "12:00:60Z", "12:00Z", "12:00:00.Z",
       "12:00:00+24:00", "12:00:00+2:00", "12:00:00Zx", ""});
  expect(is_date_time, {"2024-02-29T12:00:00Z", "2024-02-29t12:00:00.5+02:00"},
         {"2024-02-29 12:00:00Z", "2024-02-30T12:00:00Z", "2024-02-29T", "T12:00:00Z"});
}

TEST(TimeFormatsTest, DurationsHaveNoGaps) {
  expect(is_duration, {"P1Y", "P1Y2M3DT4H5M6S", "PT1H", "PT36H", "P4W", "P1DT12H", "P1M", "PT1M", "P0D"},
         {"P", "PT", "P1", "1Y", "P1Y2D", "PT1H2S", "P1WT1H", "P1W2D", "P1S", "PT1D", "P-1D", "P1.5D",
          "P1D2D", "P1DT", "p1d", ""});
}

TEST(AddressFormatsTest, Ipv4) {
  expect(is_ipv4, {"0.0.0.0", "255.255.255.255", "127.0.0.1"},
         {"256.0.0.1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.", "1..2.3", "1.2.3.4 ", "0x7f.0.0.1",
          "-1.2.3.4", "", "2130706433"});
}

TEST(AddressFormatsTest, Ipv6) {
  expect(is_ipv6,
         {"::", "::1", "1::", "1:2:3:4:5:6:7:8", "::ffff:192.0.2.1", "1:2:3:4:5:6:1.2.3.4", "fe80::1:2",
          "1::8", "1:2:3:4:5:6:7::"},
         {"", ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "::g", "fe80::1%eth0",
          "1.2.3.4", "::1.2.3.4:1", "1.2.3.4::", "::1.2.3.400", "1:2:3:4:5:6:7:1.2.3.4",
          "1:2:3:4:5:6:7:8::", ":1:2:3:4:5:6:7", "1:2:3:4:5:6:7:"});
}

TEST(AddressFormatsTest, HostNames) {
  const std::string label(63, 'a');
  const std::string longest = label + "." + label + "." + label + "." + std::string(61, 'b');
  expect(is_hostname, {"localhost", "a.b-c.d9", "xn--4gbwdl.xn--wgbh1c", "1.2.3.4", label, longest},
         {"", ".", "a.", ".a", "a..b", "-a", "a-", "a_b", "a b", "\xC3\xA9.ch"});
  EXPECT_FALSE(is_hostname(label + "a"));
  EXPECT_FALSE(is_hostname(longest + "c"));
}

TEST(AddressFormatsTest, Mailboxes) {
  expect(is_email,
         {"a@b", "joe.bloggs+x@example.com", "\"a b\"@c.d", "\"a\\\"b\"@c.d", "a@[127.0.0.1]", "a@[IPv6:::1]",
          "\"@\"@b"},
         {"", "@", "a@", "@b", "a", "a.@b", ".a@b", "a..b@c", "a b@c", "a@b c", "a@[300.0.0.1]", "a@[IPv6:1]",
          "\"a@b", "\"a\"b\"@c", "\"a\\\"@c", "a@b@c"});
}

TEST(UriFormatsTest, Uris) {
  expect(is_uri,
         {"http://a", "https://u:p@example.com:8080/a/b;c?d=e#f", "mailto:a@b.c", "urn:isbn:0451450523",
          "http://[::1]:80/", "file:///etc/passwd", "http://a/%20", "tel:+1-816", "http://[v1.a:b]/",
          "http://a:"},
         {"", "//a", "/a", "a", "http://a b", "http://a/%2", "http://a/%zz", "http://[::1", "http://a:b",
          ":a", "1a:b", "http://a/\\", "http://a/{b}", "http://a/<b>", "http://\xC3\xA9", "http://[1.2.3.4]/",
          "http://a]b", "http://a#b#c"});
}

TEST(UriFormatsTest, References) {
  expect(is_uri_reference, {"", "a", "/a/b", "../a", "?a", "#a", "//a/b", "a/b:c", "./a:b", "http://a"},
         {"a b", "\\a", "#a#b", "%", "1:a", "//[a", "\xC3\xA9"});
}

TEST(FormatsTest, TheTableHoldsWhatIsEnforced) {
  const auto holds = [](std::string_view name, std::string_view text) {
    const Format* format = find_format(name);
    EXPECT_TRUE(format) << name;
    return format && format->holds(text);
  };
  EXPECT_TRUE(holds("uuid", "2EB8AA08-aa98-11ea-b4aa-73b441d16380"));
  for (const char* text : {"2eb8aa08-aa98-11ea-b4aa-73b441d1638", "2eb8aa08aa9811eab4aa73b441d16380", "",
                           "2eb8aa08-aa98-11ea-b4aa-73b441d163800", "2eb8aa08-aa98-11ea-b4aa_73b441d16380"}) {
    EXPECT_FALSE(holds("uuid", text)) << text;
  }
  EXPECT_TRUE(holds("json-pointer", "/a~1b"));
  EXPECT_FALSE(holds("json-pointer", "a"));
  EXPECT_TRUE(holds("relative-json-pointer", "1/a"));
  EXPECT_TRUE(holds("relative-json-pointer", "0#"));
  EXPECT_FALSE(holds("relative-json-pointer", "01/a"));
  EXPECT_FALSE(holds("relative-json-pointer", "/a"));
  EXPECT_TRUE(holds("regex", "^a+$"));
  EXPECT_FALSE(holds("regex", "a("));
  EXPECT_EQ(find_format("idn-email"), nullptr);
  EXPECT_EQ(find_format(""), nullptr);
}

}  // namespace
}  // namespace parley::inference::json_schema
