#include "reference/ops/lib/tensor_list.h"

#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "spec/core/memory.h"
#include "spec/formats/tensor_list.h"

namespace plumb::reference {
namespace {

Value AddedElements(const Value& a, const Value& b) {
  if (!a.tensor.IsSet()) return b;
  if (!b.tensor.IsSet()) return a;
  const DType dtype = a.tensor.dtype();
  Require(IsFloating(dtype) || IsComplex(dtype) || IsInteger(dtype), "lists of ", DTypeName(dtype),
          " cannot be added up");
  Require(a.tensor.shape() == b.tensor.shape(), "elements of the shapes ", a.tensor.shape().ToString(), " and ",
          b.tensor.shape().ToString(), " cannot be added up");
  Value sum;
  ForNumber(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const Reader<N> x(a), y(b);
    Writer<N> z(dtype, x.shape());
    for (int64_t i = 0; i < z.size(); ++i) {
      SumOf<N> total;
      total.Add(x[i]);
      total.Add(y[i]);
      z.Set(i, total.Result());
    }
    sum = z.Take();
  });
  return sum;
}

Tensor ZeroOf(const Tensor& tensor) {
  const DType dtype = tensor.dtype();
  Require(dtype != DType::kString && dtype != DType::kResource, "there is no zero for elements of ", DTypeName(dtype));
  Tensor zeros = Zeros(dtype, tensor.shape());
  if (dtype != DType::kVariant) return zeros;
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    zeros.mutable_data<Variant>()[i] = AsVariant(ZeroList(ListIn(tensor.data<Variant>()[i])));
  }
  return zeros;
}

}  // namespace

std::string_view TensorList::type_name() const { return kTensorListTypeName; }

EncodedVariant TensorList::Encode() const {
  std::vector<Tensor> tensors;
  for (const Value& element : elements) tensors.push_back(element.tensor);
  return EncodeTensorList(element_dtype, element_shape, max_num_elements, tensors);
}

std::shared_ptr<const VariantPayload> TensorList::Copy(const std::function<Tensor(const Tensor&)>& copy) const {
  auto result = std::make_shared<TensorList>(*this);
  for (Value& element : result->elements) {
    if (element.tensor.IsSet()) element.tensor = copy(element.tensor);
  }
  return result;
}

const TensorList& ListIn(const Variant& element) {
  const auto* list = dynamic_cast<const TensorList*>(element.payload.get());
  Require(list != nullptr, "a tensor list is needed, not ",
          element.type_name.empty() ? "an empty variant" : element.type_name);
  return *list;
}

const TensorList& ListInput(const OpContext& c, int i) {
  const Tensor& handle = c.tensor(i);
  Require(handle.rank() == 0, "a tensor list is a scalar, not of shape ", handle.shape().ToString());
  return ListIn(handle.data<Variant>()[0]);
}

const TensorList& TypedListInput(const OpContext& c, int i) {
  const TensorList& list = ListInput(c, i);
  const DType wanted = c.attr<DType>("element_dtype");
  Require(list.element_dtype == wanted, "the list holds ", DTypeName(list.element_dtype), ", not ", DTypeName(wanted));
  return list;
}

Variant AsVariant(TensorList list) {
  Variant variant;
  variant.type_name = kTensorListTypeName;
  variant.payload = std::make_shared<const TensorList>(std::move(list));
  return variant;
}
Tensor AsTensor(TensorList list) { return MakeScalar(AsVariant(std::move(list))); }

void Grow(TensorList& list, int64_t size) {
  RequireMemory(size, sizeof(Value));
  list.elements.resize(static_cast<size_t>(size));
}

PartialShape ElementShapeOf(const Tensor& tensor) {
  if (tensor.rank() == 0) {
    const int64_t value = IntegerOf(tensor, "element_shape");
    Require(value == -1, "an element_shape that is a scalar must be -1, not ", value);
    return PartialShape::Unknown();
  }
  std::vector<int64_t> dims = IntegersOf(tensor, "element_shape");
  Require(std::ssize(dims) <= kMaxRank, "an element_shape has at most ", kMaxRank, " dimensions, not ", dims.size());
  for (const int64_t dim : dims) Require(dim >= -1, "element_shape holds the dimension ", dim);
  return PartialShape(std::move(dims));
}

PartialShape ElementShapeFor(const TensorList& list, const Tensor& tensor) {
  return ElementShapeOf(tensor).MergeWith(list.element_shape);
}

Shape DefinedShape(const PartialShape& shape) {
  Require(shape.IsFullyDefined(), "an element without a value needs an element_shape without open dimensions, not ",
          shape.ToString());
  return shape.ToShape();
}

TensorList Added(const TensorList& a, const TensorList& b) {
  Require(a.element_dtype == b.element_dtype, "lists of ", DTypeName(a.element_dtype), " and of ",
          DTypeName(b.element_dtype), " cannot be added up");
  Require(a.elements.size() == b.elements.size(), "lists of ", a.elements.size(), " and ", b.elements.size(),
          " elements cannot be added up");
  TensorList sum;
  sum.element_dtype = a.element_dtype;
  sum.element_shape = a.element_shape.MergeWith(b.element_shape);
  for (size_t i = 0; i < a.elements.size(); ++i) sum.elements.push_back(AddedElements(a.elements[i], b.elements[i]));
  return sum;
}

TensorList ZeroList(const TensorList& list) {
  TensorList zeros;
  zeros.element_dtype = list.element_dtype;
  zeros.element_shape = list.element_shape;
  for (const Value& element : list.elements) {
    zeros.elements.push_back(element.tensor.IsSet() ? Value(ZeroOf(element.tensor)) : Value());
  }
  return zeros;
}

}  // namespace plumb::reference
