#include "fastpath/cpu/lib/state/optimizer.h"

#include <algorithm>
#include <deque>
#include <optional>

#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/variable_access.h"
#include "spec/core/choice_point.h"

namespace plumb::fast::cpu {
namespace {

constinit ChoicePoint pieces("update of slots by way of float: one piece, or several");

// What a loop gets: arrays of the type that is computed in.
struct UpdateCall {
  UpdateLoop loop;
  DType type;
  int slots;
  char* slot[kMaxSlots];
  const char* gradient;
  alignas(16) char scalars[kMaxScalars * 16];

  // Elements [at, at + n) of the slots, with the gradient from `from` on.
  void Run(int64_t at, int64_t from, int64_t n) const {
    if (IsHalfWidth(type)) return RunThroughFloat(at, from, n);
    const int64_t size = static_cast<int64_t>(ElementSize(type));
    void* here[kMaxSlots] = {};
    for (int k = 0; k < slots; ++k) here[k] = slot[k] + at * size;
    loop(here, gradient + from * size, scalars, n);
  }

 private:
  void RunThroughFloat(int64_t at, int64_t from, int64_t n) const {
    float wide[kMaxSlots][kFloatPiece], wide_gradient[kFloatPiece];
    void* here[kMaxSlots] = {};
    for (int k = 0; k < slots; ++k) here[k] = wide[std::find(slot, slot + k, slot[k]) - slot];  // R59
    pieces.Chosen(n > kFloatPiece);
    for (int64_t i = 0; i < n; i += kFloatPiece) {
      const int64_t count = std::min(kFloatPiece, n - i);
      ToFloat(type, gradient + 2 * (from + i), wide_gradient, count);
      for (int k = 0; k < slots; ++k) ToFloat(type, slot[k] + 2 * (at + i), static_cast<float*>(here[k]), count);
      const auto own = std::find(slot, slot + slots, gradient);
      loop(here, own != slot + slots && at == from ? here[own - slot] : wide_gradient, scalars, count);
      for (int k = 0; k < slots; ++k) FromFloat(type, static_cast<float*>(here[k]), slot[k] + 2 * (at + i), count);
    }
  }
};

class OptimizerKernel : public Kernel {
 public:
  OptimizerKernel(const Node& node, const OptimizerInputs& inputs, UpdateLoop loop, NumbersCheck check)
      : node_(node.name),
        inputs_(inputs),
        loop_(loop),
        check_(std::move(check)),
        type_(InputType(node, inputs.gradient)),
        is_resource_(InputType(node, 0) == DType::kResource) {
    for (int k = 0; k < inputs_.slots; ++k) lookups_.emplace_back(node.device);
  }

  void Run(KernelContext& context) override {
    std::vector<std::shared_ptr<Variable>> variables;
    variables.reserve(inputs_.slots);
    for (int k = 0; k < inputs_.slots; ++k) variables.push_back(VariableAt(context, k));
    if (inputs_.indices >= 0) context.Unalias(inputs_.gradient);  // it may be rows of these very variables
    std::vector<Variable*> locked;
    locked.reserve(variables.size());
    for (const auto& variable : variables) locked.push_back(variable.get());
    {
      VariableUpdate update(node_, locked);
      const Shape shape = CheckedShape(update);
      UpdateCall call = Prepare(context);
      if (check_) check_(context);
      const std::optional<std::vector<int64_t>> rows = CheckedRows(context, shape);
      const Access access = rows.has_value() ? Access::kSomeRows : Access::kAll;
      // R46: nothing is refused from here on.
      std::vector<Tensor> lost;  // R59: of a variable behind handles, what all roles of a dense form but the last write
      for (size_t k = 0; k < locked.size(); ++k) {
        const auto role = locked.begin() + static_cast<int64_t>(k);
        const bool is_lost =
            is_resource_ && access == Access::kAll && std::find(role + 1, locked.end(), *role) != locked.end();
        if (is_lost) lost.push_back(CopyOf(update.Value(k)));
        Tensor& slot = is_lost ? lost.back() : update.Writable(k, access);
        call.slot[k] = static_cast<char*>(slot.mutable_raw());
      }
      Update(context, call, shape, rows);
    }
    if (!is_resource_) context.SetOutputRef(0, context.shared_ref(0));
  }

 private:
  std::shared_ptr<Variable> VariableAt(KernelContext& context, int k) {
    if (!is_resource_) return context.shared_ref(k);
    auto variable = lookups_[k].Find(context, context.input(k));
    if (variable == nullptr) {  // R46
      throw Internal("Invalid variable reference: variable '", context.input(k).scalar<ResourceHandle>().name,
                     "', input ", k, ", was never assigned; run its initializer first");
    }
    return variable;
  }

  // Scalars and gradient; the slots are filled in under their locks.
  UpdateCall Prepare(KernelContext& context) const {
    UpdateCall call{};
    call.loop = loop_;
    call.type = type_;
    call.slots = inputs_.slots;
    call.gradient = static_cast<const char*>(context.input(inputs_.gradient).raw());
    const size_t size = ElementSize(ComputeType(type_));
    char* to = call.scalars;
    for (const int input : inputs_.scalars) {
      const Tensor& scalar = context.input(input);
      Require(scalar.rank() == 0, "input ", input, " must be a scalar, not of shape ", Printed(scalar.shape()));
      const Tensor number = AsComputed(scalar);
      std::copy_n(static_cast<const char*>(number.raw()), size, to);
      to += size;
    }
    return call;
  }

  // In the type that is computed in; a count of steps is a whole number.
  Tensor AsComputed(const Tensor& scalar) const {
    const DType type = ComputeType(type_);
    if (scalar.dtype() == type) return scalar;
    Tensor number = Allocate(type, Shape());
    if (scalar.dtype() == DType::kInt64 && type == DType::kDouble) {
      number.mutable_data<double>()[0] = static_cast<double>(scalar.data<int64_t>()[0]);
    } else if (scalar.dtype() == DType::kInt64) {
      number.mutable_data<float>()[0] = static_cast<float>(scalar.data<int64_t>()[0]);
    } else {
      ToFloat(scalar.dtype(), scalar.raw(), number.mutable_data<float>().data(), 1);
    }
    return number;
  }

  // All slots are initialised, of one type and shape.
  Shape CheckedShape(VariableUpdate& update) const {
    Shape shape = update.Value(0).shape();
    for (int k = 0; k < inputs_.slots; ++k) {
      const Tensor& value = update.Value(static_cast<size_t>(k));
      Require(value.dtype() == type_, "variable ", k, " holds ", DTypeName(value.dtype()), ", not ", DTypeName(type_));
      Require(value.shape() == shape, "slot ", k, " of shape ", Printed(value.shape()), " does not fit the variable's ",
              Printed(shape));
    }
    return shape;
  }

  // Dense: nothing, and the gradient has the variable's shape. Sparse (R68, R69): the rows it speaks of.
  std::optional<std::vector<int64_t>> CheckedRows(KernelContext& context, const Shape& shape) const {
    const Shape& gradient = context.input(inputs_.gradient).shape();
    if (inputs_.indices < 0) {
      Require(gradient == shape, "a gradient of shape ", Printed(gradient), " does not fit a variable of shape ",
              Printed(shape));
      return std::nullopt;
    }
    const Tensor& indices = context.input(inputs_.indices);
    Require(shape.rank() >= 1, "rows of a scalar cannot be updated");
    Require(indices.rank() == 1, "indices must be a vector, not of shape ", Printed(indices.shape()));
    Require(gradient.rank() == shape.rank() && gradient[0] == indices.dim(0) &&
                std::equal(gradient.dims().begin() + 1, gradient.dims().end(), shape.dims().begin() + 1),
            "a gradient of shape ", Printed(gradient), " does not fit ", indices.dim(0),
            " rows of a variable of shape ", Printed(shape));
    Require(!inputs_.refuses_empty_rows || ElementsIn(shape, 1, shape.rank()) > 0, "the rows of a variable of shape ",
            Printed(shape), " have no elements to update");
    std::vector<int64_t> rows = ToInt64s(indices);
    for (size_t i = 0; i < rows.size(); ++i) {
      Require(rows[i] >= 0 && rows[i] < shape[0], "indices[", i, "] = ", rows[i], " is not in [0, ", shape[0], ")");
    }
    return rows;
  }

  void Update(KernelContext& context, const UpdateCall& call, const Shape& shape,
              const std::optional<std::vector<int64_t>>& rows) const {
    if (!rows.has_value()) {
      context.pool().ParallelFor(shape.elements(), GrainFor(4 * inputs_.slots),
                                 [&](int64_t begin, int64_t end) { call.Run(begin, begin, end - begin); });
      return;
    }
    const int64_t row = ElementsIn(shape, 1, shape.rank());
    for (size_t i = 0; i < rows->size(); ++i) call.Run((*rows)[i] * row, static_cast<int64_t>(i) * row, row);
  }

  const std::string node_;
  const OptimizerInputs& inputs_;
  const UpdateLoop loop_;
  const NumbersCheck check_;
  const DType type_;
  const bool is_resource_;
  std::deque<VariableLookup> lookups_;  // by slot
};

}  // namespace

DType UpdateType(const Node& node, const OptimizerInputs& inputs) { return InputType(node, inputs.gradient); }

std::unique_ptr<Kernel> MakeOptimizer(const Node& node, const OptimizerInputs& inputs, UpdateLoop loop,
                                      NumbersCheck check) {
  return std::make_unique<OptimizerKernel>(node, inputs, loop, std::move(check));
}

}  // namespace plumb::fast::cpu
