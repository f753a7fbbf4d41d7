#include "reference/kernel/tensor_array.h"

#include <limits>

#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "spec/session/saved_numbers.h"

namespace plumb::reference {
namespace {

Value Added(const Value& a, const Value& b) {
  Value sum;
  ForNumber(a.tensor.dtype(), [&](auto tag) {
    using N = typename decltype(tag)::Type;
    Array<N> total = Load<N>(a);
    const Array<N> more = Load<N>(b);
    for (size_t i = 0; i < total.at.size(); ++i) total.at[i] += more.at[i];
    sum = Store(total);
  });
  return sum;
}

}  // namespace

void TensorArray::Init(std::string name, int64_t size, Properties properties) {
  name_ = std::move(name);
  Require(size >= 0, "the size of TensorArray '", name_, "' should be >= 0, not ", size);
  size_ = size;
  properties_ = std::move(properties);
}

void TensorArray::InitGradient(std::string name, TensorArray& forward, const Shape& prepended) {
  name_ = std::move(name);
  is_gradient_ = true;
  forward.properties_.dynamic_size = false;
  Require(!forward.aggregated_, "TensorArray '", forward.name_,
          "' has no gradient: several values were written to one index");
  size_ = forward.size_;
  concat_size_ = forward.concat_size_ >= 0 ? forward.concat_size_ : size_;
  properties_ = {.dtype = forward.dtype(),
                 .element_shape = {},
                 .dynamic_size = false,
                 .clear_after_read = true,
                 .identical_element_shapes = forward.properties_.identical_element_shapes};
  if (forward.properties_.element_shape.has_rank()) {
    std::vector<int64_t> dims = prepended.ToVector();
    const std::vector<int64_t>& rest = forward.properties_.element_shape.dims();
    dims.insert(dims.end(), rest.begin(), rest.end());
    properties_.element_shape = PartialShape(std::move(dims));
  }
  for (const auto& [index, element] : forward.elements_) {
    if (!element.written) continue;
    elements_[index].shape = Concatenated(prepended, element.shape);
    elements_[index].written = true;
  }
}

int64_t TensorArray::Size() const {
  CheckOpen();
  return size_;
}

int64_t TensorArray::ConcatSize() const {
  CheckOpen();
  return is_gradient_ ? concat_size_ : size_;
}

void TensorArray::MarkSplit(int64_t size) {
  if (!is_gradient_) concat_size_ = size;
}

void TensorArray::MergeElementShape(const PartialShape& shape) {
  properties_.element_shape = properties_.element_shape.MergeWith(shape);
}

void TensorArray::Write(int64_t index, const Value& value) {
  CheckOpen();
  CheckFits(index, value.tensor);
  size_ = std::max(size_, index + 1);
  if (properties_.identical_element_shapes && !properties_.element_shape.IsFullyDefined()) {
    properties_.element_shape = value.tensor.shape();  // TA3
  }
  Element& element = elements_[index];
  Require(!element.read, Where(index), " cannot be written because it has already been read");
  Require(is_gradient_ || !element.written, Where(index), " cannot be written because it has already been written to");
  if (element.written) return Aggregate(element, index, value);
  element = {.value = value, .shape = value.tensor.shape(), .written = true, .read = false, .cleared = false};
}

void TensorArray::CheckFits(int64_t index, const Tensor& tensor) const {
  Require(index >= 0 && (properties_.dynamic_size || index < size_), Where(index),
          " cannot be written: the array is not resizeable and its size is ", size_);
  Require(index < std::numeric_limits<int32_t>::max(), Where(index), " cannot be written: a size is an int32");
  Require(tensor.dtype() == dtype(), Where(index), " holds ", DTypeName(dtype()), ", not ", DTypeName(tensor.dtype()));
  Require(properties_.element_shape.IsCompatibleWith(tensor.shape()), Where(index), " cannot hold a value of shape ",
          tensor.shape().ToString(), ": the element shape is ", properties_.element_shape.ToString());
}

// TA7: in a gradient array, writes to one index add up. The first one only replaces the zeros that a known shape
// stands for, so that the array may still have a gradient itself.
void TensorArray::Aggregate(Element& element, int64_t index, const Value& value) {
  Require(element.shape == value.tensor.shape(), Where(index), " has shape ", element.shape.ToString(),
          "; a value of shape ", value.tensor.shape().ToString(), " cannot be added");
  aggregated_ |= element.value.has_value();
  element.value = element.value ? Added(Current(*element.value), value) : value;
}

Value TensorArray::Read(int64_t index) {
  CheckOpen();
  Require(index >= 0 && (is_gradient_ || index < size_), Where(index), " cannot be read: the size is ", size_);
  if (!elements_[index].written) MarkUnwrittenAsZeros(index);
  Element& element = elements_[index];
  Require(!element.cleared, Where(index),
          " cannot be read twice: it was cleared after a previous read (clear_after_read = false keeps it)");
  CheckResultSize(element.shape);
  Require(element.value || ElementSize(dtype()) > 0, Where(index),
          " was never written, and there are no zeros of type ", DTypeName(dtype()));
  Value value = element.value ? Current(*element.value) : Value(Zeros(dtype(), element.shape));
  if (properties_.clear_after_read) {
    element.value.reset();
    element.cleared = true;
  }
  element.read = true;
  return value;
}

// TA4, TA7: what was never written is zeros, if its shape is known.
void TensorArray::MarkUnwrittenAsZeros(int64_t index) {
  Element& element = elements_[index];
  Require(properties_.element_shape.IsFullyDefined(), Where(index),
          " cannot be read: nothing was written, and the element shape ", properties_.element_shape.ToString(),
          " is not fully defined");
  element.shape = properties_.element_shape.ToShape();
  element.written = true;
  size_ = std::max(size_, index + 1);
}

void TensorArray::Close() {
  elements_.clear();
  closed_ = true;
}

std::shared_ptr<Resource> TensorArray::Clone(Copies& copies) const {
  auto clone = std::make_shared<TensorArray>(*this);
  for (auto& [index, element] : clone->elements_) {
    if (element.value) Relink(*element.value, copies);
  }
  return clone;
}

void TensorArray::Save(const StateWriter& writer) const {
  writer.PutScalar<std::string>("name", name_);
  writer.PutScalar<int32_t>("dtype", static_cast<int32_t>(properties_.dtype));
  SaveShape(writer, "element_shape", properties_.element_shape);
  writer.Put("flags", MakeVector<bool>({properties_.dynamic_size, properties_.clear_after_read,
                                        properties_.identical_element_shapes, is_gradient_, aggregated_, closed_}));
  writer.Put("sizes", MakeVector<int64_t>({size_, concat_size_}));
  std::vector<int64_t> indices;
  for (const auto& [index, element] : elements_) {
    indices.push_back(index);
    const StateWriter one = writer.Under(Str(index));
    if (element.value) SaveValue(one, *element.value);
    SaveShape(one, "shape", element.shape);
    one.Put("flags", MakeVector<bool>({element.written, element.read, element.cleared}));
  }
  writer.Put("indices", MakeTensor<int64_t>({std::ssize(indices)}, std::span<const int64_t>(indices)));
}

void TensorArray::Restore(const StateReader& reader) {
  name_ = reader.GetScalar<std::string>("name");
  properties_.dtype = static_cast<DType>(reader.GetScalar<int32_t>("dtype"));
  properties_.element_shape = RestoredShape(reader, "element_shape");
  const auto flags = SavedNumbers<bool>(reader, "flags", 6);
  properties_.dynamic_size = flags[0];
  properties_.clear_after_read = flags[1];
  properties_.identical_element_shapes = flags[2];
  is_gradient_ = flags[3];
  aggregated_ = flags[4];
  closed_ = flags[5];
  const auto sizes = SavedNumbers<int64_t>(reader, "sizes", 2);
  size_ = sizes[0];
  concat_size_ = sizes[1];
  for (const int64_t index : ToInt64s(reader.Get("indices"))) {
    const StateReader one = reader.Under(Str(index));
    Element& element = elements_[index];
    if (one.Has("tensor")) element.value = RestoredValue(one);
    element.shape = RestoredShape(one, "shape").ToShape();
    const auto state = SavedNumbers<bool>(one, "flags", 3);
    element.written = state[0];
    element.read = state[1];
    element.cleared = state[2];
  }
}

void TensorArray::CheckOpen() const { Require(!closed_, "TensorArray '", name_, "' has already been closed"); }

std::string TensorArray::Where(int64_t index) const { return Str("index ", index, " of TensorArray '", name_, "'"); }

}  // namespace plumb::reference
