#include "app/http/send_progress.h"

#include <linux/tcp.h>  // the C library's tcp_info ends before the counters; the two headers exclude each other
#include <netinet/in.h>
#include <sys/socket.h>

namespace parley::app::http {

SendProgress send_progress(int socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return {};
  SendProgress progress;
  progress.bytes_taken = info.tcpi_bytes_acked;
  progress.all_taken = info.tcpi_notsent_bytes == 0 && info.tcpi_unacked == 0;
  return progress;
}

}  // namespace parley::app::http
