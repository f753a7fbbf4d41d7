#include "fastpath/cpu/lib/state/tensor_array.h"

#include <limits>

#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/state/update.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/brought_here.h"
#include "fastpath/device/variable_access.h"
#include "fastpath/memory/queued_inside.h"
#include "spec/core/memory.h"
#include "spec/session/saved_numbers.h"

namespace plumb::fast::cpu {
namespace {

std::vector<int64_t> Prefixed(const Shape& prefix, std::span<const int64_t> dims) {
  std::vector<int64_t> all = prefix.ToVector();
  all.insert(all.end(), dims.begin(), dims.end());
  return all;
}

std::shared_ptr<TensorArray> Named(KernelContext& context, const std::string& container, const std::string& name) {
  auto array = context.step_resources().Find<TensorArray>({"", container, name});
  if (array == nullptr) throw NotFound("TensorArray ", name, " is not of this step");
  return array;
}

}  // namespace

void TensorArray::Initialize(std::string name, int64_t size, TensorArrayOptions options) {
  MutexLock lock(mutex_);
  InitializeLocked(std::move(name), size, std::move(options));
}

void TensorArray::InitializeLocked(std::string name, int64_t size, TensorArrayOptions options) {
  Require(size >= 0, "a TensorArray cannot have the size ", size);
  name_ = std::move(name);
  size_ = size;
  options_ = std::move(options);
}

void TensorArray::RequireOpen() const { Require(!closed_, "TensorArray ", name_, " has already been closed"); }

void TensorArray::NarrowElementShape(const PartialShape& shape) {
  MutexLock lock(mutex_);
  options_.element_shape = options_.element_shape.MergeWith(shape);
}

int64_t TensorArray::Size() {
  MutexLock lock(mutex_);
  RequireOpen();
  return size_;
}

void TensorArray::Close() {
  MutexLock lock(mutex_);
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
  MutexLock lock(mutex_);
  RequireOpen();
  Grow(size);
}

void TensorArray::PrepareSplit(int64_t size) {
  MutexLock lock(mutex_);
  RequireOpen();
  Require(size_ == size || (options_.dynamic_size && size_ < size), "TensorArray ", name_, " has the size ", size_,
          ", not ", size, ", and may not be resized to that");
  RequireMemory(size, sizeof(Slot));
  Grow(size);
  if (!options_.is_gradient) concat_size_ = size;
}

void TensorArray::Write(ThreadPool& pool, int64_t index, const Tensor& value) {
  MutexLock lock(mutex_);
  RequireOpen();
  WriteLocked(pool, index, value);
}

void TensorArray::WriteMany(ThreadPool& pool, const std::vector<int64_t>& indices, const std::vector<Tensor>& values) {
  MutexLock lock(mutex_);
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
  slot.tensor = HeldOf(value);
  slot.shape = value.shape();
  slot.written = true;
}

// TA7.
void TensorArray::Aggregate(ThreadPool& pool, int64_t index, Slot& slot, const Tensor& value) {
  Require(slot.shape == value.shape(), "index ", index, " of TensorArray ", name_, " has the shape ",
          Printed(slot.shape), "; a value of shape ", Printed(value.shape()), " cannot be added to it");
  if (!slot.tensor.IsSet()) {
    slot.tensor = HeldOf(value);
    return;
  }
  slot.tensor = BroughtHere(slot.tensor);
  if (!slot.tensor.unique() || slot.tensor.is_alias()) slot.tensor = HeldOf(CopyOf(SeenHere(slot.tensor)));
  if (const QueuedInside* const inside = QueuedInside::Current()) {
    inside->Add(slot.tensor, Unaliased(value));
  } else {
    Tensor sum = SeenHere(slot.tensor);
    UpdateInto(pool, Update::kAdd, sum, Unaliased(value));
  }
  aggregated_ = true;
}

Tensor TensorArray::Read(ThreadPool& pool, int64_t index) {
  MutexLock lock(mutex_);
  RequireOpen();
  return ReadLocked(pool, index);
}

std::vector<Tensor> TensorArray::ReadMany(ThreadPool& pool, const std::vector<int64_t>& indices) {
  MutexLock lock(mutex_);
  if (!indices.empty()) RequireOpen();
  std::vector<Tensor> values;
  values.reserve(indices.size());
  for (const int64_t index : indices) values.push_back(ReadLocked(pool, index));
  return values;
}

std::vector<Tensor> TensorArray::ReadAll(ThreadPool& pool) {
  MutexLock lock(mutex_);
  RequireOpen();
  const int64_t size = options_.is_gradient ? concat_size_.value_or(size_) : size_;
  RequireMemory(size, sizeof(Slot) + sizeof(Tensor));
  std::vector<Tensor> values;
  for (int64_t i = 0; i < size; ++i) values.push_back(ReadLocked(pool, i));
  return values;
}

// TA4.
Tensor TensorArray::ReadLocked(ThreadPool& pool, int64_t index) {
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
  if (!slot.tensor.IsSet()) {
    Require(ElementSize(options_.dtype) > 0, "index ", index, " of TensorArray ", name_,
            " was never written, and there are no zeros of type ", DTypeName(options_.dtype));
    slot.tensor = HeldOf(AllocateZeros(pool, options_.dtype, slot.shape));
  }
  slot.read = true;
  if (!options_.clear_after_read) return SeenHere(BroughtHere(slot.tensor));
  slot.cleared = true;
  return SeenHere(BroughtHere(std::exchange(slot.tensor, Tensor())));
}

void TensorArray::MakeGradient(TensorArray& gradient, std::string name, const Shape& prefix) {
  MutexLock lock(mutex_);
  RequireOpen();
  options_.dynamic_size = false;
  MutexLock gradient_lock(gradient.mutex_);
  if (gradient.IsInitialized()) return;
  Require(!aggregated_, "TensorArray ", name_, " added several writes up, so it has no gradient");
  TensorArrayOptions options;
  options.dtype = options_.dtype;
  options.identical_element_shapes = options_.identical_element_shapes;
  options.is_gradient = true;
  if (options_.element_shape.has_rank()) {
    options.element_shape = PartialShape(Prefixed(prefix, options_.element_shape.dims()));
  }
  gradient.InitializeLocked(std::move(name), size_, std::move(options));
  gradient.concat_size_ = concat_size_.value_or(size_);
  for (const auto& [index, slot] : slots_) {
    if (!slot.written) continue;
    Slot& zeros = gradient.slots_[index];
    zeros.shape = Shape(Prefixed(prefix, slot.shape.dims()));
    zeros.written = true;
  }
}

void TensorArray::Save(const StateWriter& writer) const {
  MutexLock lock(mutex_);
  writer.PutScalar<std::string>("name", name_);
  writer.PutScalar<int32_t>("dtype", static_cast<int32_t>(options_.dtype));
  writer.Put("sizes", MakeVector<int64_t>({size_, concat_size_.value_or(-1)}));
  if (options_.element_shape.has_rank()) {
    writer.Put("element_shape", MakeTensor<int64_t>({options_.element_shape.rank()},
                                                    std::span<const int64_t>(options_.element_shape.dims())));
  }
  writer.Put("flags",
             MakeVector<bool>({options_.dynamic_size, options_.clear_after_read, options_.identical_element_shapes,
                               options_.is_gradient, aggregated_, closed_}));
  std::vector<int64_t> indices;
  for (const auto& [index, slot] : slots_) {
    indices.push_back(index);
    const StateWriter one = writer.Under(Str(index));
    if (slot.tensor.IsSet()) one.Put("tensor", ToSave(slot.tensor));
    one.Put("shape", MakeTensor<int64_t>({slot.shape.rank()}, slot.shape.dims()));
    one.Put("flags", MakeVector<bool>({slot.written, slot.read, slot.cleared}));
  }
  writer.Put("indices", MakeTensor<int64_t>({static_cast<int64_t>(indices.size())}, std::span<const int64_t>(indices)));
}

void TensorArray::Restore(const StateReader& reader) {
  MutexLock lock(mutex_);
  name_ = reader.GetScalar<std::string>("name");
  options_.dtype = static_cast<DType>(reader.GetScalar<int32_t>("dtype"));
  const auto sizes = SavedNumbers<int64_t>(reader, "sizes", 2);
  size_ = sizes[0];
  if (sizes[1] >= 0) concat_size_ = sizes[1];
  if (reader.Has("element_shape")) options_.element_shape = PartialShape(ToInt64s(reader.Get("element_shape")));
  const auto flags = SavedNumbers<bool>(reader, "flags", 6);
  options_.dynamic_size = flags[0];
  options_.clear_after_read = flags[1];
  options_.identical_element_shapes = flags[2];
  options_.is_gradient = flags[3];
  aggregated_ = flags[4];
  closed_ = flags[5];
  for (const int64_t index : ToInt64s(reader.Get("indices"))) {
    const StateReader one = reader.Under(Str(index));
    const auto state = SavedNumbers<bool>(one, "flags", 3);
    Slot& slot = slots_[index];
    if (one.Has("tensor")) slot.tensor = one.Get("tensor");
    slot.shape = Shape(ToInt64s(one.Get("shape")));
    slot.written = state[0];
    slot.read = state[1];
    slot.cleared = state[2];
  }
}

std::shared_ptr<TensorArray> TensorArray::Gradient(const std::string& source) {
  MutexLock lock(mutex_);
  RequireOpen();
  const auto found = gradients_.find(source);
  return found == gradients_.end() ? nullptr : found->second.lock();
}

void TensorArray::KeepGradient(const std::string& source, const std::shared_ptr<TensorArray>& gradient) {
  MutexLock lock(mutex_);
  gradients_[source] = gradient;
}

std::optional<std::pair<std::string, std::string>> NameOfTensorArray(KernelContext& context, const std::string& node) {
  const bool is_reference = context.shared_ref(0) != nullptr;
  if (!is_reference && context.input(0).dtype() != DType::kString) return std::nullopt;
  const Tensor strings = is_reference ? Unaliased(context.ref(0).Read(node)) : context.input(0);
  Require(strings.dtype() == DType::kString && strings.elements() == 2,
          "what names a TensorArray is two strings, not of shape ", Printed(strings.shape()));
  return std::pair(strings.data<std::string>()[0], strings.data<std::string>()[1]);
}

// The handle leads to the array itself; one from elsewhere may only name it.
std::shared_ptr<TensorArray> TensorArrayIn(KernelContext& context, const std::string& node) {
  if (const auto name = NameOfTensorArray(context, node)) return Named(context, name->first, name->second);
  const ResourceHandle& handle = HandleIn(context.input(0), kTensorArrayTypeName);
  auto array = std::static_pointer_cast<TensorArray>(handle.target.lock());
  if (array != nullptr && array->IsOf(context.step_resources()) && !array->is_dropped()) return array;
  return Named(context, handle.container, handle.name);
}

}  // namespace plumb::fast::cpu
