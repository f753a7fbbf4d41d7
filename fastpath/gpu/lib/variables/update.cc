#include "fastpath/gpu/lib/variables/update.h"

#include <algorithm>

#include "fastpath/gpu/lib/axes.h"

namespace plumb::fast::GPU_NAMESPACE {

UpdateKernel::UpdateKernel(const Node& node, const UpdateInputs& inputs)
    : inputs_(inputs),
      node_(node.name),
      type_(node.input_types[static_cast<size_t>(inputs.gradient)]),
      is_resource_(node.input_types[0] == DType::kResource) {
  for (int k = 0; k < inputs.slots; ++k) lookups_.push_back(std::make_unique<VariableLookup>(node.device));
}

std::shared_ptr<Variable> UpdateKernel::VariableAt(KernelContext& context, int k) {
  if (!is_resource_) return context.shared_ref(k);
  auto variable = lookups_[static_cast<size_t>(k)]->Find(context, context.input(k));
  if (variable == nullptr) {
    throw Error(inputs_.of_missing,
                Str("Invalid variable reference: variable '", context.input(k).scalar<ResourceHandle>().name,
                    "', input ", k, ", was never assigned; run its initializer first"));
  }
  return variable;
}

// All slots are initialised, of one type and shape, and so is the gradient.
Shape UpdateKernel::CheckedShape(GpuContext& context, VariableUpdate& update) const {
  const Shape shape = update.Value(0).shape();
  for (int k = 0; k < inputs_.slots; ++k) {
    const Tensor& value = update.Value(static_cast<size_t>(k));
    Require(value.dtype() == type_, "variable ", k, " holds ", DTypeName(value.dtype()), ", not ", DTypeName(type_));
    Require(value.shape() == shape, "slot ", k, " of shape ", value.shape().ToString(), " does not fit the variable's ",
            shape.ToString());
  }
  for (const int input : inputs_.scalars) {
    const Shape& scalar = context.input(input).shape();
    Require(scalar.rank() == 0, "input ", input, " must be a scalar, not of shape ", scalar.ToString());
  }
  CheckGradient(context, shape);
  return shape;
}

void UpdateKernel::CheckGradient(const GpuContext& context, const Shape& shape) const {
  const Shape& gradient = context.input(inputs_.gradient).shape();
  if (inputs_.indices < 0) {
    Require(gradient == shape, "a gradient of shape ", gradient.ToString(), " does not fit a variable of shape ",
            shape.ToString());
    return;
  }
  const Shape& indices = context.input(inputs_.indices).shape();
  Require(shape.rank() >= 1, "rows of a scalar cannot be updated");
  Require(indices.rank() == 1, "indices must be a vector, not of shape ", indices.ToString());
  Require(gradient.rank() == shape.rank() && gradient[0] == indices[0] &&
              std::equal(gradient.dims().begin() + 1, gradient.dims().end(), shape.dims().begin() + 1),
          "a gradient of shape ", gradient.ToString(), " does not fit ", indices[0], " rows of a variable of shape ",
          shape.ToString());
  Require(!inputs_.refuses_empty_rows || ElementsIn(shape, 1, shape.rank()) > 0, "the rows of a variable of shape ",
          shape.ToString(), " have no elements to update");
}

void UpdateKernel::Run(GpuContext& context) {
  KernelContext& kernel = context.kernel();
  const GpuInside inside(context.device());
  const InsideScope scope(inside);
  if (inputs_.indices >= 0) kernel.Unalias(inputs_.gradient);  // it may be rows of these very variables
  std::vector<std::shared_ptr<Variable>> variables;
  for (int k = 0; k < inputs_.slots; ++k) variables.push_back(VariableAt(kernel, k));
  std::vector<Variable*> locked;
  for (const auto& variable : variables) locked.push_back(variable.get());
  {
    VariableUpdate update(node_, locked);
    const Shape shape = CheckedShape(context, update);
    // R46: of shapes nothing is refused from here on.
    const Access access = inputs_.indices < 0 ? Access::kAll : Access::kSomeRows;
    std::vector<Tensor> lost;  // R59: of a variable behind handles, what all roles of a dense form but the last write
    std::vector<void*> slots;
    for (size_t k = 0; k < locked.size(); ++k) {
      const auto role = locked.begin() + static_cast<int64_t>(k);
      const bool is_lost =
          is_resource_ && access == Access::kAll && std::find(role + 1, locked.end(), *role) != locked.end();
      if (is_lost) lost.push_back(CopyOf(update.Value(k)));
      Tensor& slot = is_lost ? lost.back() : update.Writable(k, access);
      slots.push_back(slot.mutable_raw());
    }
    Update(context, slots, shape);
  }
  if (!is_resource_) kernel.SetOutputRef(0, kernel.shared_ref(0));
}

}  // namespace plumb::fast::GPU_NAMESPACE
