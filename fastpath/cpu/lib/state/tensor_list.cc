#include "fastpath/cpu/lib/state/tensor_list.h"

#include "fastpath/cpu/lib/dispatch.h"
#include "spec/core/memory.h"
#include "spec/core/variant_codec.h"

namespace plumb::fast::cpu {
std::string_view TensorList::type_name() const { return kTensorListTypeName; }

EncodedVariant TensorList::Encode() const {
  return EncodeTensorList(element_dtype, element_shape, max_num_elements, elements);
}

std::shared_ptr<const TensorList> TensorList::Decode(const EncodedVariant& encoded) {
  TensorListRecord record = DecodeTensorList(encoded);
  auto list = std::make_shared<TensorList>();
  list->element_dtype = record.element_dtype;
  list->element_shape = std::move(record.element_shape);
  list->max_num_elements = record.max_num_elements;
  list->elements = std::move(record.elements);
  return list;
}

std::shared_ptr<const VariantPayload> TensorList::Copy(const std::function<Tensor(const Tensor&)>& copy) const {
  auto result = std::make_shared<TensorList>(*this);
  for (Tensor& element : result->elements) {
    if (element.IsSet()) element = copy(element);
  }
  return result;
}

const TensorList& ListIn(const Variant& element) {
  const auto* const list = PayloadIn<TensorList>(element);
  Require(list != nullptr, "a tensor list is needed, not ",
          element.type_name.empty() ? "an empty variant" : element.type_name);
  return *list;
}

const TensorList& ListInput(const KernelContext& context, int input) {
  const Tensor& handle = context.input(input);
  Require(handle.rank() == 0, "a tensor list is a scalar, not of shape ", handle.shape().ToString());
  return ListIn(handle.data<Variant>()[0]);
}

const TensorList& ListInput(const KernelContext& context, int input, DType dtype) {
  const TensorList& list = ListInput(context, input);
  Require(list.element_dtype == dtype, "the list holds ", DTypeName(list.element_dtype), ", not ", DTypeName(dtype));
  return list;
}

namespace {

std::shared_ptr<TensorList> CopyOfFirst(const TensorList& list, size_t most) {
  if (list.elements.size() <= most) return std::make_shared<TensorList>(list);
  auto copy = std::make_shared<TensorList>();
  copy->element_dtype = list.element_dtype;
  copy->element_shape = list.element_shape;
  copy->max_num_elements = list.max_num_elements;
  copy->elements.assign(list.elements.begin(), list.elements.begin() + static_cast<std::ptrdiff_t>(most));
  return copy;
}

}  // namespace

std::shared_ptr<TensorList> OwnedListIn(Variant& element, size_t most) {
  const std::shared_ptr<const VariantPayload>& held = element.payload;
  // Else it was written down, and what it was decoded into is everybody's.
  const bool is_list = dynamic_cast<const TensorList*>(held.get()) != nullptr;
  if (!is_list || held.use_count() != 1) return CopyOfFirst(ListIn(element), most);
  // Counting up and down again orders what follows after everything that former users of the list did.
  { const std::shared_ptr<const VariantPayload> ordered = held; }
  auto payload = std::move(element.payload);
  return std::const_pointer_cast<TensorList>(std::static_pointer_cast<const TensorList>(std::move(payload)));
}

std::shared_ptr<TensorList> OwnedList(KernelContext& context, int input, size_t most) {
  Tensor handle = context.TakeInput(input);
  if (handle.unique() && !handle.is_alias()) return OwnedListIn(handle.mutable_data<Variant>()[0], most);
  return CopyOfFirst(ListIn(handle.data<Variant>()[0]), most);
}

Variant AsVariant(std::shared_ptr<const TensorList> list) {
  Variant variant;
  variant.type_name = kTensorListTypeName;
  variant.payload = std::move(list);
  return variant;
}
Tensor AsTensor(std::shared_ptr<const TensorList> list) { return MakeScalar(AsVariant(std::move(list))); }

void Grow(TensorList& list, int64_t size) {
  RequireMemory(size, sizeof(Tensor));
  list.elements.resize(static_cast<size_t>(size));
}

void RequireFits(const TensorList& list, const Shape& shape) {
  if (list.element_shape.IsCompatibleWith(shape)) return;
  throw InvalidArgument("an element of shape ", shape.ToString(), " does not fit a list of elements of shape ",
                        list.element_shape.ToString());
}

void RequireRoom(const TensorList& list) {
  Require(list.max_num_elements < 0 || static_cast<int64_t>(list.elements.size()) < list.max_num_elements,
          "the list is full: it may hold ", list.max_num_elements, " elements");
}

PartialShape ElementShapeOf(const Tensor& tensor) {
  if (tensor.rank() == 0) {
    Require(IntAt(tensor, 0) == -1, "an element_shape that is a scalar must be -1, not ", IntAt(tensor, 0));
    return PartialShape::Unknown();
  }
  Require(tensor.rank() == 1 && tensor.elements() <= kMaxRank, "an element_shape is a vector of at most ", kMaxRank,
          " dimensions, not of shape ", tensor.shape().ToString());
  std::vector<int64_t> dims(static_cast<size_t>(tensor.elements()));
  for (size_t i = 0; i < dims.size(); ++i) {
    dims[i] = IntAt(tensor, static_cast<int64_t>(i));
    Require(dims[i] >= -1, "element_shape holds the dimension ", dims[i]);
  }
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

}  // namespace plumb::fast::cpu
