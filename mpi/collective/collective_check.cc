// Under mpirun: every rank sums tensors with all others, small and large, by every way that there is. Ends with 0 where
// every sum has the bits of the members' order; the first rank prints how long a step takes. Argument: the elements of
// the largest tensor.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "mpi/session/mpi_session.h"
#include "spec/graph/graph_def.h"

namespace plumb::dist {
namespace {

int Given(const char* name, int otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

constexpr const char* kWays[] = {"auto", "ring", "tree", "shared"};

// A node for each way, of that name.
GraphDef Sums(int ranks) {
  GraphDef graph = {{{"x", "Placeholder", {}, "", {{"dtype", DType::kFloat}}, ""}}, {kGraphVersion, 0, {}}, ""};
  int64_t instance = 0;
  for (const char* way : kWays) {
    const AttrMap member = {{"T", DType::kFloat},
                            {"group_size", int64_t{ranks}},
                            {"group_key", int64_t{1}},
                            {"instance_key", ++instance},
                            {"merge_op", std::string("Add")},
                            {"final_op", std::string("Id")},
                            {"subdiv_offsets", std::vector<int64_t>{}},
                            {"communication_hint", std::string(way)}};
    graph.nodes.push_back({way, "CollectiveReduce", {"x"}, "", member, ""});
  }
  return graph;
}

Tensor Input(int64_t elements, int rank) {
  std::mt19937 random(static_cast<uint32_t>(rank));
  Tensor tensor(DType::kFloat, Shape{elements});
  for (float& number : tensor.mutable_data<float>()) number = static_cast<float>(random()) / 1e6F;
  return tensor;
}

// Whether the sums are right; `elements` of each of the ranks.
bool IsSummed(Session& session, const char* way, int64_t elements, int rank, int ranks) {
  const Tensor own = Input(elements, rank);
  const std::vector<Feed> feeds = {{"x", own}};
  const std::vector<std::string> fetches = {way};
  std::vector<Tensor> outputs;
  double fastest = 1e9;
  for (int step = 0; step < 10; ++step) {
    outputs.clear();
    const auto start = std::chrono::steady_clock::now();
    const Status status = session.Run({.timeout_ms = 60'000}, feeds, fetches, {}, &outputs, nullptr);
    if (!status.ok()) throw Error(status);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    fastest = std::min(fastest, taken.count());
  }
  Tensor expected = Input(elements, 0);
  for (int other = 1; other < ranks; ++other) {
    const Tensor input = Input(elements, other);
    for (int64_t i = 0; i < elements; ++i) expected.mutable_data<float>()[i] += input.data<float>()[i];
  }
  if (rank == 0) {
    std::printf("%lld floats over %d ranks, %s: %.3f ms\n", static_cast<long long>(elements), ranks, way, fastest);
  }
  return outputs[0].BitwiseEquals(expected);
}

int Check(int64_t largest) {
  const int rank = Given("OMPI_COMM_WORLD_RANK", 0), ranks = Given("OMPI_COMM_WORLD_SIZE", 1);
  const auto session = OpenMpiSession({});
  const Status loaded = session->Extend(Sums(ranks));
  if (!loaded.ok()) throw Error(loaded);
  for (const int64_t elements : {int64_t{1}, int64_t{8192}, int64_t{8193}, largest}) {
    for (const char* way : kWays) {
      if (IsSummed(*session, way, elements, rank, ranks)) continue;
      std::fprintf(stderr, "rank %d: the sum of %lld floats is wrong (%s)\n", rank, static_cast<long long>(elements),
                   way);
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace plumb::dist

int main(int argc, char** argv) {
  try {
    return plumb::dist::Check(argc > 1 ? std::atoll(argv[1]) : 1'000'000);
  } catch (const plumb::Error& error) {
    std::fprintf(stderr, "%s\n", error.status().ToString().c_str());
    return 1;
  }
}
