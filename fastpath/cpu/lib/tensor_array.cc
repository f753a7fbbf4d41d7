#include "fastpath/cpu/lib/tensor_array.h"

#include <cstring>
#include <limits>

#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/update.h"
#include "fastpath/cpu/lib/variable_access.h"

namespace plumb::fast::cpu {
namespace {

Tensor AllocateZeros(DType dtype, const Shape& shape) {
  Tensor zeros = Allocate(dtype, shape);
  if (ElementSize(dtype) > 0 && zeros.bytes() > 0) std::memset(zeros.mutable_raw(), 0, zeros.bytes());
  return zeros;
}

std::vector<int64_t> Prefixed(const Shape& prefix, std::span<const int64_t> dims) {
  std::vector<int64_t> all = prefix.ToVector();
  all.insert(all.end(), dims.begin(), dims.end());
  return all;
}

}  // namespace

void TensorArray::Initialize(std::string name, int64_t size, TensorArrayOptions options) {
  Require(size >= 0, "a TensorArray cannot have the size ", size);
  name_ = std::move(name);
  size_ = size;
  options_ = std::move(options);
}

void TensorArray::RequireOpen() const { Require(!closed_, "TensorArray ", name_, " has already been closed"); }

void TensorArray::NarrowElementShape(const PartialShape& shape) {
  std::lock_guard lock(mutex_);
  RequireOpen();
  options_.element_shape = options_.element_shape.MergeWith(shape);
}

int64_t TensorArray::Size() {
  std::lock_guard lock(mutex_);
  RequireOpen();
  return size_;
}

void TensorArray::Close() {
  std::lock_guard lock(mutex_);
  closed_ = true;
  slots_.clear();
}

void TensorArray::Grow(int64_t size) {
  if (size <= size_) return;
  Require(options_.dynamic_size, "TensorArray ", name_, " has the size ", size_, " and may not grow to ", size);
  Require(size <= std::numeric_limits<int32_t>::max(), "TensorArray ", name_, " cannot grow to ", size);
  size_ = size;
}

void TensorArray::RequireRoom(int64_t size) {
  std::lock_guard lock(mutex_);
  RequireOpen();
  Grow(size);
}

void TensorArray::RequireSize(int64_t size) {
  std::lock_guard lock(mutex_);
  RequireOpen();
  Require(size_ == size || (options_.dynamic_size && size_ < size), "TensorArray ", name_, " has the size ", size_,
          ", not ", size, ", and may not be resized to that");
  Grow(size);
}

void TensorArray::Write(ThreadPool& pool, int64_t index, const Tensor& value) {
  std::lock_guard lock(mutex_);
  RequireOpen();
  WriteLocked(pool, index, value);
}

void TensorArray::WriteMany(ThreadPool& pool, const std::vector<int64_t>& indices, const std::vector<Tensor>& values) {
  std::lock_guard lock(mutex_);
  RequireOpen();
  for (size_t i = 0; i < indices.size(); ++i) WriteLocked(pool, indices[i], values[i]);
}

// TA2, TA3.
void TensorArray::WriteLocked(ThreadPool& pool, int64_t index, const Tensor& value) {
  Require(index >= 0, "TensorArray ", name_, " has no index ", index);
  Require(value.dtype() == options_.dtype, "TensorArray ", name_, " holds ", DTypeName(options_.dtype), ", not ",
          DTypeName(value.dtype()));
  Require(options_.element_shape.IsCompatibleWith(value.shape()), "a value of shape ", Printed(value.shape()),
          " does not fit the element shape ", Printed(options_.element_shape), " of TensorArray ", name_);
  Grow(index + 1);
  Slot& slot = slots_[index];
  Require(!slot.read, "index ", index, " of TensorArray ", name_, " has already been read");
  Require(!slot.written || options_.is_gradient, "index ", index, " of TensorArray ", name_,
          " has already been written to");
  if (options_.identical_element_shapes) options_.element_shape = value.shape();
  if (slot.written) return Aggregate(pool, index, slot, value);
  slot.tensor = value;
  slot.shape = value.shape();
  slot.written = true;
}

// TA7.
void TensorArray::Aggregate(ThreadPool& pool, int64_t index, Slot& slot, const Tensor& value) {
  Require(slot.shape == value.shape(), "index ", index, " of TensorArray ", name_, " has the shape ",
          Printed(slot.shape), "; a value of shape ", Printed(value.shape()), " cannot be added to it");
  if (!slot.tensor.IsSet()) {
    slot.tensor = value;
    return;
  }
  if (!slot.tensor.unique()) slot.tensor = slot.tensor.Clone();
  UpdateInto(pool, Update::kAdd, slot.tensor, value);
  aggregated_ = true;
}

Tensor TensorArray::Read(int64_t index) {
  std::lock_guard lock(mutex_);
  RequireOpen();
  return ReadLocked(index);
}

std::vector<Tensor> TensorArray::ReadMany(const std::vector<int64_t>& indices) {
  std::lock_guard lock(mutex_);
  RequireOpen();
  std::vector<Tensor> values;
  values.reserve(indices.size());
  for (const int64_t index : indices) values.push_back(ReadLocked(index));
  return values;
}

// TA4.
Tensor TensorArray::ReadLocked(int64_t index) {
  Require(index >= 0 && (index < size_ || options_.is_gradient), "index ", index, " is outside TensorArray ", name_,
          " of size ", size_);
  Slot& slot = slots_[index];
  Require(!slot.cleared, "index ", index, " of TensorArray ", name_,
          " was cleared by an earlier read; clear_after_read = false keeps it");
  if (!slot.written) {
    Require(options_.element_shape.IsFullyDefined(), "index ", index, " of TensorArray ", name_,
            " was never written, and the element shape is not fully known");
    slot.shape = options_.element_shape.ToShape();
    slot.written = true;
    size_ = std::max(size_, index + 1);  // TA7: a gradient array grows by being read
  }
  if (!slot.tensor.IsSet()) slot.tensor = AllocateZeros(options_.dtype, slot.shape);
  slot.read = true;
  if (!options_.clear_after_read) return slot.tensor;
  slot.cleared = true;
  return std::move(slot.tensor);
}

void TensorArray::MakeGradient(TensorArray& gradient, std::string name, const Shape& prefix) {
  std::lock_guard lock(mutex_);
  RequireOpen();
  options_.dynamic_size = false;
  std::lock_guard gradient_lock(gradient.mutex_);
  if (gradient.IsInitialized()) return;
  Require(!aggregated_, "TensorArray ", name_, " added several writes up, so it has no gradient");
  TensorArrayOptions options;
  options.dtype = options_.dtype;
  options.identical_element_shapes = options_.identical_element_shapes;
  options.is_gradient = true;
  if (options_.element_shape.has_rank()) {
    options.element_shape = PartialShape(Prefixed(prefix, options_.element_shape.dims()));
  }
  gradient.Initialize(std::move(name), size_, std::move(options));
  for (const auto& [index, slot] : slots_) {
    if (!slot.written) continue;
    Slot& zeros = gradient.slots_[index];
    zeros.shape = Shape(Prefixed(prefix, slot.shape.dims()));
    zeros.written = true;
  }
}

std::shared_ptr<TensorArray> TensorArrayIn(KernelContext& context, const std::string& node) {
  const ResourceHandle& handle = HandleIn(context.input(0), kTensorArrayTypeName);
  auto array = context.step_resources().Find<TensorArray>(handle.container, handle.name);
  if (array == nullptr) throw NotFound("node ", node, ": TensorArray ", handle.name, " is not of this step");
  return array;
}

}  // namespace plumb::fast::cpu
