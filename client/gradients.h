// Gradients: reverse-mode differentiation of a graph, by building the graph of the derivative (rules D1–D38).
#pragma once

#include <string>
#include <vector>

#include "client/output.h"
#include "spec/ops/gradient.h"

namespace plumb {

// How several contributions to one gradient are added up (rule D4).
enum class Aggregation { kAddN, kTree, kAccumulateN };

// An attribute of nodes: `true` asks for the gradients of this one where it lies itself (rule D10).
inline constexpr char kGradientBeside[] = "_gradient_beside";

struct GradientOptions {
  std::vector<GradientValue> grad_ys;    // one per y, or none: ones (rule D3)
  std::vector<Endpoint> stop_gradients;  // held constant (rule D6)
  Aggregation aggregation = Aggregation::kAddN;
  bool gate_gradients = false;               // compute all gradients of an op before using any (rule D9)
  bool colocate_gradients_with_ops = false;  // rule D10
  bool zeros_where_unconnected = false;      // zeros instead of nothing (rule D7)
  std::string name = "gradients";
};

// d(sum of ys)/dx for each x: nothing where no y depends on it, slices where the rules give them (IndexedSlices).
// Differentiates through conditionals and loops built by client/control_flow, nested to any depth. Throws
// kUnimplemented for an op without gradient rule and for second derivatives of loops; the message names the op.
std::vector<GradientValue> Gradients(GraphBuilder& builder, const std::vector<Endpoint>& ys,
                                     const std::vector<Endpoint>& xs, const GradientOptions& options = {});

// The same with dense results; zeros where no y depends on an x.
std::vector<Output> DenseGradients(const std::vector<Output>& ys, const std::vector<Output>& xs,
                                   GradientOptions options = {});

}  // namespace plumb
