#include "fastpath/cpu/lib/state/lookup_table.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/strided_copy.h"

namespace plumb::fast::cpu {
namespace {

// Two elements of one type. NaN differs from itself.
bool AreEqual(const Tensor& a, int64_t i, const Tensor& b, int64_t j) {
  return VisitType(a.dtype(), [&](auto tag) -> bool {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
      return a.data<T>()[i] == b.data<T>()[j];
    } else {
      return false;
    }
  });
}

// Rows of a column of values, by key.
template <class Key>
class EntriesOf : public TableEntries {
 public:
  explicit EntriesOf(DType value_type) : column_(Allocate(value_type, Shape{kFirstRoom})) {}

  std::unique_ptr<TableEntries> Clone() const override {
    auto clone = std::make_unique<EntriesOf>(*this);
    clone->column_ = column_.Clone();
    return clone;
  }
  int64_t size() const override { return static_cast<int64_t>(rows_.size()); }

  bool Add(const Tensor& keys, const Tensor& values, int64_t* conflict) override {
    for (int64_t i = 0; i < keys.elements(); ++i) {
      const auto [entry, is_new] = rows_.try_emplace(keys.data<Key>()[i], 0);
      if (is_new) {
        Store(values, i, entry->second = FreeRow());
      } else if (!AreEqual(column_, entry->second, values, i)) {
        *conflict = i;
        return false;
      }
    }
    return true;
  }

  void Set(const Tensor& keys, const Tensor& values) override {
    for (int64_t i = 0; i < keys.elements(); ++i) {
      const auto [entry, is_new] = rows_.try_emplace(keys.data<Key>()[i], 0);
      if (is_new) entry->second = FreeRow();
      Store(values, i, entry->second);
    }
  }

  void Remove(const Tensor& keys) override {
    for (const Key& key : keys.data<Key>()) {
      const auto found = rows_.find(key);
      if (found == rows_.end()) continue;
      free_.push_back(found->second);
      rows_.erase(found);
    }
  }

  void Find(ThreadPool& pool, const Tensor& keys, const Tensor& default_value, Tensor& values) const override {
    constexpr int64_t kLookupWork = 100;
    const auto wanted = keys.data<Key>();
    pool.ParallelFor(keys.elements(), GrainFor(kLookupWork), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const auto found = rows_.find(wanted[i]);
        const bool is_there = found != rows_.end();
        CopyRun(values.dtype(), is_there ? column_.raw() : default_value.raw(), is_there ? found->second : 0,
                values.mutable_raw(), i, 1);
      }
    });
  }

  void Export(Tensor& keys, Tensor& values) const override {
    std::vector<std::pair<Key, int64_t>> sorted(rows_.begin(), rows_.end());
    std::sort(sorted.begin(), sorted.end());
    const auto to = keys.mutable_data<Key>();
    for (size_t i = 0; i < sorted.size(); ++i) {
      to[i] = sorted[i].first;
      CopyRun(values.dtype(), column_.raw(), sorted[i].second, values.mutable_raw(), static_cast<int64_t>(i), 1);
    }
  }

 private:
  static constexpr int64_t kFirstRoom = 16;

  // For the key that was added last.
  int64_t FreeRow() {
    if (free_.empty()) return size() - 1;
    const int64_t row = free_.back();
    free_.pop_back();
    return row;
  }

  void Store(const Tensor& values, int64_t i, int64_t row) {
    if (row >= column_.elements()) {
      Tensor wider = Allocate(column_.dtype(), Shape{2 * column_.elements()});
      CopyRun(wider.dtype(), column_.raw(), 0, wider.mutable_raw(), 0, column_.elements());
      column_ = std::move(wider);
    }
    CopyRun(column_.dtype(), values.raw(), i, column_.mutable_raw(), row, 1);
  }

  std::unordered_map<Key, int64_t> rows_;
  std::vector<int64_t> free_;  // rows of keys that were removed, below the others
  Tensor column_;
};

std::unique_ptr<TableEntries> MakeEntries(DType key_type, DType value_type) {
  switch (key_type) {
    case DType::kInt32:
      return std::make_unique<EntriesOf<int32_t>>(value_type);
    case DType::kInt64:
      return std::make_unique<EntriesOf<int64_t>>(value_type);
    case DType::kString:
      return std::make_unique<EntriesOf<std::string>>(value_type);
    default:
      throw Internal("a table with keys of type ", DTypeName(key_type));
  }
}

}  // namespace

void LookupTable::Describe(const std::string& name, DType key_type, DType value_type, bool is_mutable) {
  MutexLock lock(mutex_);
  if (name_.empty()) name_ = name;
  if (entries_ == nullptr) {
    entries_ = MakeEntries(key_type, value_type);
    key_type_ = key_type;
    value_type_ = value_type;
    is_initialized_ = is_mutable_ = is_mutable;
  }
  Require(key_type == key_type_ && value_type == value_type_ && is_mutable == is_mutable_, "the shared table '", name_,
          "' is from ", DTypeName(key_type_), " to ", DTypeName(value_type_), ", or of another kind");
}

std::shared_ptr<const TableEntries> LookupTable::Entries() {
  MutexLock lock(mutex_);
  return is_initialized_ ? entries_ : nullptr;
}

// Snapshots that others have stay as they are.
TableEntries& LookupTable::Writable() {
  if (entries_.use_count() > 1) entries_ = entries_->Clone();
  return *entries_;
}

void LookupTable::Initialize(const Tensor& keys, const Tensor& values, bool are_all) {
  Require(!is_mutable_, "the table '", name_, "' changes at any time and is not initialised");
  MutexLock lock(mutex_);
  if (is_initialized_) {
    if (keys.elements() == entries_->size()) return;  // the contents are not compared
    throw FailedPrecondition("the table '", name_, "' is initialised already, with ", entries_->size(),
                             " keys and not ", keys.elements());
  }
  int64_t conflict = 0;
  if (!Writable().Add(keys, values, &conflict)) {
    throw FailedPrecondition("table '", name_, "': the key at position ", conflict, " came before, with another value");
  }
  is_initialized_ = are_all;
}

void LookupTable::Insert(const Tensor& keys, const Tensor& values) {
  if (!is_mutable_) throw Unimplemented("the table '", name_, "' is filled once");
  MutexLock lock(mutex_);
  Writable().Set(keys, values);
}

void LookupTable::Remove(const Tensor& keys) {
  if (!is_mutable_) throw Unimplemented("the table '", name_, "' is filled once");
  MutexLock lock(mutex_);
  Writable().Remove(keys);
}

void LookupTable::Replace(const Tensor& keys, const Tensor& values) {
  auto entries = MakeEntries(key_type_, value_type_);
  entries->Set(keys, values);
  MutexLock lock(mutex_);
  entries_ = std::move(entries);
}

// What a table that is not initialised holds all the same is part of it (rule L2).
void LookupTable::Save(const StateWriter& writer) const {
  MutexLock lock(mutex_);
  writer.PutScalar<int32_t>("key_type", static_cast<int32_t>(key_type_));
  writer.PutScalar<int32_t>("value_type", static_cast<int32_t>(value_type_));
  writer.PutScalar<bool>("is_mutable", is_mutable_);
  writer.PutScalar<bool>("is_initialized", is_initialized_);
  Tensor keys = Allocate(key_type_, Shape{entries_->size()}), values = Allocate(value_type_, keys.shape());
  entries_->Export(keys, values);
  writer.Put("keys", std::move(keys));
  writer.Under("values").Put("tensor", std::move(values));
}

void LookupTable::Restore(const StateReader& reader) {
  MutexLock lock(mutex_);
  key_type_ = static_cast<DType>(reader.GetScalar<int32_t>("key_type"));
  value_type_ = static_cast<DType>(reader.GetScalar<int32_t>("value_type"));
  is_mutable_ = reader.GetScalar<bool>("is_mutable");
  is_initialized_ = reader.GetScalar<bool>("is_initialized");
  const Tensor &keys = reader.Get("keys"), &values = reader.Under("values").Get("tensor");
  if (keys.dtype() != key_type_ || values.dtype() != value_type_ || keys.elements() != values.elements()) {
    throw DataLoss("the saved state of a table has keys or values that are not the table's");
  }
  entries_ = MakeEntries(key_type_, value_type_);
  entries_->Set(keys, values);
}

}  // namespace plumb::fast::cpu
