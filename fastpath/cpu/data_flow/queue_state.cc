// What is saved of a queue (rule S10).
#include <limits>

#include "fastpath/cpu/data_flow/queue_object.h"
#include "spec/session/saved_numbers.h"

namespace plumb::fast::cpu {
namespace {

constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

Tensor DimsTensor(const PartialShape& shape) {
  return MakeTensor<int64_t>({shape.rank()}, std::span<const int64_t>(shape.dims()));
}

void SaveSpec(const QueueSpec& spec, const StateWriter& writer) {
  writer.PutScalar<int32_t>("kind", static_cast<int32_t>(spec.kind));
  Tensor types(DType::kInt32, {static_cast<int64_t>(spec.types.size())});
  for (size_t i = 0; i < spec.types.size(); ++i) {
    types.mutable_data<int32_t>()[i] = static_cast<int32_t>(spec.types[i]);
  }
  writer.Put("types", std::move(types));
  writer.PutScalar<bool>("has_shapes", !spec.shapes.empty());
  for (size_t i = 0; i < spec.shapes.size(); ++i) {
    if (spec.shapes[i].has_rank()) writer.Under("shapes").Put(Str(i), DimsTensor(spec.shapes[i]));
  }
  writer.PutScalar<int64_t>("capacity", spec.capacity == kNoLimit ? -1 : spec.capacity);
  writer.PutScalar<int64_t>("min_after_dequeue", spec.min_after_dequeue);
}

QueueSpec RestoredSpec(const StateReader& reader) {
  QueueSpec spec;
  const auto kind = reader.GetScalar<int32_t>("kind");
  if (kind < 0 || kind > static_cast<int32_t>(QueueKind::kPriority)) throw DataLoss("there is no queue of kind ", kind);
  spec.kind = static_cast<QueueKind>(kind);
  for (const int64_t type : ToInt64s(reader.Get("types"))) spec.types.push_back(static_cast<DType>(type));
  if (spec.types.empty()) throw DataLoss("the saved state of a queue has no components");
  const StateReader shapes = reader.Under("shapes");
  for (size_t i = 0; reader.GetScalar<bool>("has_shapes") && i < spec.types.size(); ++i) {
    spec.shapes.push_back(shapes.Has(Str(i)) ? PartialShape(ToInt64s(shapes.Get(Str(i)))) : PartialShape::Unknown());
  }
  const int64_t capacity = reader.GetScalar<int64_t>("capacity");
  spec.capacity = capacity < 0 ? kNoLimit : capacity;
  spec.min_after_dequeue = reader.GetScalar<int64_t>("min_after_dequeue");
  return spec;
}

}  // namespace

void QueueObject::Save(const StateWriter& writer) const {
  MutexLock lock(mutex_);
  SaveSpec(spec_, writer);
  writer.Put("seeds", MakeVector<int64_t>({spec_.seed, spec_.seed2, static_cast<int64_t>(stream_seed_),
                                           static_cast<int64_t>(stream_seed2_), words_used_}));
  writer.PutScalar<bool>("is_closed", is_closed_);
  writer.PutScalar<int64_t>("size", Size());
  for (size_t i = 0; i < elements_.size(); ++i) {
    const StateWriter element = writer.Under(Str("elements/", i));
    for (size_t k = 0; k < elements_[i].size(); ++k) {
      element.Under(Str(k)).Put("tensor", Unaliased(TensorOf(elements_[i][k])));
    }
  }
}

void QueueObject::RestoreSeeds(const Tensor& saved) {
  const std::vector<int64_t> seeds = ToInt64s(saved);
  if (seeds.size() != 5 || seeds[4] < 0) throw DataLoss("the saved state of a queue has no stream of numbers");
  spec_.seed = seeds[0];
  spec_.seed2 = seeds[1];
  stream_seed_ = static_cast<uint64_t>(seeds[2]);
  stream_seed2_ = static_cast<uint64_t>(seeds[3]);
  words_used_ = seeds[4];
}

void QueueObject::Restore(const StateReader& reader) {
  MutexLock lock(mutex_);
  spec_ = RestoredSpec(reader);
  RestoreSeeds(reader.Get("seeds"));
  is_closed_ = reader.GetScalar<bool>("is_closed");
  const int64_t size = SavedCount(reader, "size");
  for (int64_t i = 0; i < size; ++i) {
    const StateReader saved = reader.Under(Str("elements/", i));
    QueueElement& element = elements_.emplace_back();
    for (size_t k = 0; k < spec_.types.size(); ++k) {
      const Tensor& component = element.emplace_back(QueueItem{saved.Under(Str(k)).Get("tensor")}).tensor;
      if (component.dtype() != spec_.types[k])
        throw DataLoss("the saved state of a queue has a component of ", DTypeName(component.dtype()));
      if (!spec_.shapes.empty() && !spec_.shapes[k].IsCompatibleWith(component.shape()))
        throw DataLoss("the saved state of a queue has a component of shape ", component.shape().ToString());
    }
    if (spec_.kind == QueueKind::kPriority && element.at(0).tensor.rank() != 0) {
      throw DataLoss("the saved state of a priority queue has a priority that is not a scalar");
    }
  }
}

}  // namespace plumb::fast::cpu
