// The arrays that loops read and write (rules TA1–TA7). One lives for one step.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

inline constexpr const char* kTensorArrayTypeName = "TensorArray";
inline constexpr const char* kTensorArrayContainer = "_tensor_arrays";
inline constexpr const char* kTensorArrayGradients = "_tensor_array_grads";  // where strings say so (TA9)

struct TensorArrayOptions {
  DType dtype = DType::kInvalid;
  PartialShape element_shape;
  bool dynamic_size = false;
  bool clear_after_read = true;
  bool identical_element_shapes = false;
  bool is_gradient = false;  // TA7: writes to one index add up, and only reads make it longer
};

class TensorArray : public Resource {
 public:
  // Once, before anyone else sees the array.
  void Initialize(std::string name, int64_t size, TensorArrayOptions options);
  bool IsInitialized() const { return options_.dtype != DType::kInvalid; }

  // All of these throw kInvalidArgument after Close (TA6). The pool is for adding gradients up, and for zeros.
  int64_t Size();
  void Write(ThreadPool& pool, int64_t index, const Tensor& value);
  Tensor Read(ThreadPool& pool, int64_t index);
  void Close();

  // All or nothing of a batch, under one lock.
  void WriteMany(ThreadPool& pool, const std::vector<int64_t>& indices, const std::vector<Tensor>& values);
  std::vector<Tensor> ReadMany(ThreadPool& pool, const std::vector<int64_t>& indices);
  // All elements, and of a gradient array as many as TA7 says. kResourceExhausted where memory is not enough for them.
  std::vector<Tensor> ReadAll(ThreadPool& pool);

  // Makes room for `size` elements, or throws (TA2).
  void RequireRoom(int64_t size);
  // Exactly `size` elements: grows a dynamic array that is smaller; else throws. Split writes that many, which Concat
  // of the gradient arrays that are made later takes (TA7).
  void PrepareSplit(int64_t size);

  // What ops name the array by, and the resources of its step. Set once, before anyone else sees the array.
  void SetHandle(Tensor handle, const ResourceManager& home) {
    handle_ = std::move(handle);
    home_ = &home;
  }
  const Tensor& handle() const { return handle_; }
  bool IsOf(const ResourceManager& step_resources) const { return home_ == &step_resources; }

  // The gradient array that was made for a source; null when there is none yet. Throws after Close (TA6).
  std::shared_ptr<TensorArray> Gradient(const std::string& source);
  void KeepGradient(const std::string& source, const std::shared_ptr<TensorArray>& gradient);
  // TA7: makes `gradient` the array of gradients of this one, and stops this one from growing. The slots' shapes are
  // `prefix` followed by those here.
  void MakeGradient(TensorArray& gradient, std::string name, const Shape& prefix);

  DType dtype() const { return options_.dtype; }
  // From now on elements have a shape that agrees with this one, too; throws where that contradicts what was known
  // (TA5).
  void NarrowElementShape(const PartialShape& shape);

  // An alias among the elements is saved as what it shows. Gradient arrays are resources of their own.
  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  struct Slot {
    Tensor tensor;  // as the host holds it, wherever it lies; unset: all zeros, of `shape`
    Shape shape;
    bool written = false;
    bool read = false;
    bool cleared = false;
  };

  void InitializeLocked(std::string name, int64_t size, TensorArrayOptions options) PLUMB_REQUIRES(mutex_);
  void RequireOpen() const PLUMB_REQUIRES(mutex_);
  void Grow(int64_t size) PLUMB_REQUIRES(mutex_);
  void WriteLocked(ThreadPool& pool, int64_t index, const Tensor& value) PLUMB_REQUIRES(mutex_);
  void Aggregate(ThreadPool& pool, int64_t index, Slot& slot, const Tensor& value) PLUMB_REQUIRES(mutex_);
  Tensor ReadLocked(ThreadPool& pool, int64_t index) PLUMB_REQUIRES(mutex_);

  Tensor handle_;
  const ResourceManager* home_ = nullptr;
  mutable Mutex mutex_;
  std::string name_;
  TensorArrayOptions options_;
  int64_t size_ PLUMB_GUARDED_BY(mutex_) = 0;
  std::optional<int64_t> concat_size_ PLUMB_GUARDED_BY(mutex_);        // of a gradient array; of others, what was split
  absl::flat_hash_map<int64_t, Slot> slots_ PLUMB_GUARDED_BY(mutex_);  // only those in use, however large the size
  bool closed_ PLUMB_GUARDED_BY(mutex_) = false;
  bool aggregated_ PLUMB_GUARDED_BY(mutex_) = false;
  absl::flat_hash_map<std::string, std::weak_ptr<TensorArray>> gradients_ PLUMB_GUARDED_BY(mutex_);  // by source
};

// Container and name of the array, where input 0 holds them (TA9); nothing where it holds a handle.
std::optional<std::pair<std::string, std::string>> NameOfTensorArray(KernelContext& context, const std::string& node);

// The array behind a handle in input 0, or under the name that strings there give it (TA9); kNotFound when it is gone.
std::shared_ptr<TensorArray> TensorArrayIn(KernelContext& context, const std::string& node);

}  // namespace plumb::fast::cpu
