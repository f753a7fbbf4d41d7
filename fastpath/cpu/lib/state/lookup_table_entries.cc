// Tables of hashed keys: rows in the order in which their keys came (rules L1–L8).
#include <absl/cleanup/cleanup.h>
#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <array>
#include <vector>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/state/lookup_table.h"
#include "fastpath/cpu/lib/state/lookup_table_rows.h"

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

// The number of a row, which is found by the key that lies there; with its hash, where that takes long.
template <class Key>
struct KeyRow {
  KeyRow(int64_t row, size_t) : at(row) {}
  size_t Hash(const std::vector<Key>& keys) const { return absl::Hash<Key>()(keys[static_cast<size_t>(at)]); }
  mutable int64_t at;
};
template <>
struct KeyRow<std::string> {
  KeyRow(int64_t row, size_t of_key) : at(row), hash(of_key) {}
  size_t Hash(const std::vector<std::string>&) const { return hash; }
  mutable int64_t at;
  size_t hash;
};

// Keys and values in rows, in the order in which they came, and the rows by their keys. A key that goes leaves its row
// empty until the rows are packed.
template <class Key>
class EntriesOf : public TableEntries {
 public:
  explicit EntriesOf(const TableSpec& spec)
      : width_(spec.value_shape.elements()), column_(Allocate(spec.value_type, Shape{kFirstRoom, width_})) {}
  EntriesOf(const EntriesOf& other)
      : width_(other.width_),
        room_(other.room_),
        keys_(other.keys_),
        is_there_(other.is_there_),
        rows_(other.rows_.begin(), other.rows_.end(), 0, HashOfKey{&keys_}, IsSameKey{&keys_}),
        column_(other.column_.Clone()) {}

  std::unique_ptr<TableEntries> Clone() const override { return std::make_unique<EntriesOf>(*this); }
  int64_t size() const override { return static_cast<int64_t>(rows_.size()); }

  bool Add(const Tensor& keys, const Tensor& values, int64_t* conflict) override {
    for (int64_t i = 0; i < keys.elements(); ++i) {
      const Key& key = keys.data<Key>()[i];
      const size_t hash = absl::Hash<Key>()(key);
      if (const int64_t row = Find(key, hash); row == kNoRow) {
        if (IsFull()) Repack();
        const int64_t added = Append(key, hash);
        Store(values, i, {&added, 1});
      } else if (!AreEqual(column_, row, values, i)) {
        *conflict = i;
        return false;
      }
    }
    return true;
  }

  void Set(const Tensor& keys, const Tensor& values) override {
    for (int64_t i = 0; i < keys.elements();) i += SetSome(keys.data<Key>(), values, i);
  }

  void Remove(const Tensor& keys) override {
    for (const Key& key : keys.data<Key>()) {
      const auto found = rows_.find(key);
      if (found == rows_.end()) continue;
      is_there_[found->at] = false;
      Key& gone = keys_[found->at];
      rows_.erase(found);
      gone = Key();
    }
    if (!rows_.empty()) return;
    keys_.clear();
    is_there_.clear();
  }

  void Find(ThreadPool& pool, const Tensor& keys, const Tensor& default_value, Tensor& values) const override {
    constexpr int64_t kLookupWork = 100;
    if (width_ == 0) return;
    const auto wanted = keys.data<Key>();
    const RowSource source = {column_, default_value, default_value.elements() == values.elements()};
    pool.ParallelFor(keys.elements(), GrainFor(kLookupWork), [&](int64_t begin, int64_t end) {
      std::array<int64_t, kRowsAtOnce> rows;
      for (; begin < end; begin += kRowsAtOnce) {
        const int64_t count = std::min(kRowsAtOnce, end - begin);
        for (int64_t i = 0; i < count; ++i) rows[i] = Find(wanted[begin + i], absl::Hash<Key>()(wanted[begin + i]));
        GatherRows(source, width_, {rows.data(), static_cast<size_t>(count)}, begin, values);
      }
    });
  }

  void Export(Tensor& keys, Tensor& values) const override {
    const auto to = keys.mutable_data<Key>();
    const std::vector<int64_t> rows = RowsThere();
    for (size_t i = 0; i < rows.size(); ++i) to[i] = keys_[rows[i]];
    if (width_ > 0) GatherRows({column_, column_, false}, width_, rows, 0, values);
  }

  void Import(const Tensor& keys, const Tensor& values) override {
    rows_.clear();
    keys_.clear();
    is_there_.clear();
    if (keys.elements() > room_) MakeRoom(keys.elements());
    Set(keys, values);
  }

 private:
  static constexpr int64_t kFirstRoom = 16;

  struct HashOfKey {
    using is_transparent = void;
    const std::vector<Key>* keys;
    size_t operator()(const Key& key) const { return absl::Hash<Key>()(key); }
    size_t operator()(const KeyRow<Key>& row) const { return row.Hash(*keys); }
  };
  struct IsSameKey {
    using is_transparent = void;
    const std::vector<Key>* keys;
    bool operator()(const KeyRow<Key>& row, const Key& key) const { return (*keys)[row.at] == key; }
    bool operator()(const KeyRow<Key>& a, const KeyRow<Key>& b) const { return (*this)(a, (*keys)[b.at]); }
  };

  int64_t Find(const Key& key, size_t hash) const {
    const auto found = rows_.find(key, hash);
    return found == rows_.end() ? kNoRow : found->at;
  }

  bool IsFull() const { return static_cast<int64_t>(keys_.size()) == room_; }

  // A row for a new key, where there is room. A key is there only when its row is, also where memory ends.
  int64_t Append(const Key& key, size_t hash) {
    const KeyRow<Key> row{static_cast<int64_t>(keys_.size()), hash};
    keys_.push_back(key);
    absl::Cleanup undo = [&] { keys_.pop_back(); };
    rows_.insert(row);
    is_there_.push_back(true);
    std::move(undo).Cancel();
    return row.at;
  }

  // Keys from `first` on, as many as one call looks up and there is room for; how many these were.
  int64_t SetSome(std::span<const Key> keys, const Tensor& values, int64_t first) {
    std::array<int64_t, kRowsAtOnce> rows;
    const int64_t most = std::min(kRowsAtOnce, static_cast<int64_t>(keys.size()) - first);
    int64_t count = 0;
    const auto store = [&] { Store(values, first, {rows.data(), static_cast<size_t>(count)}); };
    try {
      for (; count < most; ++count) {
        const Key& key = keys[first + count];
        const size_t hash = absl::Hash<Key>()(key);
        int64_t row = Find(key, hash);
        if (row == kNoRow) {
          if (IsFull() && count > 0) break;
          if (IsFull()) Repack();
          row = Append(key, hash);
        }
        rows[count] = row;
      }
    } catch (...) {
      store();
      throw;
    }
    store();
    return count;
  }

  void Store(const Tensor& values, int64_t first, std::span<const int64_t> rows) {
    if (width_ > 0) ScatterRows(values, width_, first, rows, column_);
  }

  std::vector<int64_t> RowsThere() const {
    std::vector<int64_t> rows;
    rows.reserve(is_there_.size());
    for (size_t row = 0; row < is_there_.size(); ++row) {
      if (is_there_[row]) rows.push_back(static_cast<int64_t>(row));
    }
    return rows;
  }

  // Takes empty rows out, and doubles the room where these were few.
  void Repack() {
    const bool is_half_empty = 2 * size() <= room_;
    MakeRoom(is_half_empty ? room_ : 2 * room_);
  }

  void MakeRoom(int64_t room) {
    const std::vector<int64_t> rows = RowsThere();
    Tensor column = Allocate(column_.dtype(), Shape{room, width_});
    std::vector<int64_t> packed(keys_.size());
    keys_.reserve(static_cast<size_t>(room));
    is_there_.reserve(static_cast<size_t>(room));
    rows_.reserve(static_cast<size_t>(room));
    MoveRows(column_, width_, rows, column);
    for (size_t i = 0; i < rows.size(); ++i) {
      packed[rows[i]] = static_cast<int64_t>(i);
      if (rows[i] != static_cast<int64_t>(i)) keys_[i] = std::move(keys_[rows[i]]);
    }
    for (const KeyRow<Key>& row : rows_) row.at = packed[row.at];
    keys_.resize(rows.size());
    is_there_.assign(rows.size(), true);
    column_ = std::move(column);
    room_ = room;
  }

  const int64_t width_;  // elements of one value
  int64_t room_ = kFirstRoom;
  std::vector<Key> keys_;
  std::vector<bool> is_there_;
  absl::flat_hash_set<KeyRow<Key>, HashOfKey, IsSameKey> rows_{0, HashOfKey{&keys_}, IsSameKey{&keys_}};
  Tensor column_;  // of room_ rows
};

}  // namespace

std::unique_ptr<TableEntries> MakeEntries(const TableSpec& spec) {
  switch (spec.key_type) {
    case DType::kInt32:
      return std::make_unique<EntriesOf<int32_t>>(spec);
    case DType::kInt64:
      return std::make_unique<EntriesOf<int64_t>>(spec);
    case DType::kString:
      return std::make_unique<EntriesOf<std::string>>(spec);
    default:
      throw Internal("a table with keys of type ", DTypeName(spec.key_type));
  }
}

}  // namespace plumb::fast::cpu
