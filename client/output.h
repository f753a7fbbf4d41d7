// Output: one output of one node, with the graph it belongs to, so that arithmetic on it can be written as such.
#pragma once

#include <string>
#include <vector>

#include "spec/core/scalar.h"
#include "spec/graph/builder.h"

namespace plumb {

struct Output {
  GraphBuilder* builder = nullptr;
  Endpoint endpoint;

  operator Endpoint() const { return endpoint; }  // NOLINT: an Output is an Endpoint that knows its graph
  DType dtype() const { return builder->dtype(endpoint); }
  const PartialShape& shape() const { return builder->shape(endpoint); }
  NodeId node() const { return endpoint.node; }
  // "node" or "node:1": what Session::Run takes as a feed or a fetch.
  std::string name() const { return builder->graph().NameOf(endpoint); }
};

std::vector<Endpoint> ToEndpoints(const std::vector<Output>& outputs);
std::vector<Output> ToOutputs(GraphBuilder& builder, const std::vector<Endpoint>& endpoints);

// With elements of this type: the output itself, or a Cast of it.
Output AsType(Output value, DType dtype);

// Elementwise, with broadcasting. A plain number takes the type of the other operand. Division is for floating-point
// and complex types: integers are divided by ops::FloorDiv or ops::Div, which say how they round.
Output operator+(Output a, Output b);
Output operator-(Output a, Output b);
Output operator*(Output a, Output b);
Output operator/(Output a, Output b);
Output operator-(Output a);
Output operator<(Output a, Output b);
Output operator<=(Output a, Output b);
Output operator>(Output a, Output b);
Output operator>=(Output a, Output b);
Output operator!(Output a);

Output operator+(Output a, double b);
Output operator-(Output a, double b);
Output operator*(Output a, double b);
Output operator/(Output a, double b);
Output operator+(double a, Output b);
Output operator-(double a, Output b);
Output operator*(double a, Output b);
Output operator/(double a, Output b);
Output operator<(Output a, double b);
Output operator<=(Output a, double b);
Output operator>(Output a, double b);
Output operator>=(Output a, double b);

}  // namespace plumb
