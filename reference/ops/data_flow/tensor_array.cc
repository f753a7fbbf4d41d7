// The ops on TensorArrays (rules TA1–TA7, TA9).
#include "reference/kernel/tensor_array.h"

#include <algorithm>
#include <limits>

#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/data_flow/tensor_array_kernels.h"
#include "reference/ops/lib/named_resource.h"
#include "spec/core/memory.h"

namespace plumb::reference {
namespace {

constexpr char kContainer[] = "_tensor_arrays";
constexpr char kGradients[] = "_tensor_array_grads";  // where strings say so (TA9)
constexpr char kType[] = "TensorArray";

bool IsNamedByStrings(const OpContext& c) { return c.output_type(0) == DType::kString; }

void OutputArray(OpContext& c, const ResourceName& name) {
  if (IsNamedByStrings(c) && !IsRef(c.node.output_types[0])) {
    return c.Output(0, MakeVector<std::string>({name.container, name.name}));
  }
  OutputHandle(c, {c.node.device, name.container, name.name}, kType);
}

ResourceName NameOfArray(const OpContext& c) {
  const Tensor& handle = c.tensor(0);
  if (handle.dtype() == DType::kResource) return {"", kContainer, HandleInput(c, 0, kType).name};
  Require(handle.elements() == 2, "what names a TensorArray is two strings, not of shape ", handle.shape().ToString());
  return {"", handle.data<std::string>()[0], handle.data<std::string>()[1]};
}

TensorArray& ArrayOf(OpContext& c) {
  const ResourceName name = NameOfArray(c);
  TensorArray* array = c.step.Find<TensorArray>(name);
  if (array == nullptr) throw NotFound("there is no TensorArray '", name.name, "' in this step");
  return *array;
}

void CheckType(const TensorArray& array, DType wanted) {
  Require(array.dtype() == wanted, "the TensorArray holds ", DTypeName(array.dtype()), ", not ", DTypeName(wanted));
}

int64_t ScalarInput(const OpContext& c, int i, std::string_view what) {
  Require(c.tensor(i).rank() == 0, what, " must be a scalar, not of shape ", c.tensor(i).shape().ToString());
  return IntegerOf(c.tensor(i), what);
}
std::vector<int64_t> VectorInput(const OpContext& c, int i, std::string_view what) {
  Require(c.tensor(i).rank() == 1, what, " must be a vector, not of shape ", c.tensor(i).shape().ToString());
  return IntegersOf(c.tensor(i), what);
}

// Values one behind the other: along a new axis, or along their first.
Value Joined(DType dtype, const Shape& shape, const std::vector<Value>& values) {
  CheckResultSize(shape);
  Assembly result(dtype, shape);
  int64_t at = 0;
  for (const Value& value : values) {
    result.Copy(at, value, 0, value.tensor.elements());
    at += value.tensor.elements();
  }
  return result.Take();
}

// TA5: nothing to gather from, so the shape must be known.
Value Nothing(DType dtype, const PartialShape& rest) {
  if (!rest.IsFullyDefined()) {
    throw Unimplemented("no element is read, and the element shape ", rest.ToString(), " is not fully defined");
  }
  return Value(Zeros(dtype, WithInserted(rest.ToShape(), 0, 0)));
}

// The array to gather from, which has these elements' shape from now on.
TensorArray& ArrayToGather(OpContext& c) {
  TensorArray& array = ArrayOf(c);
  CheckType(array, c.output_type(0));
  array.MergeElementShape(c.attr<PartialShape>("element_shape"));
  return array;
}

void OutputStacked(OpContext& c, DType dtype, const std::vector<Value>& values) {
  const PartialShape& element_shape = c.attr<PartialShape>("element_shape");
  if (values.empty()) return c.Output(0, Nothing(dtype, element_shape));
  const Shape& first = values[0].tensor.shape();
  Require(element_shape.IsCompatibleWith(first), "the element shape ", element_shape.ToString(),
          " is not that of the element at index 0, ", first.ToString());
  for (const Value& value : values) {
    Require(value.tensor.shape() == first, "the TensorArray has inconsistent shapes: ", first.ToString(), " and ",
            value.tensor.shape().ToString());
  }
  c.Output(0, Joined(dtype, WithInserted(first, 0, std::ssize(values)), values));
}

// Writes row `from` of the value.
void WriteRow(TensorArray& array, int64_t index, const Value& value, int64_t from) {
  const Shape row = WithoutAxis(value.tensor.shape(), 0);
  Assembly element(array.dtype(), row);
  element.Copy(0, value, from * row.elements(), row.elements());
  array.Write(index, element.Take());
}

// How the rows of a value are split; kInvalidArgument unless `lengths` adds up to them.
void CheckLengths(const std::vector<int64_t>& lengths, int64_t rows) {
  int64_t total = 0;
  for (const int64_t length : lengths) {
    Require(length >= 0 && length <= rows - total, "lengths must be >= 0 and add up to the ", rows,
            " rows of the value; one is ", length);
    total += length;
  }
  Require(total == rows, "lengths add up to ", total, ", but the value has ", rows, " rows");
}

}  // namespace

// TA1: one object per execution; the flow only orders the ops on it.
void MakeTensorArray(OpContext& c) {
  const int64_t size = ScalarInput(c, 0, "size");
  const std::string& given = c.attr<std::string>("tensor_array_name");
  const ResourceName name = {"", kContainer, Str(given.empty() ? c.node.name : given, "_", c.execution)};
  c.step.FindOrCreate<TensorArray>(name).Init(
      name.name, size,
      {.dtype = c.attr<DType>("dtype"),
       .element_shape = c.attr<PartialShape>("element_shape"),
       .dynamic_size = c.attr<bool>("dynamic_size"),
       .clear_after_read = c.attr<bool>("clear_after_read"),
       .identical_element_shapes = GetAttrOr(c.node.attrs, "identical_element_shapes", false)});
  OutputArray(c, name);
  if (c.outputs.size() > 1) c.Output(1, MakeScalar<float>(0));
}

// TA7: the gradient array of (array, source), created when first asked for.
void TensorArrayGrad(OpContext& c) {
  const ResourceName of = NameOfArray(c);
  Require(of.container == kContainer, "TensorArrays are in '", kContainer, "', not in '", of.container, "'");
  TensorArray& forward = ArrayOf(c);
  forward.CheckOpen();
  const Shape prepended = c.num_inputs() > 2 ? ShapeOfVector(c.tensor(2), "shape_to_prepend") : Shape();
  const ResourceName name = {"", IsNamedByStrings(c) ? kGradients : kContainer,
                             Str(of.name, "@", c.attr<std::string>("source"))};
  TensorArray& gradient = c.step.FindOrCreate<TensorArray>(name);
  if (!gradient.IsInit()) gradient.InitGradient(name.name, forward, prepended);
  OutputArray(c, name);
  if (c.outputs.size() > 1) c.Output(1, c.input(1));
}

void TensorArrayWrite(OpContext& c) {
  TensorArray& array = ArrayOf(c);
  CheckType(array, c.tensor(2).dtype());
  array.Write(ScalarInput(c, 1, "index"), c.input(2));
  c.Output(0, c.input(3));
}

void TensorArrayRead(OpContext& c) {
  TensorArray& array = ArrayOf(c);
  CheckType(array, c.output_type(0));
  c.Output(0, array.Read(ScalarInput(c, 1, "index")));
}

void TensorArrayGather(OpContext& c) {
  TensorArray& array = ArrayToGather(c);
  std::vector<Value> values;
  for (const int64_t index : VectorInput(c, 1, "indices")) values.push_back(array.Read(index));
  OutputStacked(c, array.dtype(), values);
}

void TensorArrayPack(OpContext& c) {
  TensorArray& array = ArrayToGather(c);
  RequireMemory(array.ConcatSize(), sizeof(Value));
  std::vector<Value> values;
  for (int64_t i = 0; i < array.ConcatSize(); ++i) values.push_back(array.Read(i));
  OutputStacked(c, array.dtype(), values);
}

void TensorArrayScatter(OpContext& c) {
  TensorArray& array = ArrayOf(c);
  const Value& value = c.input(2);
  CheckType(array, value.tensor.dtype());
  const Shape& shape = value.tensor.shape();
  Require(shape.rank() >= 1, "the value to scatter must be at least a vector");
  const std::vector<int64_t> indices = VectorInput(c, 1, "indices");
  Require(shape.dim(0) == std::ssize(indices), "there are ", indices.size(), " indices for ", shape.dim(0), " rows");
  const int64_t highest = indices.empty() ? -1 : *std::max_element(indices.begin(), indices.end());
  Require(array.dynamic_size() || highest < array.Size(), "the highest scatter index ", highest,
          " must be < the array size ", array.Size());
  for (size_t i = 0; i < indices.size(); ++i) WriteRow(array, indices[i], value, static_cast<int64_t>(i));
  c.Output(0, c.input(3));
}

void TensorArrayUnpack(OpContext& c) {
  TensorArray& array = ArrayOf(c);
  const Value& value = c.input(1);
  CheckType(array, value.tensor.dtype());
  const Shape& shape = value.tensor.shape();
  Require(shape.rank() >= 1, "the value to unpack must be at least a vector");
  const int64_t rows = shape.dim(0);
  Require(array.Size() == rows || (array.dynamic_size() && array.Size() < rows), "there are ", rows,
          " rows for a TensorArray of size ", array.Size());
  RequireMemory(rows, sizeof(Value));
  array.MarkSplit(rows);
  for (int64_t i = 0; i < rows; ++i) WriteRow(array, i, value, i);
  c.Output(0, c.input(2));
}

void TensorArrayConcat(OpContext& c) {
  TensorArray& array = ArrayOf(c);
  CheckType(array, c.output_type(0));
  const PartialShape& rest = c.attr<PartialShape>("element_shape_except0");
  const int64_t size = array.ConcatSize();
  if (size == 0) {
    c.Output(0, Nothing(array.dtype(), rest));
    c.Output(1, Zeros(DType::kInt64, {0}));
    return;
  }
  RequireMemory(size, sizeof(Value));
  std::vector<Value> values;
  std::vector<int64_t> lengths;
  int64_t rows = 0;
  for (int64_t i = 0; i < size; ++i) {
    values.push_back(array.Read(i));
    const Shape& shape = values.back().tensor.shape();
    Require(shape.rank() >= 1, "the element at index ", i, " is a scalar, which cannot be concatenated");
    const Shape except0 = WithoutAxis(shape, 0), first = WithoutAxis(values[0].tensor.shape(), 0);
    Require(except0 == first && rest.IsCompatibleWith(except0),
            "the TensorArray has inconsistent shapes: the element at index ", i, " has shape ", shape.ToString());
    lengths.push_back(shape.dim(0));
    Require(lengths.back() <= std::numeric_limits<int64_t>::max() - rows, "the elements have too many rows together");
    rows += lengths.back();
  }
  c.Output(0, Joined(array.dtype(), WithDim(values[0].tensor.shape(), 0, rows), values));
  c.Output(1, MakeTensor<int64_t>({size}, std::span<const int64_t>(lengths)));
}

void TensorArraySplit(OpContext& c) {
  TensorArray& array = ArrayOf(c);
  const Value& value = c.input(1);
  CheckType(array, value.tensor.dtype());
  const std::vector<int64_t> lengths = VectorInput(c, 2, "lengths");
  const Shape& shape = value.tensor.shape();
  Require(shape.rank() >= 1, "the value to split must be at least a vector");
  CheckLengths(lengths, shape.dim(0));
  const int64_t count = std::ssize(lengths);
  Require(array.Size() == count || (array.dynamic_size() && array.Size() < count), "there are ", count,
          " lengths for a TensorArray of size ", array.Size());
  array.MarkSplit(std::max(array.Size(), count));
  int64_t row = 0;
  const int64_t row_size = WithoutAxis(shape, 0).elements();
  for (int64_t i = 0; i < count; ++i) {
    Assembly element(array.dtype(), WithDim(shape, 0, lengths[i]));
    element.Copy(0, value, row * row_size, lengths[i] * row_size);
    array.Write(i, element.Take());
    row += lengths[i];
  }
  c.Output(0, c.input(3));
}

void TensorArraySize(OpContext& c) { c.Output(0, MakeScalar(static_cast<int32_t>(ArrayOf(c).Size()))); }

void TensorArrayClose(OpContext& c) { ArrayOf(c).Close(); }

namespace {

constexpr KernelRow kRows[] = {
    {"TensorArrayV3", MakeTensorArray},
    {"TensorArrayGradV3", TensorArrayGrad},
    {"TensorArrayGradWithShape", TensorArrayGrad},
    {"TensorArrayWriteV3", TensorArrayWrite},
    {"TensorArrayReadV3", TensorArrayRead},
    {"TensorArrayGatherV3", TensorArrayGather},
    {"TensorArrayScatterV3", TensorArrayScatter},
    {"TensorArrayConcatV3", TensorArrayConcat},
    {"TensorArraySplitV3", TensorArraySplit},
    {"TensorArraySizeV3", TensorArraySize},
    {"TensorArrayCloseV3", TensorArrayClose},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowTensorArray() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
