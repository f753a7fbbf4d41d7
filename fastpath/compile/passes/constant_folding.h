// Pass: values that depend on constants only are computed once, with the kernels that the step would run (O4–O6, O10).
#pragma once

#include <functional>
#include <span>

#include "fastpath/compile/graph/step_graph.h"

namespace plumb::fast {

// Computes the outputs of a node from its inputs; throws Error where its kernel would.
using Evaluator = std::function<std::vector<Tensor>(const StepNode&, std::span<const Tensor>)>;

// Bigger results stay with the step (rule O4).
constexpr int64_t kMaxFoldedBytes = int64_t{10} << 20;

void FoldConstants(StepGraph& graph, const Evaluator& evaluate);

}  // namespace plumb::fast
