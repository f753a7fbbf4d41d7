#include "reference/state/lookup_table.h"

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

}  // namespace plumb::reference
