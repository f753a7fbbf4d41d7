#include "reference/ops/lib/tensor_list.h"

#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "spec/core/memory.h"
#include "spec/core/variant_codec.h"

namespace plumb::reference {

std::string_view TensorList::type_name() const { return kTensorListTypeName; }

EncodedVariant TensorList::Encode() const {
  std::vector<Tensor> tensors;
  for (const Value& element : elements) tensors.push_back(element.tensor);
  return EncodeTensorList(element_dtype, element_shape, max_num_elements, tensors);
}

std::shared_ptr<const TensorList> TensorList::Decode(const EncodedVariant& encoded) {
  const TensorListRecord record = DecodeTensorList(encoded);
  auto list = std::make_shared<TensorList>();
  list->element_dtype = record.element_dtype;
  list->element_shape = record.element_shape;
  list->max_num_elements = record.max_num_elements;
  list->elements.assign(record.elements.begin(), record.elements.end());
  return list;
}

std::shared_ptr<const VariantPayload> TensorList::Copy(const std::function<Tensor(const Tensor&)>& copy) const {
  auto result = std::make_shared<TensorList>(*this);
  for (Value& element : result->elements) {
    if (element.tensor.IsSet()) element.tensor = copy(element.tensor);
  }
  return result;
}

const TensorList& ListIn(const Variant& element) {
  const auto* const list = PayloadIn<TensorList>(element);
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

}  // namespace plumb::reference
