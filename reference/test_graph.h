// For tests: graphs written node by node, and runs of them on a fresh reference session.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "reference/session.h"

namespace plumb::reference {

struct TestGraph {
  GraphDef def;

  // Merge nodes get their N.
  TestGraph() { def.versions.producer = kGraphVersion; }
  TestGraph& Add(std::string name, std::string op, std::vector<std::string> inputs = {}, AttrMap attrs = {}) {
    if (op.ends_with("Merge")) attrs["N"] = DataInputs(inputs);
    def.nodes.push_back({.name = std::move(name),
                         .op = std::move(op),
                         .inputs = std::move(inputs),
                         .device = {},
                         .attrs = std::move(attrs),
                         .debug_info = {}});
    return *this;
  }
  TestGraph& Value(std::string name, Tensor value, std::vector<std::string> control = {}) {
    const DType dtype = value.dtype();
    return Add(std::move(name), "Const", std::move(control), {{"value", std::move(value)}, {"dtype", dtype}});
  }
  static int DataInputs(const std::vector<std::string>& inputs) {
    return static_cast<int>(std::count_if(inputs.begin(), inputs.end(), [](auto& name) { return name[0] != '^'; }));
  }
  template <class T>
  TestGraph& Const(const std::string& name, T value, const std::vector<std::string>& control = {}) {
    return Value(std::move(name), MakeScalar<T>(value), std::move(control));
  }
};

// What a run gave.
struct RunResult {
  Status status;
  std::vector<Tensor> outputs;
  Code code() const { return status.code(); }
  template <class T>
  T scalar(size_t i = 0) const {
    return outputs.at(i).scalar<T>();
  }
};

inline std::vector<int32_t> Ints(const RunResult& result) {
  const auto elements = result.outputs.at(0).data<int32_t>();
  return {elements.begin(), elements.end()};
}

class TestSession {
 public:
  explicit TestSession(const TestGraph& graph) : extended(session.Extend(graph.def)) {}
  RunResult Run(std::vector<std::string> fetches, std::vector<Feed> feeds = {}, std::vector<std::string> targets = {}) {
    RunResult result;
    if (!extended.ok()) return {extended, {}};
    result.status = session.Run(feeds, fetches, targets, &result.outputs);
    return result;
  }

  ReferenceSession session;
  Status extended;
};

}  // namespace plumb::reference
