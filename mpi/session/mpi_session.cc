#include "mpi/session/mpi_session.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "mpi/session/distributed_session.h"
#include "mpi/transport/mpi.h"
#include "spec/core/thread_annotations.h"

namespace plumb::dist {
namespace {

std::string Setting(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Clients ClientsFrom(const std::string& text) {
  if (text.empty() || text == "workers") return Clients::kAllWorkers;
  Require(text == "first", "PLUMB_CLIENTS is '", text, "'; it is 'workers', or 'first' where one client serves all");
  return Clients::kFirstWorker;
}

fast::Wire WireFrom(const std::string& text) {
  if (text.empty() || text == "exact") return fast::Wire::kExact;
  if (text == "bfloat16") return fast::Wire::kTruncated;
  Require(text == "bfloat16-rounded", "PLUMB_WIRE is '", text, "'; it is 'exact', 'bfloat16' or 'bfloat16-rounded'");
  return fast::Wire::kRounded;
}

// Of this process, made with the first session. It leaves the cluster when the process ends, whoever still holds it.
class OwnServer {
 public:
  std::shared_ptr<Server> Get(const SessionOptions& options) {
    MutexLock lock(mutex_);
    if (server_ != nullptr) return server_;
    ServerOptions own;
    own.cluster = Setting("PLUMB_CLUSTER");
    own.clients = ClientsFrom(Setting("PLUMB_CLIENTS"));
    own.wire = WireFrom(Setting("PLUMB_WIRE"));
    own.threads = options.threads;
    own.cpus = std::max(1, options.cpu_devices);
    server_ = std::make_shared<Server>(OpenMpi(), own);
    server_->AwaitOthers();
    std::atexit([] { Instance().Leave(); });
    return server_;
  }
  static OwnServer& Instance() {
    static auto* const own = new OwnServer;  // until the process ends, after all that uses it
    return *own;
  }

 private:
  void Leave() {
    MutexLock lock(mutex_);
    server_->Leave();
  }

  Mutex mutex_;
  std::shared_ptr<Server> server_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace

std::unique_ptr<Session> OpenMpiSession(const SessionOptions& options) {
  const std::shared_ptr<Server> server = OwnServer::Instance().Get(options);
  if (!server->has_clients()) {
    server->Serve();
    std::exit(0);
  }
  return NewDistributedSession(server, options);
}

}  // namespace plumb::dist
