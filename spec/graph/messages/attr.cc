// AttrValue messages (rule 9.3) and shapes (rule 9.6).
#include "spec/graph/proto_io.h"
#include "spec/proto/attr_value.pb.h"

namespace plumb {
namespace {

FunctionRef FunctionFromProto(const pb::NameAttrList& function, Expansion* expansion) {
  FunctionRef ref{.name = function.name(), .attrs = nullptr};
  if (function.attr().empty()) return ref;
  auto attrs = std::make_shared<AttrMap>();
  for (const auto& [name, value] : function.attr()) attrs->emplace(name, FromProto(value, expansion));
  ref.attrs = std::move(attrs);
  return ref;
}

void FunctionToProto(const FunctionRef& ref, pb::NameAttrList* to) {
  to->set_name(ref.name);
  if (ref.attrs == nullptr) return;
  for (const auto& [name, value] : *ref.attrs) ToProto(value, &(*to->mutable_attr())[name]);
}

// The elements as T, or nothing when there are none.
template <class T, class Repeated, class Convert>
void TakeList(const Repeated& from, AttrValue* to, const Convert& convert) {
  if (from.empty()) return;
  Require(to->Get<EmptyList>() != nullptr, "a list attribute mixes values of several kinds");
  std::vector<T> values;
  values.reserve(static_cast<size_t>(from.size()));
  for (const auto& value : from) values.push_back(convert(value));
  *to = std::move(values);
}

AttrValue ListFromProto(const pb::AttrValue::ListValue& list, Expansion* expansion) {
  AttrValue value = EmptyList();  // rule A6: an empty list does not say of what
  const auto same = [](const auto& element) { return element; };
  TakeList<std::string>(list.s(), &value, same);
  TakeList<int64_t>(list.i(), &value, same);
  TakeList<float>(list.f(), &value, same);
  TakeList<bool>(list.b(), &value, same);
  TakeList<DType>(list.type(), &value, [](int type) { return DType(type); });
  TakeList<PartialShape>(list.shape(), &value, [](const pb::TensorShapeProto& shape) { return FromProto(shape); });
  TakeList<Tensor>(list.tensor(), &value, [&](const pb::TensorProto& tensor) { return FromProto(tensor, expansion); });
  TakeList<FunctionRef>(list.func(), &value,
                        [&](const pb::NameAttrList& function) { return FunctionFromProto(function, expansion); });
  return value;
}

pb::DataType TypeToProto(DType type) { return static_cast<pb::DataType>(type); }

// One alternative of AttrValue each.
struct Writer {
  pb::AttrValue* to;
  void operator()(std::monostate) const {}
  void operator()(const std::string& value) const { to->set_s(value); }
  void operator()(int64_t value) const { to->set_i(value); }
  void operator()(float value) const { to->set_f(value); }
  void operator()(bool value) const { to->set_b(value); }
  void operator()(DType value) const { to->set_type(TypeToProto(value)); }
  void operator()(const PartialShape& value) const { ToProto(value, to->mutable_shape()); }
  void operator()(const Tensor& value) const { ToProto(value, to->mutable_tensor()); }
  void operator()(const FunctionRef& value) const { FunctionToProto(value, to->mutable_func()); }
  void operator()(const AttrPlaceholder& value) const { to->set_placeholder(value.name); }
  void operator()(EmptyList) const { to->mutable_list(); }
  template <class T>
  void operator()(const std::vector<T>& values) const {
    pb::AttrValue::ListValue* list = to->mutable_list();
    for (const auto& value : values) Append(static_cast<const T&>(value), list);
  }
  static void Append(const std::string& value, pb::AttrValue::ListValue* list) { list->add_s(value); }
  static void Append(int64_t value, pb::AttrValue::ListValue* list) { list->add_i(value); }
  static void Append(float value, pb::AttrValue::ListValue* list) { list->add_f(value); }
  static void Append(bool value, pb::AttrValue::ListValue* list) { list->add_b(value); }
  static void Append(DType value, pb::AttrValue::ListValue* list) { list->add_type(TypeToProto(value)); }
  static void Append(const PartialShape& value, pb::AttrValue::ListValue* list) { ToProto(value, list->add_shape()); }
  static void Append(const Tensor& value, pb::AttrValue::ListValue* list) { ToProto(value, list->add_tensor()); }
  static void Append(const FunctionRef& value, pb::AttrValue::ListValue* list) {
    FunctionToProto(value, list->add_func());
  }
};

}  // namespace

AttrValue FromProto(const pb::AttrValue& value, Expansion* expansion) {
  switch (value.value_case()) {
    case pb::AttrValue::kList:
      return ListFromProto(value.list(), expansion);
    case pb::AttrValue::kS:
      return value.s();
    case pb::AttrValue::kI:
      return int64_t{value.i()};
    case pb::AttrValue::kF:
      return value.f();
    case pb::AttrValue::kB:
      return value.b();
    case pb::AttrValue::kType:
      return DType(value.type());
    case pb::AttrValue::kShape:
      return FromProto(value.shape());
    case pb::AttrValue::kTensor:
      return FromProto(value.tensor(), expansion);
    case pb::AttrValue::kPlaceholder:
      return AttrPlaceholder{value.placeholder()};
    case pb::AttrValue::kFunc:
      return FunctionFromProto(value.func(), expansion);
    case pb::AttrValue::VALUE_NOT_SET:
      break;
  }
  return AttrValue();
}

void ToProto(const AttrValue& value, pb::AttrValue* to) {
  std::visit(Writer{to}, static_cast<const internal::AttrVariant&>(value));
}

PartialShape FromProto(const pb::TensorShapeProto& shape) {
  if (shape.unknown_rank()) {
    Require(shape.dim().empty(), "a shape of unknown rank has ", shape.dim_size(), " dimensions");
    return PartialShape::Unknown();
  }
  Require(shape.dim_size() <= kMaxRank, "a shape has ", shape.dim_size(), " dimensions; the limit is ", kMaxRank);
  std::vector<int64_t> dims;
  dims.reserve(static_cast<size_t>(shape.dim_size()));
  int64_t known = 1;
  for (const auto& dim : shape.dim()) {
    Require(dim.size() >= -1, "a shape has the dimension ", dim.size(), "; unknown is -1");
    dims.push_back(dim.size());
    const auto product = CheckedMultiply(known, dim.size() < 0 ? 1 : dim.size());
    Require(product.has_value(), "the element count of a shape overflows at dimension ", dims.size() - 1);
    known = *product;
  }
  return PartialShape(std::move(dims));
}

void ToProto(const PartialShape& shape, pb::TensorShapeProto* to) {
  if (!shape.has_rank()) return to->set_unknown_rank(true);
  for (const int64_t dim : shape.dims()) to->add_dim()->set_size(dim);
}

}  // namespace plumb
