// Runs one kernel by itself, for tests.
#pragma once

#include <cmath>
#include <string_view>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {

// One call of a kernel. Outputs have the type of the first input unless `output_types` says otherwise.
struct KernelCall {
  std::string_view op;
  std::vector<Value> inputs;
  AttrMap attrs = {};
  std::vector<DType> output_types = {};
  Accuracy accuracy = Exact();
  bool bounds = true;

  std::vector<Value> Run() const;
  // The only output.
  Value operator()() const { return Run().at(0); }
  // The code that the kernel fails with; kOk when it does not.
  Code Fails() const;
};

inline std::vector<Value> KernelCall::Run() const {
  const Kernel kernel = FindKernel(op);
  if (kernel == nullptr) throw NotFound("no kernel of the name ", op);
  Node node;
  node.name = op;
  node.attrs = attrs;
  for (const Value& input : inputs) node.input_types.push_back(input.tensor.dtype());
  node.output_types = output_types;
  if (node.output_types.empty() && !inputs.empty()) node.output_types = {inputs[0].tensor.dtype()};
  ResourceStore resources, step;
  std::unique_ptr<KernelState> state;
  OpContext context{.node = node,
                    .inputs = {},
                    .outputs = std::vector<Item>(node.output_types.size()),
                    .dead = std::vector<bool>(node.output_types.size()),
                    .resources = resources,
                    .step = step,
                    .state = state};
  for (const Value& input : inputs) context.inputs.push_back({input, nullptr});
  arithmetic = ArithmeticFor(accuracy, bounds, /*sharp=*/false);
  if (const NodeCheck check = FindCheck(op)) check(node);
  kernel(context);
  std::vector<Value> results;
  for (Item& output : context.outputs) results.push_back(std::move(output.value));
  return results;
}

inline Code KernelCall::Fails() const {
  try {
    Run();
  } catch (const Error& error) {
    return error.status().code();
  }
  return Code::kOk;
}

// A value whose elements carry these bounds or tangents.
inline Value WithBound(Tensor tensor, std::vector<double> bound) {
  return {std::move(tensor), std::make_shared<const std::vector<double>>(std::move(bound)), nullptr};
}
inline Value WithTangent(Tensor tensor, std::vector<double> tangent) {
  return {std::move(tensor), nullptr, std::make_shared<const std::vector<double>>(std::move(tangent))};
}

inline std::vector<float> Floats(const Value& value) {
  std::vector<float> floats;
  for (const Real element : Load<Real>(value).at) floats.push_back(static_cast<float>(element.v));
  return floats;
}
inline std::vector<int64_t> Integers(const Value& value) {
  std::vector<int64_t> integers;
  for (const Integer element : Load<Integer>(value).at) integers.push_back(static_cast<int64_t>(element));
  return integers;
}
inline std::vector<double> Bounds(const Value& value) {
  return value.bound == nullptr ? std::vector<double>(value.tensor.elements()) : *value.bound;
}
// The bounds of stored floats that were computed with these errors: one that has an error is rounded besides.
inline std::vector<double> StoredBounds(const Value& value, std::vector<double> errors) {
  const std::vector<float> numbers = Floats(value);
  for (size_t i = 0; i < errors.size(); ++i) {
    if (errors[i] > 0) errors[i] += UnitRoundoff(DType::kFloat) * (std::fabs(double{numbers[i]}) + errors[i]);
  }
  return errors;
}
inline std::vector<double> Tangents(const Value& value) {
  return value.tangent == nullptr ? std::vector<double>(value.tensor.elements()) : *value.tangent;
}

inline Tensor Vector(std::initializer_list<float> values) { return MakeVector<float>(values); }
inline Tensor Ints(std::initializer_list<int32_t> values) { return MakeVector<int32_t>(values); }
inline Tensor Scalar(float value) { return MakeScalar<float>(value); }
inline Tensor Int(int32_t value) { return MakeScalar<int32_t>(value); }

}  // namespace plumb::reference
