#include "orchestration/calls/call_ids.h"

namespace parley::orchestration::calls {
namespace {

// Five digits to base 36.
std::string five_digits(std::size_t count) {
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::string text(5, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit) {
    *digit = kDigits[count % kDigits.size()];
    count /= kDigits.size();
  }
  return text;
}

}  // namespace

std::string make_call_id(IdRule rule, std::string_view tool, std::size_t count) {
  switch (rule) {
    case IdRule::nine_alphanumerics:
      return "call" + five_digits(count);
    case IdRule::functions_and_count:
      return "functions." + std::string(tool) + ":" + std::to_string(count);
    case IdRule::count:
      return std::to_string(count);
    default:
      return "call_" + std::to_string(count);
  }
}

}  // namespace parley::orchestration::calls
