// Exact directional derivatives by forward-mode differentiation on the reference, against which gradient graphs are
// checked (rule N11).
#pragma once

#include <string>
#include <vector>

#include "spec/core/tensor.h"
#include "spec/graph/graph_def.h"

namespace plumb::conformance {

struct Direction {
  std::string feed;
  Tensor value;
  std::vector<double> direction;  // one number per element; two, real and imaginary, of a complex one
};

struct Derivative {
  Tensor value;
  std::vector<double> along;  // d value / d direction, as many
  std::vector<double> bound;  // error bound of `value`, as many
};

// One step of the graph from an empty session; a result per fetch. Throws the error that the step ended with.
std::vector<Derivative> DerivativesAlong(const GraphDef& graph, const std::vector<Direction>& feeds,
                                         const std::vector<std::string>& fetches);

// A gradient graph beside forward-mode differentiation.
struct GradientCheck {
  double reverse = 0;  // Σᵢ gradientᵢ · directionᵢ over all feeds
  double forward = 0;  // derivative of `total` along all directions at once
  double limit = 0;    // how far apart rounding may bring them
  bool ok() const;     // false when one of them is NaN
};

// `total` is a scalar; gradients[i] its gradient by feeds[i]. The limit is the error bound of the gradient graph, once
// for it and once for the forward derivative, whose steps round alike.
GradientCheck CheckGradients(const GraphDef& graph, const std::vector<Direction>& feeds, const std::string& total,
                             const std::vector<std::string>& gradients);

}  // namespace plumb::conformance
