#include "mpi/session/mpi_session.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "fastpath/cpu/cpu_device.h"
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
    own.statement = std::exchange(statement_, {});
    own.when_session_ends = LeaveAtExit;
    for (const char* name : {"PLUMB_CLIENTS", "PLUMB_WIRE", "PLUMB_PROGRAM"}) {
      if (const std::string text = Setting(name); !text.empty()) own.statement.Add(name, text);
    }
    auto server = std::make_shared<Server>(OpenMpi(), own);
    server->AwaitOthers();  // where that fails, it leaves when all others do
    server_ = std::move(server);
    fast::FindCpuKernel("");  // the table without which nothing that others ask for runs
    LeaveAtExit();
    return server_;
  }
  std::shared_ptr<Server> Opened() {
    MutexLock lock(mutex_);
    if (server_ == nullptr) throw FailedPrecondition("this process has not joined a run: open a session first");
    return server_;
  }
  void State(Statement statement) {
    MutexLock lock(mutex_);
    if (server_ != nullptr) throw FailedPrecondition("what a program is, it states before its first session");
    statement_ = std::move(statement);
  }
  void Abandon(const Status& status) {
    MutexLock lock(mutex_);
    if (server_ != nullptr) server_->GiveUp(status);
  }
  static OwnServer& Instance() {
    static auto* const own = new OwnServer;  // until the process ends, after all that uses it
    return *own;
  }

 private:
  // When the process ends, it serves the others until they have left too. What is registered last is done first, and
  // tables that are made when they are first looked into go in their turn: so this comes again after whatever a session
  // has made, or what others ask for would be looked up in tables that are gone.
  static void LeaveAtExit() {
    on_exit([](int code, void*) { Instance().Leave(code); }, nullptr);
  }
  // The process ends with this code; with another one than 0 where the run has failed.
  void Leave(int code) {
    MutexLock lock(mutex_);
    if (std::exchange(has_left_, true)) return;
    if (code != 0) server_->GiveUp(Status(Code::kAborted, Str("its program ended with exit code ", code)));
    const Status run = server_->Leave();
    if (run.ok() || code != 0) return;
    std::fprintf(stderr, "rank %d has ended well, and the run has failed: %s\n", server_->rank(),
                 run.ToString().c_str());
    std::fflush(nullptr);
    std::_Exit(1);
  }

  Mutex mutex_;
  bool has_left_ PLUMB_GUARDED_BY(mutex_) = false;
  Statement statement_ PLUMB_GUARDED_BY(mutex_);
  std::shared_ptr<Server> server_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace

std::unique_ptr<Session> OpenMpiSession(const SessionOptions& options) {
  const std::shared_ptr<Server> server = OwnServer::Instance().Get(options);
  if (!server->has_clients()) {
    if (const Status run = server->Serve(); !run.ok()) throw Error(run);
    std::exit(0);
  }
  return NewDistributedSession(server, options);
}

void AbandonRun(const Status& status) { OwnServer::Instance().Abandon(status); }

void StateProgram(Statement statement) { OwnServer::Instance().State(std::move(statement)); }

Fellows FellowsOfThisProcess() {
  const std::shared_ptr<Server> server = OwnServer::Instance().Opened();
  Fellows fellows{server->rank()};
  for (int rank = 0; rank < server->cluster().size(); ++rank) {
    fellows.tasks.push_back(server->cluster().TaskName(rank));
    fellows.hosts.push_back(server->HostOf(rank));
  }
  return fellows;
}

Traffic TrafficOfThisProcess() { return OwnServer::Instance().Opened()->traffic(); }

void TellRank(int rank, const std::string& topic, std::string text) {
  OwnServer::Instance().Opened()->Tell(rank, topic, std::move(text));
}

std::map<int, std::string> ToldByRanks(const std::string& topic) { return OwnServer::Instance().Opened()->Told(topic); }

RankClock ClockOfRank(int rank) {
  const std::shared_ptr<Server> server = OwnServer::Instance().Opened();
  if (rank == server->rank()) return {};
  const ClockReading reading = server->master().ClockOf(rank);
  return {reading.ahead_ns, reading.error_ns};
}

}  // namespace plumb::dist
