// Graphs that cost nothing but the executor's own work. They are written node by node, as TensorFlow's client would.
#include <random>

#include "bench/graphs/graphs.h"

namespace plumb::bench {
namespace {

NodeDef& AddNode(GraphDef& graph, std::string name, std::string op, std::vector<std::string> inputs,
                 AttrMap attrs = {}) {
  NodeDef node;
  node.name = std::move(name);
  node.op = std::move(op);
  node.inputs = std::move(inputs);
  node.attrs = std::move(attrs);
  graph.nodes.push_back(std::move(node));
  return graph.nodes.back();
}

std::string Numbered(const char* stem, int number) { return stem + std::to_string(number); }

void AddConst(GraphDef& graph, std::string name, Tensor value) {
  const DType dtype = value.dtype();
  AddNode(graph, std::move(name), "Const", {}, {{"dtype", dtype}, {"value", std::move(value)}});
}

void AddPlaceholder(BenchGraph& bench, const std::string& name, std::vector<int64_t> dims) {
  AddNode(bench.graph, name, "Placeholder", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape(dims)}});
  bench.feeds.push_back({name + ":0", DType::kFloat, -1, 1, std::move(dims)});
}

// Functions, because graphs are also made while objects of other files are initialised.
AttrMap Floats() { return {{"T", DType::kFloat}}; }
AttrMap Ints() { return {{"T", DType::kInt32}}; }

BenchGraph Named(std::string name, double items) {
  BenchGraph bench;
  bench.name = std::move(name);
  bench.items = items;
  bench.graph.versions.producer = kGraphVersion;
  return bench;
}

}  // namespace

BenchGraph NoOpChain(int nodes) {
  BenchGraph bench = Named("noop_chain", nodes);
  for (int i = 0; i < nodes; ++i) {
    AddNode(bench.graph, Numbered("n", i), "NoOp",
            i == 0 ? std::vector<std::string>{} : std::vector{Numbered("^n", i - 1)});
  }
  bench.targets = {Numbered("n", nodes - 1)};
  return bench;
}

BenchGraph ScalarAddChain(int nodes) {
  BenchGraph bench = Named("scalar_add_chain", nodes);
  AddPlaceholder(bench, "x", {});
  AddConst(bench.graph, "one", MakeScalar(1.0f));
  for (int i = 0; i < nodes; ++i) {
    AddNode(bench.graph, Numbered("a", i), "Add", {i == 0 ? "x" : Numbered("a", i - 1), "one"}, Floats());
  }
  bench.fetches = {Numbered("a", nodes - 1) + ":0"};
  return bench;
}

BenchGraph WideAdds(int nodes) {
  BenchGraph bench = Named("wide_adds", nodes);
  AddPlaceholder(bench, "x", {});
  AddConst(bench.graph, "one", MakeScalar(1.0f));
  std::vector<std::string> all;
  for (int i = 0; i < nodes; ++i) {
    AddNode(bench.graph, Numbered("a", i), "Add", {"x", "one"}, Floats());
    all.push_back(Numbered("^a", i));
  }
  AddNode(bench.graph, "all", "NoOp", std::move(all));
  bench.targets = {"all"};
  return bench;
}

BenchGraph WhileLoop(int iterations) {
  BenchGraph bench = Named("while_loop", iterations);
  GraphDef& graph = bench.graph;
  const auto enter = [](bool constant) -> AttrMap {
    return {{"T", DType::kInt32}, {"frame_name", "loop"}, {"is_constant", constant}, {"parallel_iterations", 10}};
  };
  AddConst(graph, "start", MakeScalar<int32_t>(0));
  AddConst(graph, "limit", MakeScalar<int32_t>(iterations));
  AddConst(graph, "one", MakeScalar<int32_t>(1));
  AddNode(graph, "enter", "Enter", {"start"}, enter(false));
  AddNode(graph, "enter_limit", "Enter", {"limit"}, enter(true));
  AddNode(graph, "enter_one", "Enter", {"one"}, enter(true));
  AddNode(graph, "merge", "Merge", {"enter", "next"}, {{"T", DType::kInt32}, {"N", 2}});
  AddNode(graph, "less", "Less", {"merge", "enter_limit"}, Ints());
  AddNode(graph, "cond", "LoopCond", {"less"});
  AddNode(graph, "switch", "Switch", {"merge", "cond"}, Ints());
  AddNode(graph, "body", "Identity", {"switch:1"}, Ints());
  AddNode(graph, "add", "Add", {"body", "enter_one"}, Ints());
  AddNode(graph, "next", "NextIteration", {"add"}, Ints());
  AddNode(graph, "exit", "Exit", {"switch"}, Ints());
  bench.fetches = {"exit:0"};
  return bench;
}

BenchGraph NullStep() {
  BenchGraph bench = Named("null_step", 1);
  AddPlaceholder(bench, "x", {});
  AddConst(bench.graph, "one", MakeScalar(1.0f));
  AddNode(bench.graph, "add", "Add", {"x", "one"}, Floats());
  bench.fetches = {"add:0"};
  return bench;
}

BenchGraph SquareMatMul(int side) {
  BenchGraph bench = Named("matmul_" + std::to_string(side), 1);
  AddPlaceholder(bench, "a", {side, side});
  AddPlaceholder(bench, "b", {side, side});
  AddNode(bench.graph, "product", "MatMul", {"a", "b"},
          {{"T", DType::kFloat}, {"transpose_a", false}, {"transpose_b", false}});
  bench.targets = {"product"};
  return bench;
}

BenchGraph NullNodes(int width, int depth) {
  BenchGraph bench = Named("null_nodes_" + std::to_string(width) + "x" + std::to_string(depth), double(width) * depth);
  std::mt19937 random(17);
  constexpr int kBefore = 2;  // how many nodes of the layer before each node waits for
  const auto name = [&](int layer, int i) { return Numbered("n", layer) + "_" + std::to_string(i); };
  for (int layer = 0; layer < depth; ++layer) {
    for (int i = 0; i < width; ++i) {
      std::vector<std::string> before;
      for (int k = 0; layer > 0 && k < kBefore; ++k)
        before.push_back("^" + name(layer - 1, static_cast<int>(random() % width)));
      AddNode(bench.graph, name(layer, i), "NoOp", std::move(before));
    }
  }
  for (int i = 0; i < width; ++i) bench.targets.push_back(name(depth - 1, i));
  return bench;
}

BenchGraph FanOut(int nodes) {
  BenchGraph bench = Named("fan_out", nodes);
  AddNode(bench.graph, "root", "NoOp", {});
  for (int i = 0; i < nodes; ++i) {
    AddNode(bench.graph, Numbered("n", i), "NoOp", {"^root"});
    bench.targets.push_back(Numbered("n", i));
  }
  return bench;
}

BenchGraph ParallelChains(int chains, int length, int elements) {
  const std::string name = "chains_" + std::to_string(chains) + "x" + std::to_string(length) + "_of_";
  BenchGraph bench = Named(name + std::to_string(elements), double(chains) * length);
  AddPlaceholder(bench, "x", {elements});
  for (int chain = 0; chain < chains; ++chain) {
    std::string last = "x";
    for (int i = 0; i < length; ++i) {
      std::string next = Numbered("n", chain) + "_" + std::to_string(i);
      AddNode(bench.graph, next, "Tanh", {last}, Floats());
      last = std::move(next);
    }
    bench.targets.push_back(last);
  }
  return bench;
}

}  // namespace plumb::bench
