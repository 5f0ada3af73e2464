// Certificates: what is refused, and in which words.
#include "orchestration/fetch/transfer_errors.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>

#include "tests/orchestration/fetch/fetch_helper.h"

namespace parley::orchestration::fetch {
namespace {

using Context = std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)>;

// A server's context with a certificate that it signed itself.
Context self_signed() {
  Context context(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
  EVP_PKEY* key = EVP_EC_gen("P-256");
  X509* certificate = X509_new();
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -60);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
  X509_set_pubkey(certificate, key);
  X509_NAME* name = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("localhost"),
                             -1, -1, 0);
  X509_set_issuer_name(certificate, name);
  X509_sign(certificate, key, EVP_sha256());
  SSL_CTX_use_certificate(context.get(), certificate);
  SSL_CTX_use_PrivateKey(context.get(), key);
  X509_free(certificate);
  EVP_PKEY_free(key);
  return context;
}

TEST(TransferErrorsTest, RefusesACertificateThatNobodyVouchesFor) {
  const Context context = self_signed();
  std::atomic<bool> shaken_hands = false;
  const LocalServer server(
      [&](Connection& connection) {
        SSL* tls = SSL_new(context.get());
        SSL_set_fd(tls, connection.handle());
        shaken_hands = SSL_accept(tls) == 1;
        SSL_free(tls);
      },
      {boost::asio::ip::make_address("127.0.0.1"), 0});
  FetchRequest request = request_to("https://localhost:" + std::to_string(server.port()) + "/");
  request.trusted_origins = {request.url};
  request.headers = {{"Authorization", "Bearer k"}};
  const FetchResponse response = fetched(request);
  EXPECT_EQ(response.end, FetchResponse::End::failed);
  EXPECT_NE(response.error.find("The certificate of https://localhost:"), std::string::npos)
      << response.error;
  EXPECT_NE(response.error.find("self-signed"), std::string::npos) << response.error;
  EXPECT_NE(response.error.find("add its certificate"), std::string::npos);
  EXPECT_FALSE(shaken_hands);
}

TEST(TransferErrorsTest, SaysThatAServerDoesNotSpeakTls) {
  const LocalServer server([](Connection& connection) { connection.write(http_answer("")); },
                           {boost::asio::ip::make_address("127.0.0.1"), 0});
  FetchRequest request = request_to("https://127.0.0.1:" + std::to_string(server.port()) + "/");
  request.trusted_origins = {request.url};
  const FetchResponse response = fetched(request);
  EXPECT_EQ(response.end, FetchResponse::End::failed);
  EXPECT_NE(response.error.find("No encrypted connection to https://127.0.0.1:"), std::string::npos)
      << response.error;
}

}  // namespace
}  // namespace parley::orchestration::fetch
