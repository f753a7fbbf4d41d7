// A program of one op and its gradients, as a function of its floating-point inputs.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "client/scope.h"
#include "conformance/compare/derivative.h"
#include "property-tests/generators/tape.h"
#include "spec/samples/sample.h"

namespace plumb::property {

class OneOp {
 public:
  // Where the derivative is taken: at the sample's numbers, or a little beside them, where an op has no kink.
  enum class At { kSample, kBeside };
  OneOp(const OpDef& op, const SampledCase& sample, uint64_t seed, At at = At::kBeside);

  bool HasSomethingToDifferentiate() const { return !xs_.empty() && !ys_.empty(); }
  // From now on, the program is the gradient of the squares of what it was.
  void Differentiate();
  conformance::GradientCheck Check();
  // Of what is differentiated.
  std::vector<Tensor> Values();
  // Of all nodes of the program.
  std::set<std::string> Ops() const;

 private:
  Scope scope_;
  Tape tape_;
  std::vector<Output> xs_, ys_;
  std::vector<conformance::Direction> feeds_;
};

bool IsDifferentiable(DType dtype);
// float64 where the op allows it, else float32.
AttrMap WidestTypes(const OpDef& op);
// With no nodes around it, not special, and with nothing empty by which the op is differentiated.
bool IsOrdinary(const OpDef& op, const SampledCase& sample);

}  // namespace plumb::property
