#pragma once
// The catalogue of a server whose tools are off: tells why, and never changes. I/O thread; never fails.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "orchestration/turn/tool_catalogue.h"
#include "orchestration/turn/wakeup.h"

namespace parley::app::cli {

class ToolsOff : public orchestration::turn::ToolCatalogue {
 public:
  ToolsOff(std::string why, const boost::asio::any_io_executor& executor) : never_(executor) {
    snapshot_.off = std::move(why);
  }

  orchestration::turn::ToolSnapshot snapshot() const override { return snapshot_; }
  std::shared_ptr<const orchestration::tools::RegistryState> registry() const override { return none_; }
  std::uint64_t version() const override { return 0; }
  boost::asio::awaitable<void> changed() override { return never_.wait(); }

 private:
  orchestration::turn::ToolSnapshot snapshot_;
  const std::shared_ptr<const orchestration::tools::RegistryState> none_ =
      std::make_shared<orchestration::tools::RegistryState>();
  orchestration::turn::Wakeup never_;
};

}  // namespace parley::app::cli
