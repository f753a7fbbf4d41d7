// A table of keys and values (rules L1–L9).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>

#include "reference/numbers/value.h"
#include "reference/state/dense_table.h"
#include "reference/state/resources.h"

namespace plumb::reference {

// One key: a whole number or a text.
using TableKey = std::variant<int64_t, std::string>;
TableKey KeyAt(const Tensor& keys, int64_t i);
// Row i of a tensor that is seen as rows of this shape.
Value RowAt(const Value& values, int64_t i, const Shape& shape = {});

class LookupTable : public ClonedByCopy<LookupTable> {
 public:
  DType key_type = DType::kInvalid;
  DType value_type = DType::kInvalid;
  Shape value_shape;                // of the value of one key (rule L8)
  bool is_mutable = false;          // else it is filled once
  std::optional<DenseTable> dense;  // what it holds, if it is of open addressing (rule L9)

  // L2: fills a table that is filled once. `count` keys are to come; false: it has been filled with as many already,
  // and nothing has to be done.
  bool Begin(int64_t count) const;
  void Add(const TableKey& key, Value value);
  void End() { is_initialized_ = true; }

  // L5: of a mutable table.
  void Insert(const TableKey& key, Value value) { entries_[key] = std::move(value); }
  void Remove(const TableKey& key) { entries_.erase(key); }
  void Clear() { entries_.clear(); }

  // L4: null where it has no such key.
  const Value* Find(const TableKey& key) const;
  int64_t size() const;
  bool IsInitialized() const { return is_mutable || is_initialized_; }
  // L7: what it holds, in ascending order of the keys.
  Tensor Keys() const;
  Value Values() const;

  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  void RestoreDense(const StateReader& reader, const Tensor& keys, const Value& values);

  std::map<TableKey, Value> entries_;
  bool is_initialized_ = false;
};

}  // namespace plumb::reference
