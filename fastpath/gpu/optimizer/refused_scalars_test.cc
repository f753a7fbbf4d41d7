// What says of an update's numbers that they cannot be is found on the card, and named as on the host.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fastpath/session/fast_session.h"
#include "spec/graph/function_testing.h"

namespace plumb::fast {
namespace {

constexpr DType kFloat = DType::kFloat;

// The session has as many variables as `slots`, v0 and so on, of three rows.
Status StatusOfUpdate(const std::string& op, int slots, const std::vector<std::pair<std::string, float>>& scalars,
                      bool scalars_come_last) {
  GraphDef graph;
  graph.nodes = {MakeConst("first", MakeTensor<float>({3, 1}, {1, 2, 3})), MakeConst("rows", MakeVector<int32_t>({1})),
                 MakeConst("slopes", MakeTensor<float>({1, 1}, {1}))};
  std::vector<std::string> inputs, given, initial, none;
  for (int i = 0; i < slots; ++i) {
    const std::string v = "v" + std::to_string(i);
    graph.nodes.push_back(
        MakeNode(v, "VarHandleOp", {}, {{"dtype", kFloat}, {"shape", PartialShape({3, 1})}, {"shared_name", v}}));
    graph.nodes.push_back(MakeNode(v + "_set", "AssignVariableOp", {v, "first"}, {{"dtype", kFloat}}));
    initial.push_back(v + "_set");
    inputs.push_back(v);
  }
  for (const auto& [name, number] : scalars) {
    graph.nodes.push_back(MakeConst(name, MakeScalar(number)));
    given.push_back(name);
  }
  if (!scalars_come_last) inputs.insert(inputs.end(), given.begin(), given.end());
  inputs.insert(inputs.end(), {"slopes", "rows"});
  if (scalars_come_last) inputs.insert(inputs.end(), given.begin(), given.end());
  graph.nodes.push_back(MakeNode("update", op, inputs, {{"T", kFloat}, {"Tindices", DType::kInt32}}));
  const auto session = NewFastSession({.threads = 1, .emulated_gpus = 1, .allow_soft_placement = true});
  EXPECT_TRUE(session->Extend(graph).ok());
  std::vector<Tensor> outputs;
  EXPECT_TRUE(session->Run({}, {}, initial, &outputs).ok());
  const std::vector<std::string> update = {"update"};
  return session->Run({}, {}, update, &outputs);
}

void ExpectRefused(const Status& status, const std::string& words) {
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_NE(status.message().find(words), std::string::npos) << status.ToString();
}

TEST(GpuRefusedScalars, AreNamed) {
  const auto proximal = [](float lr, float l1, float l2) {
    return StatusOfUpdate("ResourceSparseApplyProximalAdagrad", 2, {{"lr", lr}, {"l1", l1}, {"l2", l2}}, false);
  };
  EXPECT_TRUE(proximal(1, 0, 0).ok());
  ExpectRefused(proximal(-1, 0, 0), "lr must be positive");
  ExpectRefused(proximal(1, -1, 0), "l1 and l2 must not be negative");
  ExpectRefused(proximal(1, 0, -1), "l1 and l2 must not be negative");
  const auto ftrl = [](float lr, float l1, float l2, float power) {
    return StatusOfUpdate("ResourceSparseApplyFtrl", 3, {{"lr", lr}, {"l1", l1}, {"l2", l2}, {"power", power}}, true);
  };
  EXPECT_TRUE(ftrl(1, 0, 0, -0.5F).ok());
  ExpectRefused(ftrl(-1, 0, 0, -0.5F), "lr must be positive");
  ExpectRefused(ftrl(1, -1, 0, -0.5F), "l2_shrinkage must not be negative");
  ExpectRefused(ftrl(1, 0, 0, 0.5F), "lr_power must not be positive");
}

}  // namespace
}  // namespace plumb::fast
