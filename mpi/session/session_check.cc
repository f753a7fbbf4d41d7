// Under mpirun, with PLUMB_CLUSTER=ps=1,worker=N: workers add to a variable of the parameter server, each as a client
// of its own. Ends with 0 where every worker saw what all of them have added, and large values came and went without a
// copy by the wires.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "mpi/session/mpi_session.h"
#include "spec/graph/graph_def.h"

namespace plumb::dist {
namespace {

constexpr int kSteps = 200, kLargeSteps = 5;
constexpr int64_t kLarge = 1 << 20;  // elements

GraphDef Updates() {
  const std::string server = "/job:ps/task:0";
  const AttrMap type = {{"T", DType::kFloat}}, dtype = {{"dtype", DType::kFloat}};
  const Tensor zero = MakeVector<float>({0, 0});
  return {{{"total", "VariableV2", {}, server, {{"shape", PartialShape({2})}, {"dtype", DType::kFloat}}, ""},
           {"zero", "Const", {}, "", {{"value", zero}, {"dtype", DType::kFloat}}, ""},
           {"set", "Assign", {"total", "zero"}, "", type, ""},
           {"x", "Placeholder", {}, "", dtype, ""},
           {"square", "Mul", {"x", "x"}, "", type, ""},
           {"add", "AssignAdd", {"total", "square"}, "", {{"T", DType::kFloat}, {"use_locking", true}}, ""},
           {"value", "Identity", {"total"}, server, type, ""},
           {"is_set", "IsVariableInitialized", {"total"}, server, dtype, ""},
           {"large", "Placeholder", {}, "", dtype, ""},
           {"large_square", "Mul", {"large", "large"}, "", type, ""},
           {"large_there", "Neg", {"large_square"}, server, type, ""},
           {"large_here", "Neg", {"large_there"}, "", type, ""}},
          {kGraphVersion, 0, {}},
          ""};
}

std::vector<Tensor> Run(Session& session, const std::vector<Feed>& feeds, const std::vector<std::string>& fetches) {
  std::vector<Tensor> outputs;
  const Status status = session.Run({.timeout_ms = 30'000}, feeds, fetches, {}, &outputs, nullptr);
  if (!status.ok()) throw Error(status);
  return outputs;
}

int Given(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? 1 : std::atoi(value);
}

// Each way once in a step.
void CheckLargeValues(Session& session) {
  Tensor large(DType::kFloat, Shape({kLarge}));
  std::ranges::fill(large.mutable_data<float>(), 3.0F);
  const int64_t before = TrafficOfThisProcess().payload_bytes_sent;
  for (int step = 0; step < kLargeSteps; ++step) {
    const Tensor here = Run(session, {{"large", large}}, {"large_here"})[0];
    for (const float value : here.data<float>()) Require(value == 9, "a large value came back as ", value);
  }
  const Traffic traffic = TrafficOfThisProcess();
  const int64_t sent = traffic.payload_bytes_sent - before, expected = kLargeSteps * large.bytes();
  Require(sent >= expected, sent, " bytes were sent, less than ", expected);
  Require(traffic.largest_copy <= int64_t{kLargestCopy}, "the wires copied a payload of ", traffic.largest_copy,
          " bytes");
}

int Check() {
  const bool is_chief = Given("OMPI_COMM_WORLD_RANK") == 1;
  const int expected = kSteps * (Given("OMPI_COMM_WORLD_SIZE") - 1);
  const auto session = OpenMpiSession({});
  const Status loaded = session->Extend(Updates());
  if (!loaded.ok()) throw Error(loaded);
  if (is_chief) Run(*session, {}, {"set"});
  while (!Run(*session, {}, {"is_set"})[0].scalar<bool>()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const std::vector<Feed> feeds = {{"x", MakeVector<float>({1, 2})}};
  const auto start = std::chrono::steady_clock::now();
  for (int step = 0; step < kSteps; ++step) Run(*session, feeds, {"add"});
  const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - start;
  float total = 0;
  for (int wait = 0; wait < 2000 && total < expected; ++wait) {
    total = Run(*session, {}, {"value"})[0].data<float>()[0];
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  CheckLargeValues(*session);
  std::printf("total %.0f of %d, %.1f us per step\n", total, expected, taken.count() / kSteps);
  return total == expected ? 0 : 1;
}

}  // namespace
}  // namespace plumb::dist

int main() {
  try {
    return plumb::dist::Check();
  } catch (const plumb::Error& error) {
    std::fprintf(stderr, "%s\n", error.status().ToString().c_str());
    return 1;
  }
}
