#include "fastpath/device/variable.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

#include "fastpath/device/brought_here.h"
#include "fastpath/device/device.h"
#include "fastpath/device/kernel.h"
#include "fastpath/device/variable_buffer.h"
#include "fastpath/memory/inside.h"
#include "spec/core/choice_point.h"

namespace plumb::fast {
namespace {

// From here on it is cheaper to take a value's memory over than to copy it.
constexpr size_t kTakeOverBytes = 4096;
constinit ChoicePoint take_over("assignment: elements copied, or memory taken over");

bool MayTakeOver(const Tensor& value) { return value.unique() && !value.is_alias() && value.IsAligned(); }

// Of what the host holds, to be held as well.
Tensor HeldCopyOf(const Tensor& held) { return HeldOf(CopyOf(SeenHere(held))); }

[[noreturn]] void ThrowUninitialized(std::string_view reader) {
  throw FailedPrecondition("node ", reader, ": Attempting to use an uninitialized value; run its initializer first");
}

}  // namespace

void Variable::Declare(DType dtype, const Shape& shape) {
  MutexLock lock(mutex_);
  if (is_declared_) return;
  is_declared_ = true;
  dtype_ = dtype;
  shape_ = shape;
}

DType Variable::dtype() const {
  MutexLock lock(mutex_);
  return dtype_;
}

bool Variable::IsInitialized() const {
  MutexLock lock(mutex_);
  return HasValue();
}

Shape Variable::shape() const {
  MutexLock lock(mutex_);
  return tensor_.IsSet() ? tensor_.shape() : shape_;
}

int64_t Variable::version() const {
  MutexLock lock(mutex_);
  return version_;
}

void Variable::SetWitness(VariableWitness* witness) {
  MutexLock lock(mutex_);
  witness_ = witness;
}

void Variable::ComeHere() {
  if (!lies_on_device_.load(std::memory_order_relaxed) && Inside::Current() == nullptr) return;
  MutexLock lock(mutex_);
  Settle();
}

// Who reads rows goes on in the memory where they lie. Strings, which older handles are, lie on the host for all.
void Variable::Settle() {
  const Inside* const inside = Inside::Current();
  lies_on_device_.store(inside != nullptr, std::memory_order_relaxed);
  if (!tensor_.IsSet() || !IsPlain(tensor_.dtype()) || IsHeldHere(tensor_)) return;
  AwaitRowReaders();
  const Tensor on_host = LockedOnHost(tensor_);
  tensor_ = is_reference_ ? NewVariableBuffer(HeldCopyOf(on_host)) : HeldOf(on_host);
}

Tensor Variable::Dereference(std::string_view reader) {
  MutexLock lock(mutex_);
  if (!HasValue()) ThrowUninitialized(reader);
  Tell(VariableWitness::Event::kRead);
  return tensor_.IsSet() ? tensor_ : Allocate(dtype_, shape_);
}

Tensor Variable::Read(std::string_view reader) {
  MutexLock lock(mutex_);
  if (!HasValue()) ThrowUninitialized(reader);
  Tell(VariableWitness::Event::kRead);
  if (!tensor_.IsSet()) return Allocate(dtype_, shape_);
  Settle();
  return copies_on_read_ ? CopyOf(SeenHere(tensor_)) : SeenHere(tensor_);
}

void Variable::Assign(std::string_view writer, Tensor value, bool keeps_shape) {
  value = HeldOf(std::move(value));
  MutexLock lock(mutex_);
  const bool has_shape = tensor_.IsSet() || is_declared_;
  const Shape& shape = tensor_.IsSet() ? tensor_.shape() : shape_;
  Require(dtype_ == DType::kInvalid || value.dtype() == dtype_, "node ", writer, ": the variable holds ",
          DTypeName(dtype_), ", not ", DTypeName(value.dtype()));
  Require(!keeps_shape || !has_shape || value.shape() == shape, "node ", writer, ": a value of shape ",
          value.shape().ToString(), " cannot be assigned to a variable of shape ", shape.ToString());
  AwaitRowReaders();
  Tell(VariableWitness::Event::kAssign);
  ++version_;
  dtype_ = value.dtype();
  lies_on_device_.store(Inside::Current() != nullptr, std::memory_order_relaxed);
  if (!is_reference_) {
    tensor_ = copies_on_read_ ? HeldCopyOf(value) : std::move(value);
  } else if (tensor_.IsSet() && tensor_.elements() == value.elements()) {
    Settle();
    WriteInto(std::move(value));
  } else {
    tensor_ = NewVariableBuffer(MayTakeOver(value) ? std::move(value) : HeldCopyOf(value));
  }
}

// R21: into the buffer; where nobody else holds either, the value's memory becomes the buffer's.
void Variable::WriteInto(Tensor value) {
  if (!(tensor_.shape() == value.shape())) tensor_ = tensor_.Reshaped(value.shape());
  if (value.SharesWith(tensor_)) return;
  if (take_over.Chosen(value.bytes() >= kTakeOverBytes && tensor_.unique() && MayTakeOver(value))) {
    tensor_ = NewVariableBuffer(std::move(value));
    return;
  }
  const GuardLock guard(tensor_);
  Tensor place = SeenHere(tensor_);
  CopyElements(SeenHere(value), place);
}

const Tensor& Variable::Value(std::string_view reader) {
  if (!HasValue()) ThrowUninitialized(reader);
  if (!tensor_.IsSet()) {
    Tensor empty = Allocate(dtype_, shape_);
    tensor_ = is_reference_ ? NewVariableBuffer(HeldOf(std::move(empty))) : HeldOf(std::move(empty));
  }
  Settle();
  return tensor_;
}

const Tensor& Variable::OwnRows(std::string_view reader) {
  const Tensor& value = Value(reader);
  if (is_reference_ || copies_on_read_) return value;
  if (!value.unique() || value.is_alias()) tensor_ = HeldCopyOf(value);
  copies_on_read_ = true;
  return tensor_;
}

// What the first reader of rows makes of the value stays as it is while readers are inside: only those who await them
// change it.
Variable::RowReader::RowReader(Variable& variable, std::string_view reader) : inside_(variable.row_readers_) {
  MutexLock lock(variable.mutex_);
  rows_ = &variable.OwnRows(reader);
  if (Inside::Current() != nullptr) {
    seen_ = SeenHere(*rows_);
    rows_ = &seen_;
  }
  variable.Tell(VariableWitness::Event::kRead);
  inside_.fetch_add(1, std::memory_order_relaxed);
}

Variable::RowReader::~RowReader() {
  if (inside_.fetch_sub(1, std::memory_order_release) == 1) inside_.notify_all();
}

void Variable::AwaitRowReaders() const {
  for (int32_t inside; (inside = row_readers_.load(std::memory_order_acquire)) != 0;) {
    row_readers_.wait(inside, std::memory_order_acquire);
  }
}

Tensor& Variable::Writable(std::string_view writer, Access access) {
  const Tensor& value = access == Access::kSomeRows ? OwnRows(writer) : Value(writer);
  if (!is_reference_ && (!value.unique() || value.is_alias())) tensor_ = HeldCopyOf(value);
  Tell(VariableWitness::Event::kUpdate);
  ++version_;
  return tensor_;
}

void Variable::Save(const StateWriter& writer) const {
  MutexLock lock(mutex_);
  writer.PutScalar<int32_t>("dtype", static_cast<int32_t>(dtype_));
  const Shape& shape = tensor_.IsSet() ? tensor_.shape() : shape_;
  if (is_declared_) writer.Put("shape", MakeTensor<int64_t>({shape.rank()}, shape.dims()));
  if (!is_reference_) writer.PutScalar<bool>("copies", copies_on_read_);
  writer.PutScalar<int64_t>("version", version_);
  if (tensor_.IsSet()) writer.Under("value").Put("tensor", CopyOf(tensor_));
}

void Variable::Restore(const StateReader& reader) {
  MutexLock lock(mutex_);
  AwaitRowReaders();
  dtype_ = static_cast<DType>(reader.GetScalar<int32_t>("dtype"));
  is_declared_ = reader.Has("shape");
  if (is_declared_) shape_ = Shape(ToInt64s(reader.Get("shape")));
  copies_on_read_ = !is_reference_ && reader.GetScalar<bool>("copies");
  version_ = reader.GetScalar<int64_t>("version");
  const StateReader saved = reader.Under("value");
  if (!saved.Has("tensor")) return;
  if (saved.Get("tensor").dtype() != dtype_) {
    throw DataLoss("the saved state of a variable of ", DTypeName(dtype_), " has a value of ",
                   DTypeName(saved.Get("tensor").dtype()));
  }
  Tensor value = CopyOf(saved.Get("tensor"));
  tensor_ = is_reference_ ? NewVariableBuffer(std::move(value)) : std::move(value);
}

VariableUpdate::VariableUpdate(std::string_view writer, std::span<Variable* const> variables)
    : writer_(writer), size_(variables.size()) {
  if (size_ > kMaxVariables) throw Internal("a kernel updates ", size_, " variables");
  std::copy(variables.begin(), variables.end(), variables_);
  Lock();
}

VariableUpdate::VariableUpdate(std::string_view writer, Variable& variable) : writer_(writer), size_(1) {
  variables_[0] = &variable;
  Lock();
}

// How many locks are taken is not known to clang; each is held from here until the destructor.
void VariableUpdate::Lock() PLUMB_NO_THREAD_SAFETY_ANALYSIS {
  std::copy_n(variables_, size_, locked_);
  std::sort(locked_, locked_ + size_, std::less<>());
  num_locked_ = static_cast<size_t>(std::unique(locked_, locked_ + size_) - locked_);
  for (size_t i = 0; i < num_locked_; ++i) {
    locked_[i]->mutex_.lock();
    locked_[i]->AwaitRowReaders();
  }
}

VariableUpdate::~VariableUpdate() PLUMB_NO_THREAD_SAFETY_ANALYSIS {
  for (size_t i = 0; i < num_guards_; ++i) guards_[i]->unlock();
  for (size_t i = 0; i < num_locked_; ++i) locked_[i]->mutex_.unlock();
}

const Tensor& VariableUpdate::Value(size_t i) PLUMB_NO_THREAD_SAFETY_ANALYSIS {
  variables_[i]->Value(writer_);
  return Shown(i, variables_[i]->tensor_);
}

// Inside a device, what was shown before is another handle on the buffer: it counts as a holder until it is shown anew.
Tensor& VariableUpdate::Shown(size_t i, Tensor& held) {
  if (Inside::Current() == nullptr) return held;
  if (seen_ == nullptr) seen_ = std::make_unique<Tensor[]>(kMaxVariables);
  return seen_[i] = SeenHere(held);
}

Tensor& VariableUpdate::Writable(size_t i, Access access) PLUMB_NO_THREAD_SAFETY_ANALYSIS {
  std::array<bool, kMaxVariables> was_shown{};
  for (size_t k = 0; seen_ != nullptr && k < size_; ++k) {
    was_shown[k] = variables_[k] == variables_[i] && seen_[k].IsSet();
    if (was_shown[k]) seen_[k].Reset();
  }
  Tensor& value = variables_[i]->Writable(writer_, access);
  Mutex* const guard = value.buffer()->guard;
  if (guard != nullptr && std::find(guards_, guards_ + num_guards_, guard) == guards_ + num_guards_) {
    guard->lock();
    guards_[num_guards_++] = guard;
  }
  for (size_t k = 0; k < size_; ++k) {
    if (was_shown[k]) Shown(k, value);
  }
  return Shown(i, value);
}

}  // namespace plumb::fast
