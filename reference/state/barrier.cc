#include "reference/state/barrier.h"

#include <algorithm>

#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "spec/session/saved_numbers.h"

namespace plumb::reference {
namespace {

// B3: of equal indices the one that the binary heap of the C++ library gives.
constexpr auto kIsLater = [](const auto& a, const auto& b) { return a.index > b.index; };

// Row i of the values, whose rows have this shape.
Value RowOf(const Value& values, int64_t i, const Shape& shape) {
  Assembly row(values.tensor.dtype(), shape);
  row.Copy(0, values, i * shape.elements(), shape.elements());
  return row.Take();
}

}  // namespace

void Barrier::Insert(const std::vector<std::string>& keys, int component, const Value& values) {
  if (is_closed_ && (is_cancelled_ || (!keys.empty() && incomplete_.empty()))) {
    throw Cancelled("the barrier '", name, "' is closed");
  }
  bool any_is_new = false;
  std::vector<Tuple> completed;
  const auto finish = [&] {
    if (is_closed_ && incomplete_.empty()) ready_is_closed_ = true;
    Serve();
  };
  try {
    for (size_t i = 0; i < keys.size(); ++i) {
      InsertOne(keys[i], component, RowOf(values, static_cast<int64_t>(i), shapes[component]), any_is_new, completed);
    }
  } catch (const Error&) {
    finish();
    throw;
  }
  if (any_is_new) ++next_index_;
  for (Tuple& tuple : completed) {
    ready_.push_back(std::move(tuple));
    std::push_heap(ready_.begin(), ready_.end(), kIsLater);
  }
  finish();
}

void Barrier::InsertOne(const std::string& key, int component, const Value& value, bool& is_new,
                        std::vector<Tuple>& completed) {
  auto found = incomplete_.find(key);
  if (found == incomplete_.end()) {
    if (is_closed_) throw Cancelled("the barrier '", name, "' is closed, and has no key '", key, "'");
    is_new = true;
    found = incomplete_.emplace(key, Tuple{next_index_, key, {}}).first;
    found->second.components.resize(types.size());
  }
  Tuple& tuple = found->second;
  std::optional<Value>& place = tuple.components[component];
  Require(!place.has_value(), "the key '", key, "' of the barrier '", name, "' has a component ", component,
          " already");
  place = value;
  const auto is_there = [](const std::optional<Value>& part) { return part.has_value(); };
  if (!std::all_of(tuple.components.begin(), tuple.components.end(), is_there)) return;
  completed.push_back(std::move(tuple));
  incomplete_.erase(found);
}

TuplesWanted Barrier::Wanted(int64_t count, bool or_fewer) const {
  if (!is_closed_) return {count, or_fewer};
  const int64_t wanted = or_fewer ? std::min(count, num_ready()) : count;
  const int64_t available = num_ready() + (or_fewer ? 0 : num_incomplete());
  if (available < std::max<int64_t>(wanted, 1)) {
    throw OutOfRange("Barrier '", name, "' is closed and has insufficient elements (requested ", wanted,
                     ", total size ", available, ")");
  }
  return {wanted, or_fewer};
}

void Barrier::Close(bool cancels) {
  if (is_closed_ && (is_cancelled_ || !cancels)) throw Cancelled("the barrier '", name, "' is already closed");
  is_cancelled_ = cancels;
  is_closed_ = true;
  if (cancels) incomplete_.clear();
  if (incomplete_.empty()) ready_is_closed_ = true;
  Serve();
}

std::optional<LineAnswer> Barrier::TryServe(const TuplesWanted& wanted) {
  if (num_ready() < wanted.count) {
    if (!ready_is_closed_) return std::nullopt;
    if (wanted.or_fewer) ready_.clear();  // B5
    return LineAnswer{Status(Code::kOutOfRange, Str("Barrier '", name, "' is closed and has insufficient elements"))};
  }
  std::vector<Tuple> taken;
  for (int64_t i = 0; i < wanted.count; ++i) {
    std::pop_heap(ready_.begin(), ready_.end(), kIsLater);
    taken.push_back(std::move(ready_.back()));
    ready_.pop_back();
  }
  return LineAnswer{OkStatus(), Stacked(taken)};
}

std::vector<Value> Barrier::Stacked(const std::vector<Tuple>& tuples) const {
  const int64_t count = std::ssize(tuples);
  Tensor indices(DType::kInt64, {count}), keys(DType::kString, {count});
  for (size_t i = 0; i < tuples.size(); ++i) {
    indices.mutable_data<int64_t>()[i] = tuples[i].index;
    keys.mutable_data<std::string>()[i] = tuples[i].key;
  }
  std::vector<Value> values = {indices, keys};
  for (size_t k = 0; k < types.size(); ++k) {
    Assembly stack(types[k], WithInserted(shapes[k], 0, count));
    const int64_t size = shapes[k].elements();
    for (size_t i = 0; i < tuples.size(); ++i) {
      stack.Copy(static_cast<int64_t>(i) * size, *tuples[i].components[k], 0, size);
    }
    values.push_back(stack.Take());
  }
  return values;
}

std::string Barrier::Describe(const TuplesWanted& wanted) const {
  return Str("barrier '", name, "': ", wanted.count, wanted.count == 1 ? " tuple" : " tuples", " wanted, ", num_ready(),
             " complete");
}

void Barrier::SaveTuple(const StateWriter& writer, const Tuple& tuple) const {
  writer.PutScalar<int64_t>("index", tuple.index);
  writer.PutScalar<std::string>("key", tuple.key);
  for (size_t k = 0; k < tuple.components.size(); ++k) {
    if (tuple.components[k].has_value()) SaveValue(writer.Under(Str(k)), *tuple.components[k]);
  }
}

Barrier::Tuple Barrier::RestoredTuple(const StateReader& reader) const {
  Tuple tuple{reader.GetScalar<int64_t>("index"), reader.GetScalar<std::string>("key"), {}};
  for (size_t k = 0; k < types.size(); ++k) {
    std::optional<Value> component;
    if (reader.Has(Str(k, "/tensor"))) component = RestoredValue(reader.Under(Str(k)));
    if (component.has_value() && (component->tensor.dtype() != types[k] || component->tensor.shape() != shapes[k])) {
      throw DataLoss("the saved state of a barrier has a component that is not the barrier's");
    }
    tuple.components.push_back(std::move(component));
  }
  return tuple;
}

void Barrier::Save(const StateWriter& writer) const {
  std::vector<int32_t> numbers;
  for (const DType type : types) numbers.push_back(static_cast<int32_t>(type));
  writer.Put("types", MakeTensor<int32_t>({std::ssize(numbers)}, std::span<const int32_t>(numbers)));
  for (size_t k = 0; k < shapes.size(); ++k) SaveShape(writer.Under("shapes"), Str(k), shapes[k]);
  writer.PutScalar<int64_t>("next_index", next_index_);
  writer.PutScalar<bool>("is_closed", is_closed_);
  writer.PutScalar<bool>("is_cancelled", is_cancelled_);
  writer.PutScalar<bool>("ready_is_closed", ready_is_closed_);
  writer.PutScalar<int64_t>("ready", num_ready());
  for (size_t i = 0; i < ready_.size(); ++i) SaveTuple(writer.Under(Str("ready_", i)), ready_[i]);
  writer.PutScalar<int64_t>("incomplete", num_incomplete());
  int64_t i = 0;
  for (const auto& entry : incomplete_) SaveTuple(writer.Under(Str("incomplete_", i++)), entry.second);
}

void Barrier::Restore(const StateReader& reader) {
  for (const int64_t type : ToInt64s(reader.Get("types"))) types.push_back(static_cast<DType>(type));
  if (types.empty()) throw DataLoss("the saved state of a barrier has no components");
  for (size_t k = 0; k < types.size(); ++k) {
    shapes.push_back(RestoredShape(reader.Under("shapes"), Str(k)).ToShape());
  }
  next_index_ = reader.GetScalar<int64_t>("next_index");
  is_closed_ = reader.GetScalar<bool>("is_closed");
  is_cancelled_ = reader.GetScalar<bool>("is_cancelled");
  ready_is_closed_ = reader.GetScalar<bool>("ready_is_closed");
  const int64_t ready = SavedCount(reader, "ready"), incomplete = SavedCount(reader, "incomplete");
  for (int64_t i = 0; i < ready; ++i) {
    ready_.push_back(RestoredTuple(reader.Under(Str("ready_", i))));
    for (const auto& component : ready_.back().components) {
      if (!component) throw DataLoss("the saved state of a barrier has a tuple that lacks a component");
    }
  }
  for (int64_t i = 0; i < incomplete; ++i) {
    Tuple tuple = RestoredTuple(reader.Under(Str("incomplete_", i)));
    const std::string key = tuple.key;
    incomplete_.emplace(key, std::move(tuple));
  }
}

}  // namespace plumb::reference
