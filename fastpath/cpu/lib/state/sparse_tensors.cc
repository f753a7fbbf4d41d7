#include "fastpath/cpu/lib/state/sparse_tensors.h"

#include "spec/session/saved_numbers.h"

namespace plumb::fast::cpu {

int64_t SparseTensors::Keep(KeptSparse tensor) {
  MutexLock lock(mutex_);
  kept_.emplace_hint(kept_.end(), next_, std::move(tensor));
  return next_++;
}

std::optional<KeptSparse> SparseTensors::Take(int64_t handle) {
  MutexLock lock(mutex_);
  auto found = kept_.extract(handle);
  if (found.empty()) return std::nullopt;
  return std::move(found.mapped());
}

void SparseTensors::Save(const StateWriter& writer) const {
  MutexLock lock(mutex_);
  writer.PutScalar<int64_t>("next", next_);
  writer.PutScalar<int64_t>("size", static_cast<int64_t>(kept_.size()));
  int64_t i = 0;
  for (const auto& entry : kept_) {
    const StateWriter to = writer.Under(Str(i++));
    to.PutScalar<int64_t>("handle", entry.first);
    to.Put("indices", entry.second.indices);
    to.Under("values").Put("tensor", entry.second.values);
    to.Put("shape", entry.second.shape);
  }
}

void SparseTensors::Restore(const StateReader& reader) {
  MutexLock lock(mutex_);
  next_ = reader.GetScalar<int64_t>("next");
  const int64_t size = SavedCount(reader, "size");
  for (int64_t i = 0; i < size; ++i) {
    const StateReader from = reader.Under(Str(i));
    KeptSparse tensor{from.Get("indices"), from.Under("values").Get("tensor"), from.Get("shape")};
    const bool has_types = tensor.indices.dtype() == DType::kInt64 && tensor.shape.dtype() == DType::kInt64;
    if (!has_types || tensor.indices.rank() != 2 || tensor.values.rank() != 1 || tensor.shape.rank() != 1 ||
        tensor.values.dim(0) != tensor.indices.dim(0) || tensor.shape.dim(0) != tensor.indices.dim(1)) {
      throw DataLoss("the saved state of sparse tensors has indices, values and a shape that do not fit each other");
    }
    kept_[from.GetScalar<int64_t>("handle")] = std::move(tensor);
  }
}

}  // namespace plumb::fast::cpu
