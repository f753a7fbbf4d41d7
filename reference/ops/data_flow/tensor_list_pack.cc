// Tensor lists made of one tensor, and one tensor made of the elements of a list.
#include <algorithm>
#include <iterator>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/integer_tensor.h"
#include "reference/ops/lib/tensor_list.h"

namespace plumb::reference {
namespace {

// --- from lists -----------------------------------------------------------------------------------------------------

// The shape that all of these elements have, by what is known of it and by those that have a value. A list that knows
// all of it does not look at them.
PartialShape CommonShape(const TensorList& list, PartialShape shape, const std::vector<const Value*>& elements) {
  if (list.element_shape.IsFullyDefined()) return shape;
  for (const Value* element : elements) {
    if (element->tensor.IsSet()) shape = shape.MergeWith(element->tensor.shape());
  }
  return shape;
}

Value Stacked(DType dtype, const Shape& element, const std::vector<const Value*>& elements) {
  Assembly stacked(dtype, WithInserted(element, 0, std::ssize(elements)));
  for (size_t i = 0; i < elements.size(); ++i) {
    if (!elements[i]->tensor.IsSet()) continue;
    Require(elements[i]->tensor.elements() == element.elements(), "an element of shape ",
            elements[i]->tensor.shape().ToString(), " does not fit elements of shape ", element.ToString());
    stacked.Copy(static_cast<int64_t>(i) * element.elements(), *elements[i], 0, element.elements());
  }
  return stacked.Take();
}

void Stack(OpContext& c) {
  const TensorList& list = TypedListInput(c, 0);
  const int64_t wanted = c.attr<int64_t>("num_elements"), size = std::ssize(list.elements);
  Require(wanted == -1 || wanted == size, "the list has ", size, " elements, not ", wanted);
  const PartialShape shape = ElementShapeFor(list, c.tensor(1));
  Require(size > 0 || shape.IsFullyDefined(),
          "the stack of no elements needs an element_shape without open "
          "dimensions, not ",
          shape.ToString());
  std::vector<const Value*> elements;
  for (const Value& element : list.elements) elements.push_back(&element);
  c.Output(0, Stacked(list.element_dtype, DefinedShape(CommonShape(list, shape, elements)), elements));
}

void Gather(OpContext& c) {
  const TensorList& list = TypedListInput(c, 0);
  const Tensor& indices = c.tensor(1);
  const PartialShape shape = ElementShapeFor(list, c.tensor(2));
  Require(indices.elements() > 0 || shape.IsFullyDefined(),
          "the stack of no elements needs an element_shape without "
          "open dimensions, not ",
          shape.ToString());
  std::vector<const Value*> elements;
  for (const int32_t index : indices.data<int32_t>()) {
    Require(index >= 0 && index < std::ssize(list.elements), "there is no element ", index, " in a list of ",
            list.elements.size());
    elements.push_back(&list.elements[index]);
  }
  c.Output(0, Stacked(list.element_dtype, DefinedShape(CommonShape(list, shape, elements)), elements));
}

// The shapes of elements that are joined: of their rows, and how many rows one without a value has.
struct Joined {
  PartialShape row;
  int64_t size = -1;  // -1: nobody says
};

Joined ShapesToJoin(const TensorList& list, const PartialShape& element) {
  Require(!element.has_rank() || element.rank() >= 1, "the elements that are joined must be vectors at least");
  Joined joined;
  if (element.has_rank()) {
    joined.row = PartialShape(std::vector<int64_t>(element.dims().begin() + 1, element.dims().end()));
    joined.size = element.dim(0);
  }
  Require(!list.elements.empty() || joined.row.IsFullyDefined(), "an empty list is joined, and its element_shape ",
          element.ToString(), " leaves more than the first dimension open");
  std::vector<int64_t> sizes;
  for (const Value& value : list.elements) {
    if (!value.tensor.IsSet()) continue;
    const Shape& shape = value.tensor.shape();
    Require(shape.rank() >= 1, "the elements that are joined must be vectors at least, and one is a scalar");
    joined.row = joined.row.MergeWith(Subshape(shape, 1, shape.rank()));
    // A list that says all of its elements' shape is not asked whether that is so.
    const bool fits = joined.size == -1 || joined.size == shape.dim(0) || list.element_shape.IsFullyDefined();
    Require(fits, "an element of shape ", shape.ToString(), " does not fit the element_shape ", element.ToString());
    sizes.push_back(shape.dim(0));
  }
  const bool agree = std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) == sizes.end();
  if (joined.size == -1 && !sizes.empty() && agree) joined.size = sizes[0];
  return joined;
}

void CheckRowsSaid(const Node& node) {  // A7
  const auto& said = GetAttr<PartialShape>(node.attrs, "element_shape");
  Require(!said.has_rank() || said.rank() >= 1, "the elements that are joined must be vectors at least");
}

// What the first version knows of the elements: what its attribute says of their rows. It asks neither the elements of
// a list that says all of their shape, nor that list itself.
Joined ShapesToJoinV1(const OpContext& c, const TensorList& list) {
  const auto& said = c.attr<PartialShape>("element_shape");
  PartialShape rows_said = said;
  if (said.has_rank()) {
    std::vector<int64_t> dims(said.dims().begin(), said.dims().end());
    dims[0] = -1;
    rows_said = PartialShape(dims);
  }
  Joined joined = ShapesToJoin(list, rows_said);
  if (!list.element_shape.IsFullyDefined()) return joined;
  Require(said.has_rank() &&
              PartialShape(std::vector<int64_t>(said.dims().begin() + 1, said.dims().end())).IsFullyDefined(),
          "element_shape ", said.ToString(), " does not say which rows a list of one shape has");
  joined.size = -1;
  return joined;
}

void Concat(OpContext& c) {
  const TensorList& list = TypedListInput(c, 0);
  const bool is_first = c.num_inputs() == 1;
  const Joined joined = is_first ? ShapesToJoinV1(c, list) : ShapesToJoin(list, ElementShapeFor(list, c.tensor(1)));
  const Shape row = DefinedShape(joined.row);
  const auto given = is_first ? std::vector<int64_t>() : IntegersOf(c.tensor(2), "leading_dims");
  std::vector<int64_t> lengths;
  int64_t rows = 0;
  for (size_t i = 0; i < list.elements.size(); ++i) {
    const Value& element = list.elements[i];
    int64_t length = joined.size;
    if (element.tensor.IsSet()) {
      length = element.tensor.dim(0);
    } else if (i < given.size()) {
      length = given[i];
    }
    Require(length >= 0, "nothing says how many rows element ", i, " has, which has no value yet");
    Require(rows <= std::numeric_limits<int64_t>::max() - length, "the joined elements have too many rows");
    lengths.push_back(length);
    rows += length;
  }
  Assembly whole(list.element_dtype, WithInserted(row, 0, rows));
  int64_t at = 0;
  for (size_t i = 0; i < lengths.size(); ++i) {
    const int64_t size = lengths[i] * row.elements();
    if (list.elements[i].tensor.IsSet()) whole.Copy(at, list.elements[i], 0, size);
    at += size;
  }
  c.Output(0, whole.Take());
  c.Output(1, IntegerVector(DType::kInt64, lengths));
}

// --- from tensors ---------------------------------------------------------------------------------------------------

// A list without elements for the rows of input `i`.
TensorList ListForRows(OpContext& c, int i, const Tensor& element_shape) {
  const Shape& shape = c.tensor(i).shape();
  Require(shape.rank() >= 1, "the tensor whose rows become elements must be a vector at least");
  TensorList list;
  list.element_dtype = c.tensor(i).dtype();
  list.element_shape = ElementShapeOf(element_shape);
  const Shape row = Subshape(shape, 1, shape.rank());
  Require(list.element_shape.IsCompatibleWith(row), "rows of shape ", row.ToString(),
          " do not fit a list of elements of shape ", list.element_shape.ToString());
  return list;
}

// `count` rows from `first` on in this shape.
Value Rows(const Value& value, int64_t first, int64_t count, const Shape& shape) {
  const Shape& whole = value.tensor.shape();
  const int64_t row = Subshape(whole, 1, whole.rank()).elements();
  Assembly rows(value.tensor.dtype(), shape);
  rows.Copy(0, value, first * row, count * row);
  return rows.Take();
}
Value Row(const Value& value, int64_t i) {
  return Rows(value, i, 1, Subshape(value.tensor.shape(), 1, value.tensor.rank()));
}

void FromTensor(OpContext& c) {
  TensorList list = ListForRows(c, 0, c.tensor(1));
  Grow(list, c.tensor(0).dim(0));
  for (int64_t i = 0; i < c.tensor(0).dim(0); ++i) list.elements[i] = Row(c.input(0), i);
  c.Output(0, AsTensor(std::move(list)));
}

// The rows at the indices of a list that is as long as those ask.
void ScatterRows(TensorList& list, const Value& value, const Tensor& indices) {
  Require(indices.elements() == value.tensor.dim(0), indices.elements(), " indices do not fit a tensor of shape ",
          value.tensor.shape().ToString());
  int64_t size = std::ssize(list.elements);
  for (const int32_t index : indices.data<int32_t>()) {
    Require(index >= 0, "there is no element ", index);
    size = std::max<int64_t>(size, int64_t{index} + 1);
  }
  Grow(list, size);
  for (int64_t i = 0; i < indices.elements(); ++i) list.elements[indices.data<int32_t>()[i]] = Row(value, i);
}

void Scatter(OpContext& c) {
  const int64_t size = c.num_inputs() > 3 ? IntegerOf(c.tensor(3), "num_elements") : -1;
  Require(size >= -1, "a list has no ", size, " elements");
  TensorList list = ListForRows(c, 0, c.tensor(2));
  for (const int32_t index : c.tensor(1).data<int32_t>()) {
    Require(size == -1 || index < size, "there is no element ", index, " in a list of ", size);
  }
  if (size > 0) Grow(list, size);
  ScatterRows(list, c.input(0), c.tensor(1));
  c.Output(0, AsTensor(std::move(list)));
}

void ScatterIntoExistingList(OpContext& c) {
  TensorList list = TypedListInput(c, 0);
  Require(c.tensor(1).rank() >= 1, "the tensor whose rows become elements must be a vector at least");
  Require(c.tensor(2).rank() == 1, "the indices must be a vector, not of shape ", c.tensor(2).shape().ToString());
  const size_t before = list.elements.size();
  ScatterRows(list, c.input(1), c.tensor(2));
  // What TensorFlow adds to reach an index is no element without a value but an empty vector.
  for (size_t i = before; i < list.elements.size(); ++i) {
    if (!list.elements[i].tensor.IsSet()) list.elements[i] = Value(Zeros(list.element_dtype, {0}));
  }
  c.Output(0, AsTensor(std::move(list)));
}

void Split(OpContext& c) {
  const Shape& shape = c.tensor(0).shape();
  Require(shape.rank() >= 1, "the tensor that is cut must be a vector at least");
  TensorList list;
  list.element_dtype = c.tensor(0).dtype();
  list.element_shape = ElementShapeOf(c.tensor(1));
  const PartialShape& element = list.element_shape;
  if (element.has_rank()) {
    Require(element.rank() >= 1, "the pieces must be vectors at least, not scalars");
    const PartialShape row(std::vector<int64_t>(element.dims().begin() + 1, element.dims().end()));
    Require(row.IsCompatibleWith(Subshape(shape, 1, shape.rank())), "pieces of a tensor of shape ", shape.ToString(),
            " do not fit a list of elements of shape ", element.ToString());
  }
  Require(c.tensor(2).rank() == 1, "lengths must be a vector, not of shape ", c.tensor(2).shape().ToString());
  int64_t start = 0;
  for (const int64_t length : c.tensor(2).data<int64_t>()) {
    Require(length >= 0 && length <= shape.dim(0) - start, "a piece of ", length,
            " rows does not fit a tensor of shape ", shape.ToString(), " of which ", start, " rows are taken");
    list.elements.push_back(Rows(c.input(0), start, length, WithDim(shape, 0, length)));
    start += length;
  }
  Require(start == shape.dim(0), "the lengths take ", start, " rows of a tensor of shape ", shape.ToString());
  c.Output(0, AsTensor(std::move(list)));
}

constexpr KernelRow kRows[] = {
    {"TensorListFromTensor", FromTensor},
    {"TensorListStack", Stack},
    {"TensorListGather", Gather},
    {"TensorListScatter", Scatter},
    {"TensorListScatterV2", Scatter},
    {"TensorListScatterIntoExistingList", ScatterIntoExistingList},
    {"TensorListConcat", Concat, CheckRowsSaid},
    {"TensorListConcatV2", Concat},
    {"TensorListSplit", Split},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowTensorListPack() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
