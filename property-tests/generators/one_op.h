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

// Types in which a derivative is compared with the exact one: float32 and float64.
bool IsDifferentiable(DType dtype);
// Whether the rule gives no gradient by this input although the op depends on it.
bool IsTakenAsConstant(const OpDef& op, size_t input);
// Variables and tensor arrays are differentiated by the tests in testdata/gradient_trials.txt.
bool NeedsAResource(const OpDef& op);

class OneOp {
 public:
  // Where the derivative is taken: at the sample's numbers, or a little beside them, where an op has no kink.
  enum class At { kSample, kBeside };
  // `by`: the types of what it is a function of. Others than IsDifferentiable are taken at the sample's numbers, and
  // their derivative is not checked.
  OneOp(const OpDef& op, const SampledCase& sample, uint64_t seed, At at = At::kBeside,
        bool (*by)(DType) = IsDifferentiable);

  bool HasSomethingToDifferentiate() const { return !xs_.empty() && !ys_.empty(); }
  // From now on, the program is the gradient of the squares of what it was.
  void Differentiate();
  // From now on, the program is the gradient of what it was; what it gave serves as the gradients by its outputs.
  void TakeGradients();
  // What it is a function of, and what it gives.
  const std::vector<Output>& xs() const { return xs_; }
  const std::vector<Output>& ys() const { return ys_; }
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

// float64 where the op allows it, else float32.
AttrMap WidestTypes(const OpDef& op);
// With no nodes around it, not special, and with nothing empty by which the op is differentiated.
bool IsOrdinary(const OpDef& op, const SampledCase& sample, bool (*by)(DType) = IsDifferentiable);

}  // namespace plumb::property
