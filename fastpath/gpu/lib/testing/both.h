// One op on an emulated GPU and on the CPU, for tests of sizes that conformance does not draw.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "fastpath/session/fast_session.h"
#include "spec/graph/function_testing.h"

namespace plumb::fast {

struct Question {
  std::string op;
  std::vector<Tensor> inputs;
  AttrMap attrs;
  int outputs = 1;
};

// Adds the node and a placeholder for each of its inputs; the feeds, and the names of its outputs.
inline std::pair<std::vector<Feed>, std::vector<std::string>> Ask(const Question& question, GraphDef& graph) {
  std::vector<std::string> names, fetches;
  std::vector<Feed> feeds;
  for (const Tensor& input : question.inputs) {
    names.push_back("input" + std::to_string(names.size()));
    graph.nodes.push_back(MakeNode(names.back(), "Placeholder", {}, {{"dtype", input.dtype()}}));
    feeds.emplace_back(names.back(), input);
  }
  graph.nodes.push_back(MakeNode("asked", question.op, names, question.attrs));
  for (int i = 0; i < question.outputs; ++i) fetches.push_back("asked:" + std::to_string(i));
  return {feeds, fetches};
}

// The outputs of a node of this op. On a GPU, expects that the node ran there.
inline std::vector<Tensor> AnswersTo(const Question& question, bool on_gpu) {
  GraphDef graph;
  const auto [feeds, fetches] = Ask(question, graph);
  const auto session = NewFastSession({.threads = 1, .emulated_gpus = on_gpu ? 1 : 0, .allow_soft_placement = true});
  Status status = session->Extend(graph);
  std::vector<Tensor> outputs;
  RunMetadata metadata;
  RunOptions options;
  options.trace = true;
  if (status.ok()) status = session->Run(options, feeds, fetches, {}, &outputs, &metadata);
  EXPECT_TRUE(status.ok()) << status.ToString();
  bool ran_there = !on_gpu;
  for (const DeviceStats& device : metadata.step_stats) {
    if (device.device.find("GPU:0") == std::string::npos) continue;
    for (const NodeStats& node : device.nodes) ran_there = ran_there || node.node == "asked";
  }
  EXPECT_TRUE(ran_there) << question.op << " did not run on the GPU";
  return outputs;
}

// How a step on a GPU ends; what is refused by values there, no kernel can throw.
inline Status StatusOf(const Question& question) {
  GraphDef graph;
  const auto [feeds, fetches] = Ask(question, graph);
  graph.nodes.back().device = "/device:GPU:0";
  const auto session = NewFastSession({.threads = 1, .emulated_gpus = 1, .allow_soft_placement = true});
  Status status = session->Extend(graph);
  std::vector<Tensor> outputs;
  if (status.ok()) status = session->Run(feeds, fetches, {}, &outputs);
  return status;
}

// For values that are computed without rounding, so that every order of steps has one result.
inline void ExpectSameOnBoth(const Question& question) {
  const std::vector<Tensor> wanted = AnswersTo(question, false), got = AnswersTo(question, true);
  ASSERT_EQ(wanted.size(), got.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ(wanted[i].shape(), got[i].shape()) << question.op;
    EXPECT_TRUE(wanted[i].BitwiseEquals(got[i]))
        << question.op << ", output " << i << ", of " << question.inputs[0].shape().ToString();
  }
}

template <class T>
Tensor VectorOf(const std::vector<T>& values) {
  return MakeTensor<T>({static_cast<int64_t>(values.size())}, std::span<const T>(values));
}

// Whole numbers from 0 to `most`, in no obvious order.
inline Tensor Digits(const Shape& shape, int64_t most = 9) {
  Tensor x(DType::kFloat, shape);
  int64_t i = 0;
  for (float& value : x.mutable_data<float>()) {
    value = static_cast<float>((i * 7919 + i / 13) % (most + 1));
    ++i;
  }
  return x;
}

}  // namespace plumb::fast
