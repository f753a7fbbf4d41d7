// Variables: ref variables (rules R10–R27) and resource variables (rules R40–R49). Values are immutable; an update puts
// a new value into the slot, so that whoever read the old one keeps it (rules E3, R32).
#include "reference/index.h"
#include "reference/numbers_io.h"
#include "reference/op_context.h"
#include "reference/ops/array.h"
#include "reference/variables.h"

namespace plumb::reference {
namespace {

// R10: running the op only yields a reference. R3: a variable without a shared name is called as its node.
void DeclareVariable(OpContext& c, PartialShape declared) {
  Require(declared.IsFullyDefined(), "the shape ", declared.ToString(), " of a variable must be fully defined");
  const std::string container = ContainerOf(c.node);
  const std::string shared_name = SharedNameOf(c.node);
  const std::string& name = shared_name.empty() ? c.node.name : shared_name;
  Slot& slot = c.resources.FindOrCreate<Slot>(container, name);
  if (slot.dtype == DType::kInvalid) {
    slot.dtype = c.output_type(0);
    slot.declared = std::move(declared);
  }
  c.outputs[0].ref = c.resources.Share<Slot>(container, name);
}

// R12: an unknown rank is taken for a scalar, which an Assign that does not validate shapes may change.
void Variable(OpContext& c) {
  const PartialShape& shape = c.attr<PartialShape>("shape");
  DeclareVariable(c, shape.has_rank() ? shape : PartialShape(Shape()));
}

void IsVariableInitialized(OpContext& c) { c.Output(0, MakeScalar<bool>(c.ref(0).IsInitialized())); }

Shape ShapeOf(const Slot& slot) { return slot.value ? slot.value->tensor.shape() : slot.declared.ToShape(); }

// R20.
void Assign(OpContext& c) {
  Slot& slot = c.ref(0);
  const Shape& shape = c.tensor(1).shape();
  Require(!c.attr<bool>("validate_shape") || shape == ShapeOf(slot),
          "Assign requires shapes of both tensors to match: ", ShapeOf(slot).ToString(), " of the variable, ",
          shape.ToString(), " of the value");
  slot.value = c.input(1);
  c.outputs[0] = c.inputs[0];
}

// R2, R3, R40: the handle's names are the attributes as they stand, be they empty; no variable exists yet.
void VarHandleOp(OpContext& c) {
  ResourceHandle handle;
  handle.container = GetAttrOr<std::string>(c.node.attrs, "container", "");
  if (handle.container.empty()) handle.container = kDefaultContainer;
  handle.name = GetAttrOr<std::string>(c.node.attrs, "shared_name", "");
  handle.type_name = kVariableType;
  handle.dtype = c.attr<DType>("dtype");
  handle.shape_text = c.attr<PartialShape>("shape").ToString();
  c.Output(0, MakeScalar(std::move(handle)));
}

// The handle says which type its variable has.
void CheckHandleType(const OpContext& c, DType wanted) {
  const DType declared = HandleInput(c, 0, kVariableType).dtype;
  Require(declared == wanted, "the handle is of a variable of ", DTypeName(declared), ", not of ", DTypeName(wanted));
}

void VarIsInitializedOp(OpContext& c) {
  const Slot* slot = FindVariable(c, 0);
  c.Output(0, MakeScalar<bool>(slot != nullptr && slot->value.has_value()));
}

void CheckVariableType(const Slot& slot, DType wanted) {
  Require(slot.dtype == wanted, "the resource variable holds ", DTypeName(slot.dtype), ", not ", DTypeName(wanted));
}

// R42.
void ReadVariableOp(OpContext& c) {
  CheckHandleType(c, c.output_type(0));
  Slot& slot = GetVariable(c, 0, Code::kFailedPrecondition);
  CheckVariableType(slot, c.output_type(0));
  c.Output(0, InitializedValue(slot, c.node.name));
}

// R48.
void VariableShape(OpContext& c) {
  const Slot& slot = GetVariable(c, 0, Code::kNotFound);
  const std::vector<int64_t> dims = InitializedValue(slot, c.node.name).tensor.shape().ToVector();
  Tensor shape(c.output_type(0), {static_cast<int64_t>(dims.size())});
  for (size_t i = 0; i < dims.size(); ++i) {
    if (shape.dtype() == DType::kInt64) {
      shape.mutable_data<int64_t>()[i] = dims[i];
    } else {
      Require(dims[i] <= INT32_MAX, "the variable's dimension ", dims[i], " does not fit into int32");
      shape.mutable_data<int32_t>()[i] = static_cast<int32_t>(dims[i]);
    }
  }
  c.Output(0, std::move(shape));
}

// R41: creates or replaces the value.
void AssignVariableOp(OpContext& c) {
  const ResourceHandle& handle = HandleInput(c, 0, kVariableType);
  const Value& value = c.input(1);
  CheckHandleType(c, value.tensor.dtype());
  Slot& slot = c.resources.FindOrCreate<HandleVariable>(handle.container, handle.name);
  if (slot.dtype == DType::kInvalid) slot.dtype = value.tensor.dtype();
  CheckVariableType(slot, value.tensor.dtype());
  Require(!GetAttrOr<bool>(c.node.attrs, "validate_shape", false) || !slot.value ||
              slot.value->tensor.shape() == value.tensor.shape(),
          "the variable's shape is not the value's, ", value.tensor.shape().ToString());
  slot.value = value;
}

enum class Update { kAdd, kSubtract };

template <class N>
N Updated(Update update, N old, N change) {
  return update == Update::kAdd ? old + change : old - change;
}

// R22, R43: no broadcasting.
Value UpdatedValue(Update update, const Value& old, const Value& change) {
  Require(old.tensor.shape() == change.tensor.shape(), "the variable has shape ", old.tensor.shape().ToString(),
          ", its update ", change.tensor.shape().ToString());
  Value result;
  ForNumber(old.tensor.dtype(), [&](auto tag) {
    using N = typename decltype(tag)::Type;
    Array<N> numbers = Load<N>(old);
    const Array<N> changes = Load<N>(change);
    for (size_t i = 0; i < numbers.at.size(); ++i) numbers.at[i] = Updated(update, numbers.at[i], changes.at[i]);
    result = Store(numbers);
  });
  return result;
}

template <Update update>
void AssignUpdate(OpContext& c) {
  c.ref(0).value = UpdatedValue(update, c.input(0), c.input(1));
  c.outputs[0] = c.inputs[0];
}

template <Update update>
void AssignVariableUpdate(OpContext& c) {
  Slot& slot = GetVariable(c, 0);
  CheckVariableType(slot, c.tensor(1).dtype());
  slot.value = UpdatedValue(update, InitializedValue(slot, c.node.name), c.input(1));
}

// R23: updates have one row per index, or are one number for all of them.
void CheckScatter(const Shape& variable, const Tensor& indices, const Tensor& updates) {
  Require(variable.rank() >= 1, "a scatter needs a variable of rank 1 or more, not ", variable.ToString());
  const Shape rows = Concatenated(indices.shape(), Subshape(variable, 1, variable.rank()));
  Require(updates.rank() == 0 || updates.shape() == rows, "updates must be a scalar or of shape ", rows.ToString(),
          ", not ", updates.shape().ToString());
}

// R23: rows named several times take every update, in order.
Value Scattered(Update update, const Value& old, const Tensor& indices, const Value& updates) {
  const Shape& shape = old.tensor.shape();
  CheckScatter(shape, indices, updates.tensor);
  const Array<Integer> rows = Load<Integer>(indices);
  const int64_t row_size = Subshape(shape, 1, shape.rank()).elements();
  Value result;
  ForNumber(old.tensor.dtype(), [&](auto tag) {
    using N = typename decltype(tag)::Type;
    Array<N> numbers = Load<N>(old);
    const Array<N> changes = Load<N>(updates);
    for (size_t i = 0; i < rows.at.size(); ++i) {
      const auto row = static_cast<int64_t>(rows.at[i]);
      Require(row >= 0 && row < shape.dim(0), "indices[", i, "] = ", row, " is not in [0, ", shape.dim(0), ")");
      for (int64_t j = 0; j < row_size; ++j) {
        const N change = updates.tensor.rank() == 0 ? changes[0] : changes[static_cast<int64_t>(i) * row_size + j];
        N& number = numbers[row * row_size + j];
        number = Updated(update, number, change);
      }
    }
    result = Store(numbers);
  });
  return result;
}

template <Update update>
void ScatterUpdate(OpContext& c) {
  c.ref(0).value = Scattered(update, c.input(0), c.tensor(1), c.input(2));
  c.outputs[0] = c.inputs[0];
}

// R25.
void CountUpTo(OpContext& c) {
  Require(c.tensor(0).rank() == 0, "CountUpTo counts a scalar, not shape ", c.tensor(0).shape().ToString());
  const Integer count = LoadScalar<Integer>(c.input(0));
  const int64_t limit = c.attr<int64_t>("limit");
  if (count >= Integer(limit)) throw OutOfRange("Reached limit of ", limit);
  Array<Integer> next = Load<Integer>(c.input(0));
  next[0] += Integer(1);
  c.Output(0, c.input(0));
  c.ref(0).value = Store(next);
}

// R44.
void ResourceGather(OpContext& c) {
  const Slot& slot = GetVariable(c, 0);
  CheckVariableType(slot, c.output_type(0));
  const Value& params = InitializedValue(slot, c.node.name);
  Require(params.tensor.rank() >= 1, "params must be at least 1 dimensional");
  const int64_t batch_dims = c.attr<int64_t>("batch_dims");
  const int64_t axis = batch_dims < 0 ? batch_dims + c.tensor(1).rank() : batch_dims;
  c.Output(0, GatherAlong(params, c.tensor(1), axis, batch_dims));
}

}  // namespace

std::span<const KernelRow> StateKernels() {
  static constexpr KernelRow rows[] = {
      {"VariableV2", Variable},
      {"Variable", Variable},
      {"IsVariableInitialized", IsVariableInitialized},
      {"Assign", Assign},
      {"VarHandleOp", VarHandleOp},
      {"VarIsInitializedOp", VarIsInitializedOp},
      {"ReadVariableOp", ReadVariableOp},
      {"VariableShape", VariableShape},
      {"AssignVariableOp", AssignVariableOp},
      {"AssignAdd", AssignUpdate<Update::kAdd>},
      {"AssignSub", AssignUpdate<Update::kSubtract>},
      {"AssignAddVariableOp", AssignVariableUpdate<Update::kAdd>},
      {"ScatterAdd", ScatterUpdate<Update::kAdd>},
      {"ScatterSub", ScatterUpdate<Update::kSubtract>},
      {"CountUpTo", CountUpTo},
      {"ResourceGather", ResourceGather},
  };
  return rows;
}

}  // namespace plumb::reference
