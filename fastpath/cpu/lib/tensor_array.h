// The arrays that loops read and write (rules TA1–TA7). One lives for one step.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

inline constexpr const char* kTensorArrayTypeName = "TensorArray";
inline constexpr const char* kTensorArrayContainer = "_tensor_arrays";

struct TensorArrayOptions {
  DType dtype = DType::kInvalid;
  PartialShape element_shape;
  bool dynamic_size = false;
  bool clear_after_read = true;
  bool identical_element_shapes = false;
  bool is_gradient = false;  // TA7: writes to one index add up, and nothing grows
};

class TensorArray : public Resource {
 public:
  // Once, before anyone else sees the array.
  void Initialize(std::string name, int64_t size, TensorArrayOptions options);
  bool IsInitialized() const { return options_.dtype != DType::kInvalid; }

  // All of these throw kInvalidArgument after Close (TA6). The pool is for adding gradients up.
  int64_t Size();
  void Write(ThreadPool& pool, int64_t index, const Tensor& value);
  Tensor Read(int64_t index);
  void Close();

  // All or nothing of a batch, under one lock.
  void WriteMany(ThreadPool& pool, const std::vector<int64_t>& indices, const std::vector<Tensor>& values);
  std::vector<Tensor> ReadMany(const std::vector<int64_t>& indices);

  // Makes room for `size` elements, or throws (TA2).
  void RequireRoom(int64_t size);
  // Exactly `size` elements: grows a dynamic array that is smaller; else throws.
  void RequireSize(int64_t size);

  // TA7: makes `gradient` the array of gradients of this one, and stops this one from growing. The slots' shapes are
  // `prefix` followed by those here.
  void MakeGradient(TensorArray& gradient, std::string name, const Shape& prefix);

  DType dtype() const { return options_.dtype; }
  // From now on elements have a shape that agrees with this one, too; throws where that contradicts what was known
  // (TA5).
  void NarrowElementShape(const PartialShape& shape);

 private:
  struct Slot {
    Tensor tensor;  // unset: all zeros, of `shape`
    Shape shape;
    bool written = false;
    bool read = false;
    bool cleared = false;
  };

  void RequireOpen() const;
  void Grow(int64_t size);
  void WriteLocked(ThreadPool& pool, int64_t index, const Tensor& value);
  void Aggregate(ThreadPool& pool, int64_t index, Slot& slot, const Tensor& value);
  Tensor ReadLocked(int64_t index);

  std::mutex mutex_;
  std::string name_;
  TensorArrayOptions options_;
  int64_t size_ = 0;                          // GUARDED_BY(mutex_)
  absl::flat_hash_map<int64_t, Slot> slots_;  // GUARDED_BY(mutex_): only those in use, however large the size
  bool closed_ = false;                       // GUARDED_BY(mutex_)
  bool aggregated_ = false;                   // GUARDED_BY(mutex_)
};

// The array behind a handle in input 0; kNotFound when it is gone.
std::shared_ptr<TensorArray> TensorArrayIn(KernelContext& context, const std::string& node);

}  // namespace plumb::fast::cpu
