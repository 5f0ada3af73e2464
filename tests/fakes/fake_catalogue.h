#pragma once
// Tools that a test sets, and tells of. I/O thread.

#include <cstdint>
#include <memory>

#include "orchestration/turn/tool_catalogue.h"
#include "orchestration/turn/wakeup.h"

namespace parley::tests::fakes {

class FakeCatalogue : public orchestration::turn::ToolCatalogue {
 public:
  explicit FakeCatalogue(const boost::asio::any_io_executor& executor) : changed_(executor) {}

  orchestration::turn::ToolSnapshot tools;
  std::shared_ptr<const orchestration::tools::RegistryState> state =
      std::make_shared<orchestration::tools::RegistryState>();

  void tell() {
    ++version_;
    changed_.notify();
  }

  orchestration::turn::ToolSnapshot snapshot() const override { return tools; }
  std::shared_ptr<const orchestration::tools::RegistryState> registry() const override { return state; }
  std::uint64_t version() const override { return version_; }
  boost::asio::awaitable<void> changed() override { return changed_.wait(); }

 private:
  std::uint64_t version_ = 1;
  orchestration::turn::Wakeup changed_;
};

}  // namespace parley::tests::fakes
