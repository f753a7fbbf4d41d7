#include "tools/simulate_costs.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <thread>
#include <vector>

#include "backends/backends.h"
#include "client/program.h"
#include "client/variable.h"
#include "mpi/session/distributed_session.h"
#include "mpi/transport/loopback.h"

namespace plumb::tools {
namespace {

constexpr int64_t kUnits = 512, kRows = 32;

double CpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Of one call, in the best of five rounds of about a fifth of a second.
double CostOf(const std::function<void()>& call) {
  for (int i = 0; i < 5; ++i) call();
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    const double begun = CpuSeconds();
    double spent = 0;
    int calls = 0;
    for (; spent < 0.2; spent = CpuSeconds() - begun, ++calls) call();
    best = std::min(best, spent / calls);
  }
  return best;
}

// Both ends of a TCP connection within this process.
class Connection {
 public:
  Connection() {
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    ends_[0] = socket(AF_INET, SOCK_STREAM, 0);
    const bool is_open = bind(listener, any, size) == 0 && listen(listener, 1) == 0 &&
                         getsockname(listener, any, &size) == 0 && connect(ends_[0], any, size) == 0;
    ends_[1] = is_open ? accept(listener, nullptr, nullptr) : -1;
    close(listener);
    if (ends_[1] < 0) throw Error(Code::kUnavailable, "this machine lets nobody connect to 127.0.0.1");
    const int at_once = 1;
    setsockopt(ends_[0], IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof(at_once));
  }
  ~Connection() {
    for (const int end : ends_) close(end);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void Move(std::vector<char>& bytes) {
    if (send(ends_[0], bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return Fail();
    for (size_t there = 0; there < bytes.size();) {
      const ssize_t came = recv(ends_[1], bytes.data() + there, bytes.size() - there, 0);
      if (came <= 0) return Fail();
      there += static_cast<size_t>(came);
    }
  }

 private:
  [[noreturn]] static void Fail() { throw Error(Code::kUnavailable, "a connection to 127.0.0.1 broke"); }
  int ends_[2];
};

double CostOfMoving(size_t size) {
  Connection connection;
  std::vector<char> bytes(size);
  return CostOf([&] { connection.Move(bytes); });
}

// A step that fetches a number of each server, over ranks that are threads of this process.
double CostOfNullStep(int servers) {
  std::vector<std::shared_ptr<dist::Server>> ranks;
  dist::ServerOptions options;
  options.cluster = Str("ps=", servers, ",worker=1");
  options.threads = 2;
  for (auto& end : dist::NewLoopback(servers + 1)) {
    ranks.push_back(std::make_shared<dist::Server>(std::move(end), options));
  }
  for (const auto& rank : ranks) rank->AwaitOthers();
  double cost = 0;
  {
    Scope scope;
    std::vector<Output> fetches;
    for (int server = 0; server < servers; ++server) {
      const std::string device = Str("/job:ps/task:", server);
      const Variable variable = MakeVariable(scope, Constant(scope, 1.0F), {.device = device});
      const auto there = scope.On(device);
      fetches.push_back(scope.Call("Neg", {variable.value()}));
    }
    const NodeId init = InitializeAll(scope);
    Program program(scope, dist::NewDistributedSession(ranks.back(), {}));
    program.Run(init);
    cost = CostOf([&] { program.Fetch(fetches); });
  }
  std::vector<std::thread> leaving;
  for (auto& rank : ranks) leaving.emplace_back([&rank] { rank.reset(); });
  for (std::thread& thread : leaving) thread.join();
  return cost;
}

Variable Numbers(Scope& scope, std::vector<int32_t> dims) {
  Tensor shape(DType::kInt32, Shape{static_cast<int64_t>(dims.size())});
  std::copy(dims.begin(), dims.end(), shape.mutable_data<int32_t>().begin());
  return MakeVariable(scope, scope.Call("Fill", {Constant(scope, shape), Constant(scope, 0.5F)}));
}

// Of what `build` makes, in a step on one thread.
double CostOfNode(const std::function<NodeId(Scope& scope)>& build) {
  Scope scope;
  const NodeId node = build(scope);
  const NodeId init = InitializeAll(scope);
  Program program(scope, OpenSession("cpu", {.threads = 1}));
  program.Run(init);
  return CostOf([&] { program.Run(node); });
}

double CostOfProduct() {
  return CostOfNode([](Scope& scope) {
    const int32_t units = kUnits;
    const Variable a = Numbers(scope, {units, units}), b = Numbers(scope, {units, units});
    return scope.Add("MatMul", {a.value(), b.value()}, {}, "product");
  });
}

double CostOfUpdate(int32_t floats) {
  return CostOfNode([&](Scope& scope) {
    const Variable v = Numbers(scope, {floats}), gradient = Numbers(scope, {floats});
    return scope.Add("ApplyGradientDescent", {v.ref(), Constant(scope, 0.5F), gradient.value()}, {}, "update");
  });
}

}  // namespace

double SecondsForRow(int megabytes) {
  const auto rows = static_cast<int32_t>(int64_t{megabytes} * 1'000'000 / (4 * kUnits));
  const double with = CostOfNode([&](Scope& scope) {
    const Variable table = Numbers(scope, {rows, static_cast<int32_t>(kUnits)});
    Tensor named(DType::kInt32, Shape{kRows});
    for (int64_t i = 0; i < kRows; ++i) {
      named.mutable_data<int32_t>()[i] = static_cast<int32_t>((i * 2'654'435'761) % rows);
    }
    return scope.Add("Gather", {table.value(), Constant(scope, named)}, {}, "rows");
  });
  return with / kRows;
}

dist::Costs MeasureCosts() {
  constexpr size_t kSmall = 64, kLarge = 60'000;
  constexpr int kServers = 9;
  constexpr int32_t kUpdated = 1'000'000;
  dist::Costs costs;
  const double small = CostOfMoving(kSmall), large = CostOfMoving(kLarge);
  costs.message = small / 2;  // both ends were ours
  costs.byte = (large - small) / (kLarge - kSmall) / 2;
  costs.part = (CostOfNullStep(kServers) - CostOfNullStep(1)) / (kServers - 1) / 2;
  costs.row = SecondsForRow(256);
  costs.update_byte = CostOfUpdate(kUpdated) / (4.0 * kUpdated);
  costs.flop = CostOfProduct() / (2.0 * kUnits * kUnits * kUnits);
  return costs;
}

}  // namespace plumb::tools
