#include "reference/state/lookup_table.h"

#include <iterator>

#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

bool AreEqual(const Tensor& a, const Tensor& b) {
  return VisitType(a.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (requires(const T& x) { static_cast<bool>(x == x); }) {
      return static_cast<bool>(a.data<T>()[0] == b.data<T>()[0]);
    } else {
      return false;
    }
  });
}

void SetKey(Tensor& keys, int64_t i, const TableKey& key) {
  if (keys.dtype() == DType::kString) {
    keys.mutable_data<std::string>()[i] = std::get<std::string>(key);
  } else if (keys.dtype() == DType::kInt32) {
    keys.mutable_data<int32_t>()[i] = static_cast<int32_t>(std::get<int64_t>(key));
  } else {
    keys.mutable_data<int64_t>()[i] = std::get<int64_t>(key);
  }
}

std::string Printed(const TableKey& key) {
  if (const auto* text = std::get_if<std::string>(&key)) return Str("'", *text, "'");
  return Str(std::get<int64_t>(key));
}

}  // namespace

TableKey KeyAt(const Tensor& keys, int64_t i) {
  switch (keys.dtype()) {
    case DType::kString:
      return keys.data<std::string>()[static_cast<size_t>(i)];
    case DType::kInt32:
      return int64_t{keys.data<int32_t>()[static_cast<size_t>(i)]};
    default:
      return keys.data<int64_t>()[static_cast<size_t>(i)];
  }
}

Value RowAt(const Value& values, int64_t i, const Shape& shape) {
  Assembly row(values.tensor.dtype(), shape);
  if (shape.elements() > 0) row.Copy(0, values, i * shape.elements(), shape.elements());
  return row.Take();
}

int64_t LookupTable::size() const {
  if (dense.has_value()) return dense->size();
  return IsInitialized() ? static_cast<int64_t>(entries_.size()) : 0;
}

bool LookupTable::Begin(int64_t count) const {
  if (!is_initialized_) return true;
  if (count == size()) return false;  // L2: the contents are not compared
  throw FailedPrecondition("the table has been initialized already, with ", size(), " keys and not ", count);
}

void LookupTable::Add(const TableKey& key, Value value) {
  const auto [entry, is_new] = entries_.emplace(key, value);
  if (is_new || AreEqual(entry->second.tensor, value.tensor)) return;
  throw FailedPrecondition("the key ", Printed(key), " has the value ", entry->second.tensor.ToString(),
                           " in the table, and ", value.tensor.ToString(), " now");
}

const Value* LookupTable::Find(const TableKey& key) const {
  if (!IsInitialized()) throw FailedPrecondition("Table not initialized");
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : &found->second;
}

Tensor LookupTable::Keys() const {
  if (dense.has_value()) return dense->Keys();
  Tensor keys(key_type, {std::ssize(entries_)});
  int64_t i = 0;
  for (const auto& entry : entries_) SetKey(keys, i++, entry.first);
  return keys;
}

Value LookupTable::Values() const {
  if (dense.has_value()) return dense->Values();
  const Shape shape = WithInserted(value_shape, 0, std::ssize(entries_));
  CheckResultSize(shape);
  Assembly values(value_type, shape);
  int64_t i = 0;
  for (const auto& entry : entries_) {
    if (value_shape.elements() == 0) break;
    values.Copy(i++ * value_shape.elements(), entry.second, 0, value_shape.elements());
  }
  return values.Take();
}

// What a table that is not initialised holds all the same is part of it (rule L2).
void LookupTable::Save(const StateWriter& writer) const {
  writer.PutScalar<int32_t>("key_type", static_cast<int32_t>(key_type));
  writer.PutScalar<int32_t>("value_type", static_cast<int32_t>(value_type));
  writer.PutScalar<bool>("is_mutable", is_mutable);
  writer.PutScalar<bool>("is_initialized", IsInitialized());
  SaveShape(writer, "value_shape", value_shape);
  writer.Put("keys", Keys());
  SaveValue(writer.Under("values"), Values());
  if (!dense.has_value()) return;
  const StateWriter buckets = writer.Under("dense");
  buckets.Put("empty_key", dense->type().empty_key);
  buckets.Put("deleted_key", dense->type().deleted_key);
  buckets.PutScalar<double>("max_load_factor", dense->type().max_load_factor);
}

void LookupTable::Restore(const StateReader& reader) {
  key_type = static_cast<DType>(reader.GetScalar<int32_t>("key_type"));
  value_type = static_cast<DType>(reader.GetScalar<int32_t>("value_type"));
  is_mutable = reader.GetScalar<bool>("is_mutable");
  is_initialized_ = reader.GetScalar<bool>("is_initialized");
  value_shape = RestoredShape(reader, "value_shape").ToShape();
  const Tensor& keys = reader.Get("keys");
  const Value values = RestoredValue(reader.Under("values"));
  const bool is_dense = reader.Has("dense/empty_key");
  const Shape key_shape = is_dense ? reader.Get("dense/empty_key").shape() : Shape();
  const bool fits = keys.rank() > 0 && keys.dtype() == key_type && values.tensor.dtype() == value_type &&
                    keys.shape() == WithInserted(key_shape, 0, keys.dim(0)) &&
                    values.tensor.shape() == WithInserted(value_shape, 0, keys.dim(0));
  if (!fits) throw DataLoss("the saved state of a table has keys or values that are not the table's");
  if (is_dense) return RestoreDense(reader.Under("dense"), keys, values);
  for (int64_t i = 0; i < keys.elements(); ++i) entries_[KeyAt(keys, i)] = RowAt(values, i, value_shape);
}

void LookupTable::RestoreDense(const StateReader& reader, const Tensor& keys, const Value& values) {
  DenseTableType type;
  type.key_type = key_type;
  type.value_type = value_type;
  type.key_shape = reader.Get("empty_key").shape();
  type.value_shape = value_shape;
  type.max_load_factor = reader.GetScalar<double>("max_load_factor");
  type.empty_key = reader.Get("empty_key");
  type.deleted_key = reader.Get("deleted_key");
  if (type.deleted_key.shape() != type.key_shape || type.empty_key.dtype() != key_type ||
      type.deleted_key.dtype() != key_type) {
    throw DataLoss("the saved state of a table has an empty key and a deleted one that do not belong together");
  }
  dense.emplace(std::move(type), 4);
  dense->Import(keys, values);
}

}  // namespace plumb::reference
