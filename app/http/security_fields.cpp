#include "app/http/security_fields.h"

#include <string>

namespace parley::app::http {
namespace {

// Svelte makes the policy svelte-trusted-html, DOMPurify dompurify, and `parley` addresses of our own workers
// only.
constexpr std::string_view kPolicyEnd =
    "; worker-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'; "
    "require-trusted-types-for 'script'; trusted-types svelte-trusted-html dompurify parley";

std::string content_policy(std::string_view host) {
  std::string policy =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
      "manifest-src 'self'; connect-src 'self'";
  // 'self' covers WebSockets in newer browsers only.
  if (!host.empty()) {
    policy += " ws://";
    policy += host;
    policy += " wss://";
    policy += host;
  }
  policy += kPolicyEnd;
  return policy;
}

}  // namespace

std::vector<Field> security_fields(std::string_view host) {
  return {
      {"Content-Security-Policy", content_policy(host)},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"X-Frame-Options", "DENY"},
      {"Permissions-Policy",
       "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"},
  };
}

}  // namespace parley::app::http
