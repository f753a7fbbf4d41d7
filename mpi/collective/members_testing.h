// What tests of members on different ranks share: graphs with one member, and clients that step at once.
#pragma once

#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "fastpath/testing/test_graph.h"
#include "mpi/session/cluster_testing.h"

namespace plumb::dist {

inline AttrMap Group(int64_t size, DType type = DType::kFloat) {
  return {{"T", type}, {"group_size", size}, {"group_key", int64_t{1}}, {"instance_key", int64_t{7}}};
}
inline AttrMap Reduce(int64_t size, DType type = DType::kFloat, const std::string& final_op = "Id") {
  AttrMap attrs = Group(size, type);
  attrs["merge_op"] = std::string("Add");
  attrs["final_op"] = final_op;
  attrs["subdiv_offsets"] = std::vector<int64_t>{};
  return attrs;
}
inline AttrMap OfShape(AttrMap attrs, const PartialShape& shape) {
  attrs["shape"] = shape;
  return attrs;
}

// "x" is fed, "m" is the member, on the rank's own device or the one asked for.
inline GraphDef Member(const std::string& op, const AttrMap& attrs, const std::string& device = "") {
  fast::TestGraph graph;
  const DType type = GetAttr<DType>(attrs, "T");
  graph.Placeholder("x", type);
  const bool receives = op == "CollectiveBcastRecv";
  graph.Add("m", op, receives ? std::vector<std::string>{} : std::vector<std::string>{"x"}, attrs, device);
  return graph.def();
}

inline Tensor Random(int64_t elements, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> any(-1, 1);
  std::vector<float> values(static_cast<size_t>(elements));
  for (float& value : values) value = any(random);
  return MakeTensor<float>({elements}, std::span<const float>(values));
}

struct Outcome {
  Status status;
  Tensor value;
};
inline Outcome Step(Session& session, const Tensor& x, int64_t timeout_ms = 30'000, const std::string& fetch = "m") {
  std::vector<Tensor> outputs;
  const Status status = session.Run({.timeout_ms = timeout_ms}, std::vector<Feed>{{"x", x}},
                                    std::vector<std::string>{fetch}, {}, &outputs, nullptr);
  return {status, status.ok() ? outputs[0] : Tensor()};
}

// Each rank is a client of its own, with a graph of its own: runs `body(rank, session)` on each at once.
template <class Body>
void OnEachRank(TestCluster& cluster, int ranks, const Body& body) {
  std::vector<std::thread> clients;
  for (int rank = 0; rank < ranks; ++rank) {
    clients.emplace_back([&, rank] {
      const auto session = cluster.Open(rank);
      body(rank, *session);
    });
  }
  for (std::thread& client : clients) client.join();
}

}  // namespace plumb::dist
