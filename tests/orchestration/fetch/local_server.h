#pragma once
// An HTTP server of the test itself: gives each request to a function that writes whatever bytes it wants,
// and counts who connected. One thread per connection; the destructor cuts what is still open.

#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

namespace parley::orchestration::fetch {

class Connection {
 public:
  explicit Connection(boost::asio::ip::tcp::socket socket) : socket_(std::move(socket)) {}

  // False when the peer is gone.
  bool write(std::string_view bytes) {
    boost::system::error_code error;
    boost::asio::write(socket_, boost::asio::buffer(bytes.data(), bytes.size()), error);
    return !error;
  }
  // The head of a request and its body by Content-Length; empty when the peer is gone.
  std::string read_request() {
    std::string request;
    std::size_t expected = std::string::npos;
    while (request.size() < expected) {
      char bytes[4096];
      boost::system::error_code error;
      const std::size_t size = socket_.read_some(boost::asio::buffer(bytes), error);
      if (error) return {};
      request.append(bytes, size);
      if (expected == std::string::npos) expected = whole_size(request);
    }
    return request;
  }
  void cut() { ::shutdown(socket_.native_handle(), SHUT_RDWR); }
  int handle() { return socket_.native_handle(); }

 private:
  static std::size_t whole_size(const std::string& request) {
    const std::size_t end = request.find("\r\n\r\n");
    if (end == std::string::npos) return end;
    const std::size_t length = request.find("Content-Length: ");
    return end + 4 + (length < end ? std::stoul(request.substr(length + 16)) : 0);
  }
  boost::asio::ip::tcp::socket socket_;
};

class LocalServer {
 public:
  using Answer = std::function<void(Connection&, const std::string& request)>;
  using Serve = std::function<void(Connection&)>;

  explicit LocalServer(Answer answer, const std::string& address = "127.0.0.1")
      : LocalServer([this, answer = std::move(answer)](Connection& connection) { take(connection, answer); },
                    boost::asio::ip::tcp::endpoint(boost::asio::ip::make_address(address), 0)) {}
  LocalServer(Serve serve, const boost::asio::ip::tcp::endpoint& endpoint)
      : serve_(std::move(serve)), acceptor_(context_, endpoint), accepting_([this] { accept(); }) {}
  ~LocalServer() {
    ending_ = true;
    ::shutdown(acceptor_.native_handle(), SHUT_RDWR);  // wakes accept
    accepting_.join();
    for (auto& connection : connections_) connection.cut();
    for (auto& thread : threads_) thread.join();
  }
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;

  int port() const { return acceptor_.local_endpoint().port(); }
  std::string origin() const { return "http://127.0.0.1:" + std::to_string(port()); }
  int hits() const { return hits_; }
  std::vector<std::string> requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  void accept() {
    while (!ending_) {
      boost::system::error_code error;
      boost::asio::ip::tcp::socket socket(context_);
      acceptor_.accept(socket, error);
      if (error) continue;
      ++hits_;
      Connection& connection = connections_.emplace_back(std::move(socket));
      threads_.emplace_back([this, &connection] {
        serve_(connection);
        connection.cut();
      });
    }
  }
  void take(Connection& connection, const Answer& answer) {
    const std::string request = connection.read_request();
    if (request.empty()) return;
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
    }
    answer(connection, request);
  }

  Serve serve_;
  std::mutex mutex_;
  std::vector<std::string> requests_;
  std::atomic<int> hits_ = 0;
  std::atomic<bool> ending_ = false;
  boost::asio::io_context context_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::list<Connection> connections_;
  std::vector<std::thread> threads_;
  std::thread accepting_;
};

// A whole answer with its length.
inline std::string http_answer(std::string_view body, std::string_view headers = {},
                               std::string_view status = "200 OK") {
  return "HTTP/1.1 " + std::string(status) + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         std::string(headers) + "\r\n" + std::string(body);
}

inline std::string redirect_answer(int status, const std::string& location) {
  return http_answer("moved", "Location: " + location + "\r\n", std::to_string(status) + " Moved");
}

inline std::string path_of(const std::string& request) {
  const std::size_t begin = request.find(' ') + 1;
  return request.substr(begin, request.find(' ', begin) - begin);
}

}  // namespace parley::orchestration::fetch
