// Tensor lists made, asked, and changed an element at a time.
#include "reference/ops/lib/tensor_list.h"

#include <iterator>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/integer_tensor.h"

namespace plumb::reference {
namespace {

TensorList NewList(OpContext& c) {
  TensorList list;
  list.element_dtype = c.attr<DType>("element_dtype");
  list.element_shape = ElementShapeOf(c.tensor(0));
  return list;
}

void EmptyTensorList(OpContext& c) {
  TensorList list = NewList(c);
  list.max_num_elements = ScalarOf(c.tensor(1), "max_num_elements");
  c.Output(0, AsTensor(std::move(list)));
}

void TensorListReserve(OpContext& c) {
  const int64_t size = ScalarOf(c.tensor(1), "num_elements");
  Require(size >= 0, "a list has no ", size, " elements");
  TensorList list = NewList(c);
  Grow(list, size);
  c.Output(0, AsTensor(std::move(list)));
}

void RequireFits(const TensorList& list, const Shape& shape) {
  Require(list.element_shape.IsCompatibleWith(shape), "an element of shape ", shape.ToString(),
          " does not fit a list of elements of shape ", list.element_shape.ToString());
}

void PushBack(OpContext& c) {
  TensorList list = TypedListInput(c, 0);
  RequireFits(list, c.tensor(1).shape());
  Require(list.max_num_elements < 0 || std::ssize(list.elements) < list.max_num_elements,
          "the list is full: it may hold ", list.max_num_elements, " elements");
  list.elements.push_back(Detached(c.input(1)));
  c.Output(0, AsTensor(std::move(list)));
}

Value ZerosOf(DType dtype, const PartialShape& shape) { return Assembly(dtype, DefinedShape(shape)).Take(); }

void PopBack(OpContext& c) {
  TensorList list = TypedListInput(c, 0);
  Require(!list.elements.empty(), "the list is empty");
  const Value& last = list.elements.back();
  c.Output(1, last.tensor.IsSet() ? last : ZerosOf(list.element_dtype, ElementShapeFor(list, c.tensor(1))));
  list.elements.pop_back();
  c.Output(0, AsTensor(std::move(list)));
}

void TensorListLength(OpContext& c) { c.Output(0, MakeScalar(static_cast<int32_t>(ListInput(c, 0).elements.size()))); }

void TensorListElementShape(OpContext& c) {
  const PartialShape& shape = ListInput(c, 0).element_shape;
  const DType type = c.output_type(0);
  if (shape.has_rank()) return c.Output(0, IntegerTensor(type, {shape.rank()}, shape.dims()));
  const int64_t any = -1;
  c.Output(0, IntegerTensor(type, Shape(), {&any, 1}));
}

int64_t PositionIn(const TensorList& list, const Tensor& index) {
  const int64_t position = IntegerOf(index, "index");
  Require(position >= 0 && position < std::ssize(list.elements), "there is no element ", position, " in a list of ",
          list.elements.size());
  return position;
}

void GetItem(OpContext& c) {
  const TensorList& list = TypedListInput(c, 0);
  const Value& element = list.elements[PositionIn(list, c.tensor(1))];
  if (element.tensor.IsSet()) return c.Output(0, element);
  PartialShape shape = ElementShapeFor(list, c.tensor(2));
  if (!shape.IsFullyDefined()) {
    for (const Value& other : list.elements) {
      if (other.tensor.IsSet()) shape = shape.MergeWith(other.tensor.shape());
    }
  }
  c.Output(0, ZerosOf(list.element_dtype, shape));
}

void SetItem(OpContext& c) {
  TensorList list = TypedListInput(c, 0);
  Require(c.tensor(1).rank() == 0, "index must be a scalar, not of shape ", c.tensor(1).shape().ToString());
  const int64_t position = PositionIn(list, c.tensor(1));
  RequireFits(list, c.tensor(2).shape());
  list.elements[position] = Detached(c.input(2));
  c.Output(0, AsTensor(std::move(list)));
}

void Resize(OpContext& c) {
  TensorList list = ListInput(c, 0);
  const int64_t size = ScalarOf(c.tensor(1), "size");
  Require(size >= 0, "a list has no ", size, " elements");
  Grow(list, size);
  c.Output(0, AsTensor(std::move(list)));
}

TensorList Concatenated(const TensorList& a, const TensorList& b, DType dtype) {
  Require(a.element_dtype == dtype && b.element_dtype == dtype, "lists of ", DTypeName(a.element_dtype), " and of ",
          DTypeName(b.element_dtype), " are joined as lists of ", DTypeName(dtype));
  Require(a.element_shape == b.element_shape, "lists of elements of the shapes ", a.element_shape.ToString(), " and ",
          b.element_shape.ToString(), " cannot be joined");
  TensorList list = a;
  list.elements.insert(list.elements.end(), b.elements.begin(), b.elements.end());
  return list;
}

void ConcatLists(OpContext& c) {
  const Tensor &a = c.tensor(0), &b = c.tensor(1);
  Require(a.shape() == b.shape(), "the lists that are joined must have one shape, not ", a.shape().ToString(), " and ",
          b.shape().ToString());
  Tensor joined(DType::kVariant, a.shape());
  for (int64_t i = 0; i < a.elements(); ++i) {
    joined.mutable_data<Variant>()[i] = AsVariant(
        Concatenated(ListIn(a.data<Variant>()[i]), ListIn(b.data<Variant>()[i]), c.attr<DType>("element_dtype")));
  }
  c.Output(0, std::move(joined));
}

// How many elements a list may hold is not asked here.
void PushBackBatch(OpContext& c) {
  const Tensor &lists = c.tensor(0), &rows = c.tensor(1);
  Require(lists.rank() == 1 && rows.rank() >= 1 && rows.dim(0) == lists.dim(0), "lists of shape ",
          lists.shape().ToString(), " need as many rows, not a tensor of shape ", rows.shape().ToString());
  const Shape row = Subshape(rows.shape(), 1, rows.rank());
  Tensor pushed(DType::kVariant, lists.shape());
  for (int64_t i = 0; i < lists.elements(); ++i) {
    TensorList list = ListIn(lists.data<Variant>()[i]);
    Require(list.element_dtype == rows.dtype(), "the list holds ", DTypeName(list.element_dtype), ", not ",
            DTypeName(rows.dtype()));
    RequireFits(list, row);
    Assembly element(rows.dtype(), row);
    element.Copy(0, c.input(1), i * row.elements(), row.elements());
    list.elements.push_back(element.Take());
    pushed.mutable_data<Variant>()[i] = AsVariant(std::move(list));
  }
  c.Output(0, std::move(pushed));
}

constexpr KernelRow kRows[] = {
    {"EmptyTensorList", EmptyTensorList},
    {"TensorListReserve", TensorListReserve},
    {"TensorListPushBack", PushBack},
    {"TensorListPopBack", PopBack},
    {"TensorListLength", TensorListLength},
    {"TensorListElementShape", TensorListElementShape},
    {"TensorListGetItem", GetItem},
    {"TensorListSetItem", SetItem},
    {"TensorListResize", Resize},
    {"TensorListConcatLists", ConcatLists},
    {"TensorListPushBackBatch", PushBackBatch},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowTensorList() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
