// What one step runs: the nodes that its fetches and targets need, with the feeds wired in (rules F1–F31).
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "reference/kernel/op_context.h"
#include "spec/graph/graph.h"
#include "spec/validate/control_flow.h"

namespace plumb {
struct FunctionBody;  // spec/graph/function_library.h
}  // namespace plumb

namespace plumb::reference {

// What fires a node: a rule of the step, or the kernel of its op.
enum class Rule {
  kFeed,
  kFetch,
  kSwitch,
  kMerge,
  kEnter,
  kExit,
  kNextIteration,
  kControlTrigger,
  kSend,
  kRecv,
  kCall,  // of a function (calls.h)
  kKernel,
};

// An edge out of a node; -1 for control.
struct StepEdge {
  int consumer;
  int input;
  int output;
};

struct StepNode {
  Rule rule = Rule::kKernel;
  const Node* node = nullptr;  // kFeed, kFetch: the producer of the tensor that is fed or fetched
  Kernel kernel = nullptr;     // kKernel: of the node's op; found once the graph is cut out
  int port = 0;                // kFeed, kFetch: which output of `node`
  int slot = 0;                // kFeed, kFetch: which feed or fetch
  int data_inputs = 0;
  int control_inputs = 0;
  std::vector<StepEdge> consumers;       // in edge order (rule E1)
  std::vector<bool> copied_inputs = {};  // what arrives there was copied on its way (rule R36); empty: nothing was
};

struct StepGraph {
  std::vector<StepNode> nodes;        // feeds, then nodes in the order of the graph, then fetches
  std::vector<int> fetch_of;          // per requested fetch: the slot that it shares with its repetitions (rule F25)
  std::map<std::string, int> enters;  // Enter nodes by frame name (rule X15)
  int num_slots = 0;                  // distinct fetches
  FrameMap frames;                    // of the nodes of the graph
};

// Resolves the names of a request against `graph` and keeps exactly what is reachable backwards from fetches and
// targets once the feeds cut their edges (rule F23). Throws Error as rules F4–F7, F12, F20–F22, X11 and X12 say.
StepGraph Prune(const Graph& graph, std::span<const std::string> feed_names, std::span<const DType> feed_types,
                std::span<const std::string> fetches, std::span<const std::string> targets);

// The same for the body of a function: its arguments are fed, its results fetched, its effects are targets.
StepGraph PruneBody(const Graph& graph, const FunctionBody& body);

}  // namespace plumb::reference
