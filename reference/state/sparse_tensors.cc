#include "reference/state/sparse_tensors.h"

#include "reference/state/variable.h"
#include "spec/session/saved_numbers.h"

namespace plumb::reference {

std::optional<KeptSparse> SparseTensors::Take(int64_t handle) {
  auto found = kept_.extract(handle);
  if (found.empty()) return std::nullopt;
  return std::move(found.mapped());
}

void SparseTensors::Save(const StateWriter& writer) const {
  writer.PutScalar<int64_t>("next", next_);
  writer.PutScalar<int64_t>("size", std::ssize(kept_));
  int64_t i = 0;
  for (const auto& [handle, tensor] : kept_) {
    const StateWriter entry = writer.Under(Str(i++));
    entry.PutScalar<int64_t>("handle", handle);
    entry.Put("indices", tensor.indices);
    SaveValue(entry.Under("values"), tensor.values);
    entry.Put("shape", tensor.shape);
  }
}

void SparseTensors::Restore(const StateReader& reader) {
  next_ = reader.GetScalar<int64_t>("next");
  const int64_t size = SavedCount(reader, "size");
  for (int64_t i = 0; i < size; ++i) {
    const StateReader entry = reader.Under(Str(i));
    KeptSparse tensor{entry.Get("indices"), RestoredValue(entry.Under("values")), entry.Get("shape")};
    const Tensor& values = tensor.values.tensor;
    if (tensor.indices.dtype() != DType::kInt64 || tensor.indices.rank() != 2 || values.rank() != 1 ||
        tensor.shape.dtype() != DType::kInt64 || tensor.shape.rank() != 1 || values.dim(0) != tensor.indices.dim(0) ||
        tensor.shape.dim(0) != tensor.indices.dim(1)) {
      throw DataLoss("the saved state has a sparse tensor whose parts do not fit each other");
    }
    kept_[entry.GetScalar<int64_t>("handle")] = std::move(tensor);
  }
}

}  // namespace plumb::reference
