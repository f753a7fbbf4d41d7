// Sparse tensors that a session keeps, by handle (rule S12).
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "reference/numbers/value.h"
#include "reference/state/resources.h"

namespace plumb::reference {

// Indices, values and shape, none of which anyone changes.
struct KeptSparse {
  Tensor indices;
  Value values;
  Tensor shape;
};

class SparseTensors : public ClonedByCopy<SparseTensors> {
 public:
  // The handle.
  int64_t Keep(KeptSparse tensor) {
    kept_[next_] = std::move(tensor);
    return next_++;
  }
  // Nothing where there is none of this handle.
  std::optional<KeptSparse> Take(int64_t handle);

  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  std::map<int64_t, KeptSparse> kept_;
  int64_t next_ = 0;
};

}  // namespace plumb::reference
