// The graphs that are timed, here and on the peers: what one step of each feeds, fetches and runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spec/graph/graph_def.h"

namespace plumb::bench {

struct FeedShape {
  std::string name;
  DType dtype;
  double low, high;  // values are drawn from [low, high)
  std::vector<int64_t> dims;
};

struct BenchGraph {
  std::string name;
  std::string family = {};  // of the op that it is there for
  GraphDef graph;
  double items = 1;  // units of work in a step
  std::vector<FeedShape> feeds;
  std::vector<std::string> fetches, targets, inits;
  std::vector<std::string> runners;  // nodes that threads of their own run beside the steps, each again and again
  int cpus = 1;                      // devices of a session
};

// Executor rows.
BenchGraph NoOpChain(int nodes);
BenchGraph ScalarAddChain(int nodes);
BenchGraph WideAdds(int nodes);
BenchGraph WhileLoop(int iterations);
BenchGraph NullStep();
BenchGraph SquareMatMul(int side);
// TensorFlow's BM_executor: `depth` layers of `width` NoOps, each after a few of the layer before, drawn from a seed.
BenchGraph NullNodes(int width, int depth);
// One NoOp, and `nodes` after it.
BenchGraph FanOut(int nodes);

// `chains` chains of `length` nodes beside each other, each node one elementwise pass over `elements` floats.
BenchGraph ParallelChains(int chains, int length, int elements);

// Model rows: one training step with SGD.
BenchGraph MlpStep();
BenchGraph LeNetStep();
BenchGraph LstmStep();

// Names of files → a reader of whole files → JPEG decoded → resized → batches, on two threads. Writes the pictures into
// the folder.
BenchGraph JpegInput(const std::string& folder);

// The rows that are compared with the peers, by name. Files that they read are written into the folder.
std::vector<BenchGraph> PeerGraphs(const std::string& folder);

// One for each op that is compared by itself although its row draws no large inputs; files as above.
std::vector<BenchGraph> FamilyGraphs(const std::string& folder);

}  // namespace plumb::bench
