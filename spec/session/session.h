// The contract that every implementation of a session keeps (rules S1–S10, F1–F31, P1–P5).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "spec/core/tensor.h"
#include "spec/graph/graph_def.h"

namespace plumb {

// When and where one node ran (NodeExecStats, rule 9.12). Times in nanoseconds since the epoch.
struct NodeStats {
  std::string node;
  std::string op;
  int64_t scheduled_ns = 0;
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  int32_t thread = 0;
};
struct DeviceStats {
  std::string device;
  std::vector<NodeStats> nodes;
};
struct RunMetadata {
  std::vector<DeviceStats> step_stats;
};

struct RunOptions {
  int64_t timeout_ms = 0;  // 0: none. On expiry the step is cancelled: kDeadlineExceeded (rule S4)
  bool trace = false;      // fill RunMetadata::step_stats
  // Where the session has SessionOptions::gpu_graphs: false launches the kernels of this step one by one.
  bool gpu_graphs = true;
};

struct SessionOptions {
  int threads = 0;  // 0: one per core
  int cpu_devices = 1;
  // Simulated accelerators, /device:SIM:0 and so on, and what decides their delays and which kernels they lack.
  int sim_devices = 0;
  uint64_t sim_seed = 1;
  // /device:GPU:0 and so on: so many of this machine's cards at most, or emulated ones, which compute on the host what
  // cards would. Both at once are refused.
  int gpu_devices = 0;
  int emulated_gpus = 0;
  // What GPUs do the same in each step is captured and launched as one: CUDA graphs. Answers are the same to the bit.
  bool gpu_graphs = false;
  bool allow_soft_placement = false;  // rule W15
  bool optimize = true;               // common subexpressions and constant folding (rule O9)
  // For tests: 0 lets the implementation choose which work other threads may do, by what it measures. Otherwise every
  // step, from the first one on, may be worked on by all threads, which hand this many percent of its nodes around.
  int forced_sharing = 0;
};

using Feed = std::pair<std::string, Tensor>;

class Session {
 public:
  virtual ~Session() = default;

  // Adds nodes to the graph; the first call creates it (rules S1, V3).
  virtual Status Extend(const GraphDef& graph) = 0;

  // Runs one step: what `fetches` and `targets` need, with `feeds` in place of the tensors they name. On success
  // *outputs holds one tensor per fetch, in order. Steps may run concurrently (rule S3). Never throws.
  virtual Status Run(const RunOptions& options, std::span<const Feed> feeds, std::span<const std::string> fetches,
                     std::span<const std::string> targets, std::vector<Tensor>* outputs, RunMetadata* metadata) = 0;
  Status Run(std::span<const Feed> feeds, std::span<const std::string> fetches, std::span<const std::string> targets,
             std::vector<Tensor>* outputs) {
    return Run(RunOptions(), feeds, fetches, targets, outputs, nullptr);
  }

  // A step whose names are resolved once. Feeds are given in the order of `feed_names`.
  class Callable {
   public:
    virtual ~Callable() = default;
    virtual Status Run(std::span<const Tensor> feeds, std::vector<Tensor>* outputs) = 0;
  };
  virtual Status MakeCallable(std::span<const std::string> feed_names, std::span<const std::string> fetches,
                              std::span<const std::string> targets, std::unique_ptr<Callable>* callable) = 0;

  // A step in pieces (rules P1–P5). Setup says what the pieces will feed and fetch; *handle names the step. Each
  // PartialRun brings some of the feeds and waits for its fetches, which earlier feeds must reach. The step ends with
  // the piece that brings the last of both.
  virtual Status PartialRunSetup(std::span<const std::string> feeds, std::span<const std::string> fetches,
                                 std::span<const std::string> targets, std::string* handle);
  virtual Status PartialRun(const std::string& handle, std::span<const Feed> feeds,
                            std::span<const std::string> fetches, std::vector<Tensor>* outputs);

  // Drops the resources of the named containers; none named: of the default container (rule R5).
  virtual Status Reset(std::span<const std::string> containers) = 0;
  // Cancels what runs; later calls return kCancelled (rule S2).
  virtual Status Close() = 0;
};

}  // namespace plumb
