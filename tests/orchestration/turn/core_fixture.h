#pragma once
// The hub's inner parts without the hub: a core over a store that can fail and a scripted model.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include <boost/asio/thread_pool.hpp>

#include "orchestration/turn/hub_core.h"
#include "tests/fakes/scripted_chat_model.h"
#include "tests/orchestration/turn/failing_store.h"
#include "tests/orchestration/turn/io_driver.h"

namespace parley::orchestration::turn {

class CoreTest : public testing::Test {
 protected:
  CoreTest() : store_thread_(1), model_(io_.executor()) {
    options_.log = [this](const std::string& line) { logged_.push_back(line); };
    make_core();
  }
  ~CoreTest() override { store_thread_.join(); }

  // With the options as they are now.
  void make_core() {
    core_ = std::make_shared<HubCore>(store_, store_thread_, model_, io_.executor(), options_);
  }

  // A conversation that is made if it is not there.
  LivePtr open(const std::string& id) {
    sessions::Conversation conversation;
    conversation.id = id;
    store().create(conversation);
    return io_.run(HubCore::open(core_, id));
  }

  // While nothing of the core uses it.
  sessions::SessionStore& store() { return store_; }

  IoDriver io_;
  FailingStore store_;
  boost::asio::thread_pool store_thread_;
  fakes::ScriptedChatModel model_;
  HubOptions options_;
  std::vector<std::string> logged_;
  CorePtr core_;
};

}  // namespace parley::orchestration::turn
