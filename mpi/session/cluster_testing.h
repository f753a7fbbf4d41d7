// Clusters for tests: ranks as threads of one process.
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "mpi/session/distributed_session.h"
#include "mpi/transport/loopback.h"

namespace plumb::dist {

class TestCluster {
 public:
  TestCluster(int ranks, const std::string& cluster, int threads = 2, int cpus = 1)
      : TestCluster(ranks, ServerOptions{cluster, threads, cpus}) {}
  TestCluster(int ranks, const ServerOptions& options, bool shares_memory = false) {
    for (auto& transport : NewLoopback(ranks, shares_memory)) {
      ends_.push_back(transport.get());
      servers_.push_back(std::make_shared<Server>(std::move(transport), options));
    }
    for (const auto& server : servers_) server->AwaitOthers();
  }
  // A server waits for the others when it leaves.
  ~TestCluster() {
    std::vector<std::thread> leaving;
    for (auto& server : servers_) leaving.emplace_back([&server] { server.reset(); });
    for (std::thread& thread : leaving) thread.join();
  }

  std::unique_ptr<Session> Open(int rank, const SessionOptions& options = {}) {
    return NewDistributedSession(servers_[rank], options);
  }
  Server& server(int rank) { return *servers_[rank]; }
  // Of values, sent by all ranks since they were made.
  int64_t payload_bytes() const {
    int64_t bytes = 0;
    for (const Transport* end : ends_) bytes += end->traffic().payload_bytes_sent;
    return bytes;
  }
  // The rank ends without a word, and hears of nobody any more.
  void Crash(int rank) {
    dist::Crash(*ends_[rank]);
    Receiver& crashed = *servers_[rank];
    for (size_t other = 0; other < ends_.size(); ++other) {
      if (static_cast<int>(other) == rank) continue;
      crashed.Lost(static_cast<int>(other), Status(Code::kUnavailable, "this rank has crashed"));
    }
  }

 private:
  std::vector<Transport*> ends_;
  std::vector<std::shared_ptr<Server>> servers_;
};

}  // namespace plumb::dist
