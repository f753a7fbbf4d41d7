// What nodes that call functions do (clauses FN5–FN7): which body runs, with what, and what comes of it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "reference/step/step.h"
#include "spec/graph/function_calls.h"

namespace plumb::reference {

// A body that a call is to run.
struct BodyRun {
  CalledFunction called;
  std::vector<Item> args;
};

// What a live call runs first; nothing for a loop that counts and has no turns. Throws where its first inputs do not
// tell which function is meant, or how often.
std::optional<BodyRun> FirstBody(const Node& node, const std::vector<Item>& inputs);
// What a call gives that runs nothing at all.
std::vector<Token> ResultsWithoutTurns(const Node& node, const std::vector<Item>& inputs);

// What a loop runs next; other calls run one body.
std::optional<BodyRun> NextBody(const Node& node, const Call& call);
// What a call gives that runs nothing more.
std::vector<Token> ResultsOf(const Node& node, const Call& call);

// The body of a function that `caller` calls, its kernels found.
std::shared_ptr<const Body> MakeBody(const FunctionLibrary& library, const CalledFunction& called, const Node& caller,
                                     const SessionOptions& options, KernelFinder find_kernel);

}  // namespace plumb::reference
