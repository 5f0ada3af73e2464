#include "app/http/upgrade_check.h"

#include <gtest/gtest.h>

namespace parley::app::http {
namespace {

RequestHead handshake() {
  RequestHead head;
  head.method = "GET";
  head.fields = {{"Upgrade", "WebSocket"},
                 {"Connection", "keep-alive, Upgrade"},
                 {"Sec-WebSocket-Version", "13"},
                 {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}};
  return head;
}

int status_without(std::size_t index) {
  RequestHead head = handshake();
  head.fields.erase(head.fields.begin() + static_cast<std::ptrdiff_t>(index));
  return check_upgrade(head)->status;
}

TEST(UpgradeCheckTest, TakesABrowsersHandshake) { EXPECT_FALSE(check_upgrade(handshake())); }

TEST(UpgradeCheckTest, SaysWhatIsMissing) {
  EXPECT_EQ(status_without(0), 426);
  EXPECT_EQ(status_without(1), 426);
  EXPECT_EQ(status_without(2), 426);
  EXPECT_EQ(status_without(3), 400);
  RequestHead old = handshake();
  old.fields[2].value = "8";
  EXPECT_EQ(check_upgrade(old)->fields.front().value, "13");
  old = handshake();
  old.http_1_0 = true;
  EXPECT_EQ(check_upgrade(old)->status, 426);
}

TEST(UpgradeCheckTest, RefusesKeysOfAnotherForm) {
  for (const char* key : {"", "dGhlIHNhbXBsZSBub25jZQ=", "dGhlIHNhbXBsZSBub25jZQ===",
                          "dGhlIHNhbXBsZSBub25jZ!==", "aaaaaaaaaaaaaaaaaaaaaaaa"}) {
    RequestHead head = handshake();
    head.fields[3].value = key;
    EXPECT_EQ(check_upgrade(head)->status, 400) << key;
  }
}

}  // namespace
}  // namespace parley::app::http
