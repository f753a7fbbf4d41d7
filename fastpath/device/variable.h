// Variables on the fast path, and the buffers that they share with their readers (rules R10–R49).
//
// A variable behind references owns a buffer that updates write into, whoever holds an alias of it (rules R31, R32). Of
// one behind a handle readers get snapshots: updates copy a buffer that others hold, or, once rows of it were accessed,
// readers copy (rules R42, R44). Kernels reach a variable's value through this class alone.
//
// A variable's value lies in the memory of the device whose kernels use it. It is kept as the host holds it, and given
// to kernels that run inside the device as they see it (fastpath/memory/inside.h). Where kernels of several devices use
// a variable, its value is brought from one to the other; aliases that were taken before show it no longer.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "fastpath/device/resources.h"
#include "spec/core/tensor.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast {

class Variable;

// Told of every access to the variables it is set on, while the variable is locked: it touches no variable itself.
class VariableWitness {
 public:
  enum class Event { kRead, kAssign, kUpdate };
  virtual ~VariableWitness() = default;
  // `version`: how often the variable had been written before.
  virtual void OnAccess(const Variable& variable, Event event, int64_t version) = 0;
};

// Whether a kernel touches all elements, or some rows of them (rule R44).
enum class Access { kAll, kSomeRows };

// The tensor itself; of an alias, a copy of what it holds now.
Tensor Unaliased(const Tensor& tensor);

class Variable : public Resource {
 public:
  Variable() : Variable(/*is_reference=*/true) {}

  // R10, R4: its first op says its type and shape, later ones change nothing.
  void Declare(DType dtype, const Shape& shape);

  DType dtype() const;
  bool IsInitialized() const;  // R11
  Shape shape() const;         // as declared, until it is given another
  int64_t version() const;     // how often it was written

  // Before a kernel hands a reference on: brings the value to where it runs.
  void ComeHere();

  // R30: an alias; R42: a snapshot. Throws kFailedPrecondition while it is uninitialised (rule R13). `reader` and
  // `writer` are nodes, for messages.
  Tensor Read(std::string_view reader);
  // R30, for the executor: an alias as the host holds it, wherever it lies.
  Tensor Dereference(std::string_view reader);
  // R20, R21, R41: kInvalidArgument for another type, and for another shape where that shall be kept.
  void Assign(std::string_view writer, Tensor value, bool keeps_shape);
  // R44: calls read(value) while nobody writes it; others may read meanwhile. From then on the value is the variable's
  // own.
  template <class Reader>
  void ReadRows(std::string_view reader, const Reader& read) {
    const RowReader inside(*this, reader);
    read(inside.rows());
  }
  // An alias that a handle's variable was assigned (rule R41) is saved as what it shows.
  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;
  // Null: nobody is told any more.
  void SetWitness(VariableWitness* witness);

 protected:
  explicit Variable(bool is_reference) : is_reference_(is_reference) {}

 private:
  friend class VariableUpdate;

  // One who reads rows of the value, and is not alone in that.
  class RowReader {
   public:
    RowReader(Variable& variable, std::string_view reader);
    ~RowReader();
    RowReader(const RowReader&) = delete;
    RowReader& operator=(const RowReader&) = delete;
    const Tensor& rows() const { return *rows_; }

   private:
    std::atomic<int32_t>& inside_;
    const Tensor* rows_;
    Tensor seen_;  // inside a device
  };

  // For whoever changes the value, with the lock held, so that no more readers of rows come in.
  void AwaitRowReaders() const PLUMB_REQUIRES(mutex_);
  bool HasValue() const PLUMB_REQUIRES(mutex_) { return tensor_.IsSet() || (is_declared_ && shape_.elements() == 0); }
  void Settle() PLUMB_REQUIRES(mutex_);
  const Tensor& Value(std::string_view reader) PLUMB_REQUIRES(mutex_);
  const Tensor& OwnRows(std::string_view reader) PLUMB_REQUIRES(mutex_);
  Tensor& Writable(std::string_view writer, Access access) PLUMB_REQUIRES(mutex_);
  void WriteInto(Tensor value) PLUMB_REQUIRES(mutex_);
  void Tell(VariableWitness::Event event) const PLUMB_REQUIRES(mutex_) {
    if (witness_ != nullptr) [[unlikely]]
      witness_->OnAccess(*this, event, version_);
  }

  const bool is_reference_;
  mutable Mutex mutex_;
  DType dtype_ PLUMB_GUARDED_BY(mutex_) = DType::kInvalid;
  bool is_declared_ PLUMB_GUARDED_BY(mutex_) = false;
  Shape shape_ PLUMB_GUARDED_BY(mutex_);
  Tensor tensor_ PLUMB_GUARDED_BY(mutex_);  // unset: uninitialised
  bool copies_on_read_ PLUMB_GUARDED_BY(mutex_) = false;
  int64_t version_ PLUMB_GUARDED_BY(mutex_) = 0;
  VariableWitness* witness_ PLUMB_GUARDED_BY(mutex_) = nullptr;
  std::atomic<int32_t> row_readers_ = 0;  // grows under the lock
  std::atomic<bool> lies_on_device_ = false;
};

// What a resource handle names. Of another type, so that equal names do not meet (rule R1).
class ResourceVariable : public Variable {
 public:
  ResourceVariable() : Variable(/*is_reference=*/false) {}
};

// Variables held by a kernel for as long as it updates them (rule R26), each locked once, in address order (rule R27).
class VariableUpdate {
 public:
  static constexpr size_t kMaxVariables = 8;

  VariableUpdate(std::string_view writer, std::span<Variable* const> variables);
  VariableUpdate(std::string_view writer, Variable& variable);
  ~VariableUpdate();
  VariableUpdate(const VariableUpdate&) = delete;
  VariableUpdate& operator=(const VariableUpdate&) = delete;

  // What a variable holds; kFailedPrecondition when that is nothing (rule R13). The references stay, and show what
  // Writable leads to.
  const Tensor& Value(size_t i = 0);
  // The same to be written, which others see as R32, R42 and R44 say. Call it when nothing can be refused any more.
  Tensor& Writable(size_t i = 0, Access access = Access::kAll);

 private:
  void Lock();
  Tensor& Shown(size_t i, Tensor& held);

  const std::string_view writer_;
  size_t size_ = 0;
  size_t num_locked_ = 0;
  size_t num_guards_ = 0;
  Variable* variables_[kMaxVariables];
  Variable* locked_[kMaxVariables];  // in address order, each once
  Mutex* guards_[kMaxVariables];     // of buffers whose elements are wide
  std::unique_ptr<Tensor[]> seen_;   // inside a device: what was shown
};

}  // namespace plumb::fast
