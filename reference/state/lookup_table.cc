#include "reference/state/lookup_table.h"

#include <iterator>

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
    case DType::kInt64:
      return keys.data<int64_t>()[static_cast<size_t>(i)];
    default:
      throw NoKernel(Code::kInvalidArgument, "there are no tables with keys of type ", DTypeName(keys.dtype()));
  }
}

Value ElementAt(const Value& values, int64_t i) {
  Assembly element(values.tensor.dtype(), Shape());
  element.Copy(0, values, i);
  return element.Take();
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
  Tensor keys(key_type, {std::ssize(entries_)});
  int64_t i = 0;
  for (const auto& entry : entries_) SetKey(keys, i++, entry.first);
  return keys;
}

Value LookupTable::Values() const {
  Assembly values(value_type, {std::ssize(entries_)});
  int64_t i = 0;
  for (const auto& entry : entries_) values.Copy(i++, entry.second, 0);
  return values.Take();
}

// What a table that is not initialised holds all the same is part of it (rule L2).
void LookupTable::Save(const StateWriter& writer) const {
  writer.PutScalar<int32_t>("key_type", static_cast<int32_t>(key_type));
  writer.PutScalar<int32_t>("value_type", static_cast<int32_t>(value_type));
  writer.PutScalar<bool>("is_mutable", is_mutable);
  writer.PutScalar<bool>("is_initialized", IsInitialized());
  writer.Put("keys", Keys());
  SaveValue(writer.Under("values"), Values());
}

void LookupTable::Restore(const StateReader& reader) {
  key_type = static_cast<DType>(reader.GetScalar<int32_t>("key_type"));
  value_type = static_cast<DType>(reader.GetScalar<int32_t>("value_type"));
  is_mutable = reader.GetScalar<bool>("is_mutable");
  is_initialized_ = reader.GetScalar<bool>("is_initialized");
  const Tensor& keys = reader.Get("keys");
  const Value values = RestoredValue(reader.Under("values"));
  for (int64_t i = 0; i < keys.elements(); ++i) entries_[KeyAt(keys, i)] = ElementAt(values, i);
}

}  // namespace plumb::reference
