#include "app/http/security_fields.h"

#include <gtest/gtest.h>

#include <string>

#include "app/http/response.h"

namespace parley::app::http {
namespace {

TEST(SecurityFieldsTest, EveryResponseHasThem) {
  const std::string head = write_head({}, {}, "127.0.0.1:8080");
  for (const char* field :
       {"X-Content-Type-Options: nosniff\r\n", "Referrer-Policy: no-referrer\r\n",
        "Cross-Origin-Opener-Policy: same-origin\r\n", "Cross-Origin-Resource-Policy: same-origin\r\n",
        "X-Frame-Options: DENY\r\n", "Permissions-Policy: camera=()"}) {
    EXPECT_NE(head.find(field), std::string::npos) << field;
  }
}

TEST(SecurityFieldsTest, ThePolicyAllowsOurOwnFilesAndSocketOnly) {
  const auto fields = security_fields("127.0.0.1:8080");
  EXPECT_EQ(fields.front().name, "Content-Security-Policy");
  EXPECT_EQ(
      fields.front().value,
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
      "manifest-src 'self'; connect-src 'self' ws://127.0.0.1:8080 wss://127.0.0.1:8080; worker-src 'self'; "
      "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'; "
      "require-trusted-types-for 'script'; trusted-types svelte-trusted-html dompurify parley");
}

TEST(SecurityFieldsTest, ThePolicyNamesNoSocketWithoutACheckedHost) {
  const std::string policy = security_fields("").front().value;
  EXPECT_NE(policy.find("connect-src 'self'; worker-src"), std::string::npos) << policy;
}

}  // namespace
}  // namespace parley::app::http
