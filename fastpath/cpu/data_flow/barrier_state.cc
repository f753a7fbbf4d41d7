// What is saved of a barrier (rule S10).
#include "fastpath/cpu/data_flow/barrier_object.h"
#include "spec/session/saved_numbers.h"

namespace plumb::fast::cpu {
namespace {

Tensor TypesTensor(const std::vector<DType>& types) {
  Tensor numbers(DType::kInt32, {static_cast<int64_t>(types.size())});
  for (size_t k = 0; k < types.size(); ++k) numbers.mutable_data<int32_t>()[k] = static_cast<int32_t>(types[k]);
  return numbers;
}

Tensor DimsTensor(const Shape& shape) {
  return MakeTensor<int64_t>({shape.rank()}, std::span<const int64_t>(shape.dims()));
}

}  // namespace

void BarrierObject::Save(const StateWriter& writer) const {
  MutexLock lock(mutex_);
  writer.Put("types", TypesTensor(spec_.types));
  for (size_t k = 0; k < spec_.shapes.size(); ++k) writer.Under("shapes").Put(Str(k), DimsTensor(spec_.shapes[k]));
  writer.PutScalar<int64_t>("next_index", next_index_);
  writer.PutScalar<bool>("is_closed", is_closed_);
  writer.PutScalar<bool>("is_cancelled", is_cancelled_);
  writer.PutScalar<bool>("ready_is_closed", ready_is_closed_);
  const auto put = [](const StateWriter& to, const Tuple& tuple) {
    to.PutScalar<int64_t>("index", tuple.index);
    to.PutScalar<std::string>("key", tuple.key);
    for (size_t k = 0; k < tuple.components.size(); ++k) {
      if (tuple.components[k].IsSet()) to.Under(Str(k)).Put("tensor", tuple.components[k]);
    }
  };
  writer.PutScalar<int64_t>("ready", static_cast<int64_t>(ready_.size()));
  for (size_t i = 0; i < ready_.size(); ++i) put(writer.Under(Str("ready_", i)), ready_[i]);
  writer.PutScalar<int64_t>("incomplete", static_cast<int64_t>(incomplete_.size()));
  int64_t i = 0;
  for (const auto& entry : incomplete_) put(writer.Under(Str("incomplete_", i++)), entry.second);
}

BarrierObject::Tuple BarrierObject::RestoredTuple(const StateReader& reader) const {
  Tuple tuple{reader.GetScalar<int64_t>("index"), reader.GetScalar<std::string>("key"), {}};
  for (size_t k = 0; k < spec_.types.size(); ++k) {
    Tensor component;
    if (reader.Has(Str(k, "/tensor"))) component = reader.Under(Str(k)).Get("tensor");
    if (component.IsSet() && (component.dtype() != spec_.types[k] || !(component.shape() == spec_.shapes[k]))) {
      throw DataLoss("the saved state of a barrier has a component that is not the barrier's");
    }
    tuple.components.push_back(std::move(component));
  }
  return tuple;
}

void BarrierObject::Restore(const StateReader& reader) {
  MutexLock lock(mutex_);
  for (const int64_t type : ToInt64s(reader.Get("types"))) spec_.types.push_back(static_cast<DType>(type));
  if (spec_.types.empty()) throw DataLoss("the saved state of a barrier has no components");
  for (size_t k = 0; k < spec_.types.size(); ++k) {
    spec_.shapes.emplace_back(ToInt64s(reader.Under("shapes").Get(Str(k))));
  }
  next_index_ = reader.GetScalar<int64_t>("next_index");
  is_closed_ = reader.GetScalar<bool>("is_closed");
  is_cancelled_ = reader.GetScalar<bool>("is_cancelled");
  ready_is_closed_ = reader.GetScalar<bool>("ready_is_closed");
  const int64_t ready = SavedCount(reader, "ready"), incomplete = SavedCount(reader, "incomplete");
  for (int64_t i = 0; i < ready; ++i) {
    ready_.push_back(RestoredTuple(reader.Under(Str("ready_", i))));
    for (const Tensor& component : ready_.back().components) {
      if (!component.IsSet()) throw DataLoss("the saved state of a barrier has a tuple that lacks a component");
    }
  }
  for (int64_t i = 0; i < incomplete; ++i) {
    Tuple tuple = RestoredTuple(reader.Under(Str("incomplete_", i)));
    std::string key = tuple.key;
    incomplete_.emplace(std::move(key), std::move(tuple));
  }
}

}  // namespace plumb::fast::cpu
