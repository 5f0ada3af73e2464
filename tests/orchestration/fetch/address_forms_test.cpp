// Server-side request forgery: 80 and more ways to write or reach addresses of this machine and its networks,
// from the URL and from a redirect. None may ever connect (R15).
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/orchestration/fetch/fetch_helper.h"

namespace parley::orchestration::fetch {
namespace {

using boost::asio::ip::make_address;
using boost::asio::ip::tcp;

// P stands for the port at which somebody listens on every address of this machine.
const std::vector<std::string>& forms() {
  static const std::vector<std::string> kForms = {
      // plain names and addresses
      "http://localhost:P/", "http://LOCALHOST:P/", "http://localhost.:P/", "http://localHost:P",
      "http://127.0.0.1:P/", "http://127.0.0.2:P/", "http://127.255.255.254:P/", "http://0.0.0.0:P/",
      "http://0:P/", "http://vm:P/", "https://127.0.0.1:P/", "https://localhost:P/", "HTTP://127.0.0.1:P/",
      "http://0.0.0.1:P/",
      // short, decimal, octal, hexadecimal, mixed, with overflow, with dots behind
      "http://127.1:P/", "http://127.0.1:P/", "http://2130706433:P/", "http://0x7f000001:P/",
      "http://0x7F000001:P/", "http://017700000001:P/", "http://0177.0.0.1:P/", "http://0177.0.0.01:P/",
      "http://0x7f.0.0.1:P/", "http://0x7f.1:P/", "http://0177.0x0.0.1:P/", "http://127.0x0.1:P/",
      "http://0x7f.0.1:P/", "http://00000177.0.0.1:P/", "http://0000127.0.0.1:P/", "http://4294967296:P/",
      "http://6425673729:P/", "http://127.0.0.1.:P/", "http://127.1.:P/", "http://2130706433.:P/",
      "http://0x7f000001.:P/", "http://127.0.0.1..:P/", "http://383.0.0.1:P/", "http://127.0.0.257:P/",
      "http://0x100007f000001:P/",
      // version 6
      "http://[::1]:P/", "http://[::]:P/", "http://[0:0:0:0:0:0:0:1]:P/", "http://[0000::0001]:P/",
      "http://[::0001]:P/", "http://[::ffff:127.0.0.1]:P/", "http://[::ffff:7f00:1]:P/",
      "http://[::FFFF:7F00:0001]:P/", "http://[0:0:0:0:0:ffff:127.0.0.1]:P/", "http://[::127.0.0.1]:P/",
      "http://[::7f00:1]:P/", "http://[64:ff9b::127.0.0.1]:P/", "http://[64:ff9b:1::7f00:1]:P/",
      "http://[2002:7f00:1::]:P/", "http://[::ffff:0:127.0.0.1]:P/", "http://[fe80::1%25lo]:P/",
      "http://[fe80::1%lo]:P/", "http://[::1%25lo]:P/", "http://[::ffff:0.0.0.0]:P/", "http://[::1]:P",
      "http://[[::1]]:P/", "http://::1:P/", "http://[::1.]:P/",
      // user names, confusing delimiters, white space
      "http://user@127.0.0.1:P/", "http://user:pw@127.0.0.1:P/", "http://@127.0.0.1:P/",
      "http://:@127.0.0.1:P/", "http://example.com@127.0.0.1:P/", "http://example.com:80@127.0.0.1:P/",
      "http://127.0.0.1:P@example.invalid/", "http://example.invalid#@127.0.0.1:P/",
      "http://127.0.0.1:P#@example.invalid/", "http://127.0.0.1:P?@example.invalid/",
      "http://127.0.0.1:P\\@example.invalid/", "http://example.invalid\\@127.0.0.1:P/",
      "http:\\\\127.0.0.1:P/", "http:/127.0.0.1:P/", "http:127.0.0.1:P/", "http:///127.0.0.1:P/",
      "http:////127.0.0.1:P/", "//127.0.0.1:P/", "127.0.0.1:P/", " http://127.0.0.1:P/",
      "http://127.0.0.1 :P/", "http://127.0.0.1:P/\r\nX: y", "http://127.0.0.1\t:P/",
      "http://127.0.0.1%00.example.invalid:P/", "http://127.0.0.1:0P/", "http://127.0.0.1:P:P/",
      // percent signs, other scripts' digits and dots, invisible characters
      "http://%31%32%37.0.0.1:P/", "http://127%2e0%2e0%2e1:P/", "http://%6c%6f%63%61%6c%68%6f%73%74:P/",
      "http://127.0.0.1%2f:P/", "http://\xEF\xBC\x91\xEF\xBC\x92\xEF\xBC\x97.0.0.1:P/",
      "http://127\xE3\x80\x82"
      "0\xE3\x80\x82"
      "0\xE3\x80\x82"
      "1:P/",
      "http://\xE2\x91\xA0\xE2\x91\xA1\xE2\x91\xA6.0.0.1:P/",
      "http://"
      "\xE2\x93\x9B\xE2\x93\x9E\xE2\x93\x92\xE2\x93\x90\xE2\x93\x9B\xE2\x93\x97\xE2\x93\x9E\xE2\x93\xA2\xE2"
      "\x93\xA3:P/",
      "http://loc\xC2\xAD"
      "alhost:P/",
      "http://127.0.0.1\xE2\x80\x8B:P/", "http://xn--localhost:P/",
      // other schemes
      "file:///etc/passwd", "ftp://127.0.0.1:P/", "gopher://127.0.0.1:P/_GET", "dict://127.0.0.1:P/x",
      "telnet://127.0.0.1:P/", "ldap://127.0.0.1:P/", "tftp://127.0.0.1:P/x", "ws://127.0.0.1:P/",
      "smb://127.0.0.1:P/x", "mqtt://127.0.0.1:P/x", "unix:/tmp/socket", "jar:http://127.0.0.1:P/!x",
      "url:http://127.0.0.1:P/", "view-source:http://127.0.0.1:P/"};
  return kForms;
}

std::string with_port(std::string form, int port) {
  for (std::size_t at = form.find('P'); at != std::string::npos; at = form.find('P', at + 1)) {
    // The P of the scheme in capitals is none of ours.
    if (at > 4) form.replace(at, 1, std::to_string(port));
  }
  return form;
}

class AddressFormsTest : public testing::Test {
 protected:
  AddressFormsTest() {
    const auto serve = [](Connection& connection) { connection.write(http_answer("canary")); };
    v6_ = std::make_unique<LocalServer>(serve,
                                        tcp::endpoint(make_address("::"), 0));  // takes version 4 as well
  }
  int port() const { return v6_->port(); }
  int hits() const { return v6_->hits(); }

 private:
  std::unique_ptr<LocalServer> v6_;
};

TEST_F(AddressFormsTest, TheCanarySitsOnBothKindsOfAddress) {
  for (const std::string host : {"127.0.0.1", "[::1]", "localhost", "127.9.9.9"}) {
    FetchRequest request = request_to("http://" + host + ":" + std::to_string(port()) + "/");
    request.trusted_origins = {request.url};
    EXPECT_EQ(fetched(request).body, "canary") << host;
  }
  EXPECT_EQ(hits(), 4);
}

TEST_F(AddressFormsTest, NoneOfTheFormsConnects) {
  EXPECT_GE(forms().size(), 80U);
  for (const std::string& form : forms()) {
    FetchRequest request = request_to(with_port(form, port()));
    request.deadline = in(std::chrono::seconds(2));
    const FetchResponse response = fetched(request);
    EXPECT_NE(response.end, FetchResponse::End::complete) << form;
    EXPECT_NE(response.error, "") << form;
    EXPECT_EQ(hits(), 0) << form;
  }
}

TEST_F(AddressFormsTest, NoneOfTheFormsConnectsThroughARedirect) {
  std::string location;
  LocalServer trusted(
      [&](Connection& connection, const std::string&) { connection.write(redirect_answer(302, location)); });
  for (const std::string& form : forms()) {
    location = with_port(form, port());
    FetchRequest request = request_to(trusted);
    request.deadline = in(std::chrono::seconds(2));
    EXPECT_NE(fetched(request).body, "canary") << form;
    EXPECT_EQ(hits(), 0) << form;
  }
}

TEST_F(AddressFormsTest, TrustIsForOneSpellingOfSchemeHostAndPort) {
  const std::string port_text = std::to_string(port());
  const std::vector<std::string> others = {"http://127.0.0.1",
                                           "https://127.0.0.1:" + port_text,
                                           "http://127.0.0.2:" + port_text,
                                           "http://localhost.:" + port_text,
                                           "127.0.0.1:" + port_text,
                                           "*",
                                           "",
                                           "http://",
                                           "http://127.0.0.1:" + port_text + "0"};
  for (const std::string& trusted : others) {
    FetchRequest request = request_to("http://127.0.0.1:" + port_text + "/");
    request.trusted_origins = {trusted};
    EXPECT_EQ(fetched(request).end, FetchResponse::End::refused) << trusted;
  }
  EXPECT_EQ(hits(), 0);
}

TEST_F(AddressFormsTest, SaysWhichAddressAndWhatToDo) {
  const FetchResponse response = fetched(request_to("http://0x7f.1:" + std::to_string(port()) + "/"));
  EXPECT_EQ(response.end, FetchResponse::End::refused);
  EXPECT_EQ(response.error,
            "http://127.0.0.1:" + std::to_string(port()) +
                " means 127.0.0.1, which is not an address of the public internet, so the request was "
                "refused. Whoever runs this server can allow it by naming exactly this origin in its "
                "tools file.");
}

}  // namespace
}  // namespace parley::orchestration::fetch
