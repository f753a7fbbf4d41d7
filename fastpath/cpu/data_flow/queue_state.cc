// What is saved of a queue (rule S10).
#include <limits>

#include "fastpath/cpu/data_flow/queue_object.h"

namespace plumb::fast::cpu {
namespace {

constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

void SaveSpec(const QueueSpec& spec, const StateWriter& writer) {
  Tensor types(DType::kInt32, {static_cast<int64_t>(spec.types.size())});
  for (size_t i = 0; i < spec.types.size(); ++i) {
    types.mutable_data<int32_t>()[i] = static_cast<int32_t>(spec.types[i]);
  }
  writer.Put("types", std::move(types));
  writer.PutScalar<bool>("has_shapes", !spec.shapes.empty());
  for (size_t i = 0; i < spec.shapes.size(); ++i) {
    writer.Under("shapes").Put(Str(i), MakeTensor<int64_t>({spec.shapes[i].rank()}, spec.shapes[i].dims()));
  }
  writer.PutScalar<int64_t>("capacity", spec.capacity == kNoLimit ? -1 : spec.capacity);
}

QueueSpec RestoredSpec(const StateReader& reader) {
  QueueSpec spec;
  for (const int64_t type : ToInt64s(reader.Get("types"))) spec.types.push_back(static_cast<DType>(type));
  for (size_t i = 0; reader.GetScalar<bool>("has_shapes") && i < spec.types.size(); ++i) {
    spec.shapes.push_back(Shape(ToInt64s(reader.Under("shapes").Get(Str(i)))));
  }
  const int64_t capacity = reader.GetScalar<int64_t>("capacity");
  spec.capacity = capacity < 0 ? kNoLimit : capacity;
  return spec;
}

}  // namespace

void QueueObject::Save(const StateWriter& writer) const {
  MutexLock lock(mutex_);
  SaveSpec(spec_, writer);
  writer.PutScalar<bool>("is_closed", is_closed_);
  writer.PutScalar<int64_t>("size", Size());
  for (size_t i = 0; i < elements_.size(); ++i) {
    const StateWriter element = writer.Under(Str("elements/", i));
    for (size_t k = 0; k < elements_[i].size(); ++k) {
      element.Under(Str(k)).Put("tensor", Unaliased(TensorOf(elements_[i][k])));
    }
  }
}

void QueueObject::Restore(const StateReader& reader) {
  MutexLock lock(mutex_);
  spec_ = RestoredSpec(reader);
  is_closed_ = reader.GetScalar<bool>("is_closed");
  const auto size = reader.GetScalar<int64_t>("size");
  for (int64_t i = 0; i < size; ++i) {
    const StateReader saved = reader.Under(Str("elements/", i));
    QueueElement& element = elements_.emplace_back();
    for (size_t k = 0; k < spec_.types.size(); ++k) {
      const Tensor& component = element.emplace_back(QueueItem{saved.Under(Str(k)).Get("tensor")}).tensor;
      if (component.dtype() != spec_.types[k])
        throw DataLoss("the saved state of a queue has a component of ", DTypeName(component.dtype()));
    }
  }
}

}  // namespace plumb::fast::cpu
