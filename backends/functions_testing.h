// For the laws of functions: sessions of every backend, and short ways to write calls down.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/backends.h"
#include "spec/graph/function_testing.h"

namespace plumb {

class Functions : public testing::TestWithParam<std::string_view> {
 protected:
  // The first element of each fetch, as a float; the status says what went wrong.
  std::vector<float> Run(const GraphDef& graph, std::vector<std::string> fetches, std::vector<std::string> targets = {},
                         std::vector<Feed> feeds = {}) {
    if (last_ != SerializedFor(graph)) {
      session_ = OpenSession(GetParam(), {.threads = 2});
      last_ = SerializedFor(graph);
      status_ = session_->Extend(graph);
      if (!status_.ok()) return {};
    }
    std::vector<Tensor> outputs;
    status_ = session_->Run(feeds, fetches, targets, &outputs);
    std::vector<float> values;
    for (const Tensor& output : outputs) values.push_back(output.data<float>()[0]);
    return status_.ok() ? values : std::vector<float>();
  }
  // Graphs of tests differ in their nodes.
  static std::string SerializedFor(const GraphDef& graph) {
    std::string text = graph.library;
    for (const NodeDef& node : graph.nodes) text += Str(node.name, " ", node.op, ";");
    return text;
  }

  Status status_;

 private:
  std::unique_ptr<Session> session_;
  std::string last_;
};
constexpr DType kFloat = DType::kFloat;

inline NodeDef Float(const std::string& name, float value) { return MakeConst(name, MakeScalar(value)); }
inline NodeDef Binary(const std::string& name, const std::string& op, const std::string& a, const std::string& b) {
  return MakeNode(name, op, {a, b}, FloatType());
}
// x * x + y
inline FunctionDef SquarePlus() {
  return MakeFunction("SquarePlus(x: float32, y: float32) -> (z: float32)", "",
                      {Binary("square", "Mul", "x", "x"), Binary("sum", "Add", "square:z:0", "y")}, {{"z", "sum:z:0"}});
}
inline NodeDef Call(const std::string& name, const FunctionRef& function, std::vector<std::string> inputs,
                    size_t outputs = 1, const std::string& op = "PartitionedCall") {
  std::vector<DType> in;
  for (const std::string& input : inputs) {
    if (input[0] != '^') in.push_back(kFloat);
  }
  return MakeNode(name, op, std::move(inputs),
                  {{"Tin", in}, {"Tout", std::vector<DType>(outputs, kFloat)}, {"f", function}});
}
inline NodeDef If(const std::string& name, std::vector<std::string> inputs, const FunctionRef& then_branch,
                  const FunctionRef& else_branch, DType condition = DType::kBool, const std::string& op = "If") {
  return MakeNode(name, op, inputs,
                  {{"Tcond", condition},
                   {"Tin", std::vector<DType>(inputs.size() - 1, kFloat)},
                   {"Tout", std::vector{kFloat}},
                   {"then_branch", then_branch},
                   {"else_branch", else_branch}});
}
inline NodeDef While(const std::string& name, const std::vector<std::string>& inputs, const FunctionRef& condition,
                     const FunctionRef& body) {
  return MakeNode(name, "While", inputs,
                  {{"T", std::vector<DType>(inputs.size(), kFloat)}, {"cond", condition}, {"body", body}});
}
inline FunctionDef Unary(const char* signature, const std::string& op) {
  return MakeFunction(signature, "", {MakeNode("op", op, {"x"}, FloatType())}, {{"y", "op:y:0"}});
}

}  // namespace plumb
