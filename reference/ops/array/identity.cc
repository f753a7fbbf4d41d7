// Ops that hand on what they get.
#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

void Identity(OpContext& c) { c.Output(0, c.input(0)); }

void IdentityN(OpContext& c) {
  for (int i = 0; i < c.num_inputs(); ++i) c.Output(i, c.input(i));
}

// TensorFlow looks at this when it makes the kernel.
void CheckSameTypes(const Node& node) {
  if (node.input_types.size() != node.output_types.size()) {
    throw Internal("there are ", node.input_types.size(), " inputs for ", node.output_types.size(), " outputs");
  }
  for (size_t i = 0; i < node.input_types.size(); ++i) {
    if (Base(node.input_types[i]) == Base(node.output_types[i])) continue;
    throw Internal("input ", i, " is ", DTypeName(Base(node.input_types[i])), " and its output ",
                   DTypeName(Base(node.output_types[i])));
  }
}

void EnsureShape(OpContext& c) {
  const auto& wanted = c.attr<PartialShape>("shape");
  const Shape& shape = c.tensor(0).shape();
  Require(wanted.IsCompatibleWith(shape), "the input must have the shape ", wanted.ToString(), ", not ",
          shape.ToString());
  c.Output(0, c.input(0));
}

// What an alias shows now.
void Copy(OpContext& c) {
  const Shape& shape = c.tensor(0).shape();
  Assembly copy(c.tensor(0).dtype(), shape);
  for (int64_t i = 0; i < shape.elements(); ++i) copy.Copy(i, c.input(0), i);
  c.Output(0, copy.Take());
}

constexpr KernelRow kRows[] = {
    {"Identity", Identity},
    {"StopGradient", Identity},
    {"PreventGradient", Identity},
    {"IdentityN", IdentityN},
    {"_ListToArray", IdentityN, CheckSameTypes},
    {"_ArrayToList", IdentityN, CheckSameTypes},
    {"EnsureShape", EnsureShape},
    {"Snapshot", Copy},
    {"DeepCopy", Copy},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayIdentity() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
