// What tests of sections share: sessions with graphs and without, and what they launched.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "fastpath/gpu/emulator/emulator.h"
#include "fastpath/session/fast_session.h"
#include "spec/graph/function_testing.h"

namespace plumb::fast::section_testing {

using emulated_gpu::EmulatorLaunches;
using emulated_gpu::LaunchCounts;

inline constexpr int kSteps = 6;  // enough for a trial, a capture and more

inline NodeDef Fed(const std::string& name, DType type = DType::kFloat) {
  return MakeNode(name, "Placeholder", {}, {{"dtype", type}});
}
inline NodeDef Op(const std::string& op, const std::string& name, std::vector<std::string> inputs) {
  return MakeNode(name, op, std::move(inputs), FloatType());
}

inline std::unique_ptr<Session> Open(const GraphDef& graph, bool gpu_graphs) {
  auto session =
      NewFastSession({.threads = 2, .emulated_gpus = 1, .gpu_graphs = gpu_graphs, .allow_soft_placement = true});
  const Status status = session->Extend(graph);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return session;
}

struct Request {
  std::vector<Feed> feeds;
  std::vector<std::string> fetches, targets;
};

// The launches of one step, which ends well.
inline LaunchCounts LaunchesOf(Session& session, const Request& request, std::vector<Tensor>* outputs,
                               const RunOptions& options = {}) {
  const LaunchCounts before = EmulatorLaunches();
  const Status status = session.Run(options, request.feeds, request.fetches, request.targets, outputs, nullptr);
  EXPECT_TRUE(status.ok()) << status.ToString();
  const LaunchCounts after = EmulatorLaunches();
  return {after.kernels - before.kernels, after.graphs - before.graphs, after.copies - before.copies,
          after.fills - before.fills};
}

// The same request on sessions with graphs and without; how many graphs were launched.
class Both {
 public:
  explicit Both(const GraphDef& graph) : with_(Open(graph, true)), without_(Open(graph, false)) {}

  int64_t Run(const Request& request, const std::string& where) {
    std::vector<Tensor> got, wanted;
    const int64_t graphs = LaunchesOf(*with_, request, &got).graphs;
    EXPECT_EQ(LaunchesOf(*without_, request, &wanted).graphs, 0);
    EXPECT_EQ(got.size(), wanted.size()) << where;
    for (size_t i = 0; i < got.size() && i < wanted.size(); ++i) {
      EXPECT_TRUE(got[i].BitwiseEquals(wanted[i]))
          << where << ", " << request.fetches[i] << ": " << got[i].ToString() << ", not " << wanted[i].ToString();
    }
    return graphs;
  }
  Session& with() { return *with_; }

 private:
  const std::unique_ptr<Session> with_, without_;
};

inline Tensor Numbers(const Shape& shape, uint32_t seed) {
  Tensor tensor(DType::kFloat, shape);
  std::mt19937 random(seed);
  for (float& number : tensor.mutable_data<float>()) number = static_cast<float>(random() % 2000) / 1000 - 1;
  return tensor;
}

}  // namespace plumb::fast::section_testing
