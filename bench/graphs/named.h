// What rows of single ops are made of.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/graphs/graphs.h"
#include "client/ops.h"
#include "client/scope.h"

namespace plumb::bench {

inline constexpr int kCalls = 100;  // of a node that takes no time by itself

// The row of an op: a step runs `target`, and holds so many units of work.
inline BenchGraph Named(const std::string& name, const std::string& family, const Scope& scope, NodeId target,
                        double items = 1) {
  BenchGraph bench;
  bench.name = name;
  bench.family = family;
  bench.items = items;
  bench.graph = scope.ToGraphDef();
  bench.targets = {scope.NameOf(target)};
  return bench;
}

inline Output Text(Scope& scope, const std::string& text) { return Constant(scope, text); }

inline Tensor Texts(const std::vector<std::string>& texts) {
  return MakeTensor<std::string>({std::ssize(texts)}, texts);
}

// What every step feeds: numbers between `low` and `high`.
inline Output Fed(Scope& scope, BenchGraph* bench, DType dtype, std::vector<int64_t> dims, double low, double high) {
  const Output fed = ops::Placeholder(scope, dtype, {.shape = PartialShape(dims)});
  bench->feeds.push_back({fed.name(), dtype, low, high, std::move(dims)});
  return fed;
}

inline Output OutputOf(Scope& scope, NodeId node, int output) { return {&scope.builder(), {node, output}}; }

// Constants: zeros, and `count` values of a function of their number.
inline Output Floats(Scope& scope, const std::vector<int64_t>& dims) {
  return Constant(scope, Zeros(DType::kFloat, Shape(dims)));
}
template <class T>
Output Values(Scope& scope, int64_t count, const std::function<T(int64_t)>& value) {
  Tensor values(DTypeOf<T>, {count});
  for (int64_t i = 0; i < count; ++i) values.mutable_data<T>()[i] = value(i);
  return Constant(scope, std::move(values));
}

// Nodes that run one behind the other.
class ChainBuilder {
 public:
  explicit ChainBuilder(Scope& scope) : scope_(scope) {}
  NodeId Add(const std::string& op, const std::vector<Output>& inputs, AttrMap attrs = {}) {
    const auto behind = scope_.After(last_);
    last_ = {scope_.Add(op, inputs, std::move(attrs))};
    return last_.front();
  }
  NodeId last() const { return last_.front(); }

 private:
  Scope& scope_;
  std::vector<NodeId> last_;
};

// The row of an op of which kCalls nodes run beside each other, and, before the first step, `init`.
inline BenchGraph Beside(const std::string& op, const std::string& family, Scope& scope,
                         const std::vector<Output>& inputs, const AttrMap& attrs = {},
                         const std::vector<NodeId>& init = {}) {
  std::vector<NodeId> nodes;
  for (int i = 0; i < kCalls; ++i) nodes.push_back(scope.Add(op, inputs, attrs));
  BenchGraph bench = Named(op, family, scope, scope.Group(nodes), kCalls);
  for (const NodeId node : init) bench.inits.push_back(scope.NameOf(node));
  return bench;
}

// Rows by what their ops are about; files that they read are written into the folder.
std::vector<BenchGraph> ParsingGraphs(const std::string& folder);
std::vector<BenchGraph> QueueGraphs();
std::vector<BenchGraph> StagingGraphs();
std::vector<BenchGraph> TableGraphs();
std::vector<BenchGraph> AccumulatorGraphs();
std::vector<BenchGraph> TensorArrayGraphs();
std::vector<BenchGraph> ReaderGraphs(const std::string& folder);
std::vector<BenchGraph> TextGraphs();
std::vector<BenchGraph> CodecGraphs();
std::vector<BenchGraph> EventGraphs(const std::string& folder);
std::vector<BenchGraph> RandomGraphs(const std::string& folder);
std::vector<BenchGraph> SparseGraphs();
std::vector<BenchGraph> ArrayGraphs();
std::vector<BenchGraph> CheckpointGraphs(const std::string& folder);
std::vector<BenchGraph> FunctionGraphs();

}  // namespace plumb::bench
