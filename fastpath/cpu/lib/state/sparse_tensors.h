// Sparse tensors that a session keeps, by handle (rule S12).
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "fastpath/device/resources.h"
#include "spec/core/tensor.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast::cpu {

struct KeptSparse {
  Tensor indices, values, shape;
};

class SparseTensors : public Resource {
 public:
  // The handle.
  int64_t Keep(KeptSparse tensor);
  // Nothing where there is none of this handle.
  std::optional<KeptSparse> Take(int64_t handle);

  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  mutable Mutex mutex_;
  std::map<int64_t, KeptSparse> kept_ PLUMB_GUARDED_BY(mutex_);
  int64_t next_ PLUMB_GUARDED_BY(mutex_) = 0;
};

}  // namespace plumb::fast::cpu
