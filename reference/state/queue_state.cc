// What is saved of a queue (rule S10).
#include "reference/state/queue.h"
#include "spec/session/saved_numbers.h"

namespace plumb::reference {

void Queue::Save(const StateWriter& writer) const {
  writer.PutScalar<int32_t>("kind", static_cast<int32_t>(type.kind));
  std::vector<int32_t> types;
  for (const DType dtype : type.types) types.push_back(static_cast<int32_t>(dtype));
  writer.Put("types", MakeTensor<int32_t>({std::ssize(types)}, std::span<const int32_t>(types)));
  writer.PutScalar<bool>("has_shapes", !type.shapes.empty());
  for (size_t i = 0; i < type.shapes.size(); ++i) SaveShape(writer.Under("shapes"), Str(i), type.shapes[i]);
  writer.PutScalar<int64_t>("capacity", type.capacity);
  writer.PutScalar<int64_t>("min_after_dequeue", type.min_after_dequeue);
  writer.Put("seeds", MakeVector<int64_t>({type.seed, type.seed2, static_cast<int64_t>(stream_seed_),
                                           static_cast<int64_t>(stream_seed2_), words_taken_}));
  writer.PutScalar<bool>("is_closed", is_closed_);
  writer.PutScalar<int64_t>("size", size());
  for (size_t i = 0; i < elements_.size(); ++i) {
    const StateWriter element = writer.Under(Str("elements/", i));
    for (size_t k = 0; k < elements_[i].size(); ++k) SaveValue(element.Under(Str(k)), elements_[i][k]);
  }
}

void Queue::Restore(const StateReader& reader) {
  const auto kind = reader.GetScalar<int32_t>("kind");
  if (kind < 0 || kind > static_cast<int32_t>(QueueKind::kPriority)) throw DataLoss("there is no queue of kind ", kind);
  type.kind = static_cast<QueueKind>(kind);
  for (const int64_t dtype : ToInt64s(reader.Get("types"))) type.types.push_back(static_cast<DType>(dtype));
  if (type.types.empty()) throw DataLoss("the saved state of a queue has no components");
  if (reader.GetScalar<bool>("has_shapes")) {
    for (size_t i = 0; i < type.types.size(); ++i) {
      type.shapes.push_back(RestoredShape(reader.Under("shapes"), Str(i)));
    }
  }
  type.capacity = reader.GetScalar<int64_t>("capacity");
  type.min_after_dequeue = reader.GetScalar<int64_t>("min_after_dequeue");
  const std::vector<int64_t> seeds = ToInt64s(reader.Get("seeds"));
  if (seeds.size() != 5 || seeds[4] < 0) throw DataLoss("the saved state of a queue has no stream of numbers");
  type.seed = seeds[0];
  type.seed2 = seeds[1];
  stream_seed_ = static_cast<uint64_t>(seeds[2]);
  stream_seed2_ = static_cast<uint64_t>(seeds[3]);
  words_taken_ = seeds[4];
  is_closed_ = reader.GetScalar<bool>("is_closed");
  const int64_t size = SavedCount(reader, "size");
  for (int64_t i = 0; i < size; ++i) {
    const StateReader element = reader.Under(Str("elements/", i));
    Tuple& components = elements_.emplace_back();
    for (size_t k = 0; k < type.types.size(); ++k) {
      const Tensor& component = components.emplace_back(RestoredValue(element.Under(Str(k)))).tensor;
      if (component.dtype() == type.types[k] &&
          (type.shapes.empty() || type.shapes[k].IsCompatibleWith(component.shape()))) {
        continue;
      }
      throw DataLoss("the saved state of a queue has the component ", component.ToString());
    }
    const Tensor& first = components.at(0).tensor;
    if (type.kind == QueueKind::kPriority && (type.types[0] != DType::kInt64 || first.rank() != 0)) {
      throw DataLoss("the saved state of a priority queue has the priority ", first.ToString());
    }
  }
}

}  // namespace plumb::reference
