// Tables of open addressing (rule L9): arrays of buckets, as they are exported.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/state/lookup_table.h"
#include "fastpath/cpu/lib/state/lookup_table_rows.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/thread_pool.h"

namespace plumb::fast::cpu {
namespace {

// MurmurHash64A.
uint64_t HashOf(const std::string& text) {
  constexpr uint64_t kFactor = 0xc6a4a7935bd1e995;
  const char* data = text.data();
  size_t left = text.size();
  uint64_t hash = uint64_t{0xDECAFCAFFE} ^ (left * kFactor);
  for (; left >= 8; data += 8, left -= 8) {
    uint64_t word;
    std::memcpy(&word, data, 8);
    word *= kFactor;
    word ^= word >> 47;
    hash = (hash ^ (word * kFactor)) * kFactor;
  }
  if (left > 0) {
    uint64_t word = 0;
    std::memcpy(&word, data, left);
    hash = (hash ^ word) * kFactor;
  }
  hash = (hash ^ (hash >> 47)) * kFactor;
  return hash ^ (hash >> 47);
}
uint64_t HashOf(int32_t key) { return static_cast<uint64_t>(key); }
uint64_t HashOf(int64_t key) { return static_cast<uint64_t>(key); }

template <class Key>
uint64_t HashOfKey(const Key* key, int64_t width) {
  if (width == 1) return HashOf(key[0]);
  uint64_t hash = 0;
  for (int64_t i = 0; i < width; ++i) hash ^= HashOf(key[i]) + 0x9e3779b97f4a7800 + (hash << 10) + (hash >> 4);
  return hash;
}

bool IsPowerOfTwo(int64_t n) { return n > 0 && std::has_single_bit(static_cast<uint64_t>(n)); }

template <class Key>
class DenseEntries : public TableEntries {
 public:
  DenseEntries(const TableSpec& spec, const DenseSpec& dense)
      : value_type_(spec.value_type),
        value_shape_(spec.value_shape),
        empty_(dense.empty_key.Clone()),
        deleted_(dense.deleted_key.Clone()),
        max_load_factor_(dense.max_load_factor),
        key_width_(empty_.elements()),
        width_(value_shape_.elements()) {
    Require(empty_.rank() <= 1, "the empty key must be a scalar or vector, not of shape ", Printed(empty_.shape()));
    Require(empty_.shape() == deleted_.shape(), "the empty and the deleted key must have one shape");
    Require(!IsKey(deleted_.template data<Key>().data(), Empty()), "Empty and deleted keys cannot be equal");
    Require(max_load_factor_ > 0 && max_load_factor_ < 1, "max_load_factor must be between 0 and 1, not ",
            max_load_factor_);
    Require(dense.buckets >= 4 && IsPowerOfTwo(dense.buckets),
            "the number of buckets must be a power of two and at least 4, not ", dense.buckets);
    MakeBuckets(dense.buckets);
  }

  std::unique_ptr<TableEntries> Clone() const override {
    auto clone = std::make_unique<DenseEntries>(*this);
    clone->TakeKeys(keys_.Clone());
    clone->values_ = values_.Clone();
    return clone;
  }
  int64_t size() const override { return size_; }
  Shape key_shape() const override { return empty_.shape(); }
  int64_t rows() const override { return buckets_; }

  bool Add(const Tensor&, const Tensor&, int64_t*) override { throw Internal("a dense table is not initialised"); }

  void Set(const Tensor& keys, const Tensor& values) override {
    const int64_t added = keys.elements() / key_width_;
    const int64_t wanted = BucketsFor(size_ + added);
    if (wanted != buckets_) Rebucket(wanted);
    const Key* key = KeysIn(keys);
    for (int64_t i = 0; i < added; ++i, key += key_width_) {
      CheckKey(key);
      Put(key, values, i);
    }
  }

  void Remove(const Tensor& keys) override {
    const Key *key = KeysIn(keys), *const end = key + keys.elements() / key_width_ * key_width_;
    for (; key < end; key += key_width_) {
      CheckKey(key);
      const int64_t bucket = RequireBucket(BucketOf(key, /*may_be_deleted=*/false));
      if (IsKey(At(bucket), Empty())) continue;
      std::copy_n(Deleted(), key_width_, MutableAt(bucket));
      --size_;
    }
  }

  void Find(ThreadPool& pool, const Tensor& keys, const Tensor& default_value, Tensor& values) const override {
    constexpr int64_t kLookupWork = 50;
    const int64_t wanted = keys.elements() / key_width_;
    const auto key = [first = KeysIn(keys), this](int64_t i) { return first + i * key_width_; };
    const RowSource source = {values_, default_value, default_value.elements() == values.elements()};
    int64_t allowed = 0;
    while (allowed < wanted && !IsKey(key(allowed), Empty()) && !IsKey(key(allowed), Deleted())) ++allowed;
    std::atomic<bool> failed{false};
    pool.ParallelFor(allowed, GrainFor(kLookupWork), [&](int64_t begin, int64_t end) {
      std::array<int64_t, kRowsAtOnce> rows;
      for (; begin < end; begin += kRowsAtOnce) {
        const int64_t count = std::min(kRowsAtOnce, end - begin);
        for (int64_t i = 0; i < count; ++i) {
          const int64_t bucket = BucketOf(key(begin + i), /*may_be_deleted=*/false);
          if (bucket < 0) failed.store(true, std::memory_order_relaxed);
          rows[i] = bucket < 0 || IsKey(At(bucket), Empty()) ? kNoRow : bucket;
        }
        if (width_ > 0) GatherRows(source, width_, {rows.data(), static_cast<size_t>(count)}, begin, values);
      }
    });
    if (failed.load(std::memory_order_relaxed)) RequireBucket(-1);  // such a key comes before any that is not allowed
    if (allowed < wanted) CheckKey(key(allowed));
  }

  void Export(Tensor& keys, Tensor& values) const override {
    CopyRun(keys.dtype(), keys_.raw(), 0, keys.mutable_raw(), 0, keys_.elements());
    if (width_ > 0) CopyRun(value_type_, values_.raw(), 0, values.mutable_raw(), 0, values_.elements());
  }

  void Import(const Tensor& keys, const Tensor& values) override {
    const int64_t count = keys.elements() / key_width_;
    Require(IsPowerOfTwo(count), "a table is imported with as many buckets as it was exported with: a power of two, ",
            "not ", count);
    TakeKeys(keys.Clone());
    values_ = values.Clone();
    buckets_ = count;
    size_ = 0;
    for (int64_t i = 0; i < count; ++i) size_ += IsKey(At(i), Empty()) || IsKey(At(i), Deleted()) ? 0 : 1;
  }

  void Save(const StateWriter& writer) const override {
    writer.Put("empty_key", empty_);
    writer.Put("deleted_key", deleted_);
    writer.PutScalar<double>("max_load_factor", max_load_factor_);
  }

 private:
  static const Key* KeysIn(const Tensor& keys) { return keys.data<Key>().data(); }
  const Key* Empty() const { return empty_key_; }
  const Key* Deleted() const { return deleted_key_; }
  const Key* At(int64_t bucket) const { return first_key_ + bucket * key_width_; }
  Key* MutableAt(int64_t bucket) { return first_key_ + bucket * key_width_; }
  void TakeKeys(Tensor keys) {
    keys_ = std::move(keys);
    first_key_ = keys_.template mutable_data<Key>().data();
  }
  bool IsKey(const Key* a, const Key* b) const { return key_width_ == 1 ? *a == *b : std::equal(a, a + key_width_, b); }
  void CheckKey(const Key* key) const {
    Require(!IsKey(key, Empty()), "Using the empty_key as a table key is not allowed");
    Require(!IsKey(key, Deleted()), "Using the deleted_key as a table key is not allowed");
  }

  void MakeBuckets(int64_t count) {
    Tensor keys = Allocate(DTypeOf<Key>, RowsOf(count, empty_.shape()));
    values_ = Zeros(value_type_, RowsOf(count, value_shape_));
    TakeKeys(std::move(keys));
    buckets_ = count;
    size_ = 0;
    for (int64_t i = 0; i < count; ++i) std::copy_n(Empty(), key_width_, MutableAt(i));
  }

  // A tiny load factor asks for more buckets than any memory has.
  int64_t BucketsFor(int64_t keys) const {
    constexpr int64_t kMany = int64_t{1} << 28, kManyForEach = 1 << 10;
    int64_t wanted = buckets_;
    while (static_cast<double>(keys) > static_cast<double>(wanted) * max_load_factor_) {
      wanted *= 2;
      if (wanted > kMany && wanted / kManyForEach > keys) {
        throw ResourceExhausted("a table with max_load_factor ", max_load_factor_, " needs more than ", wanted,
                                " buckets for ", keys, " keys");
      }
    }
    return wanted;
  }

  // As if all keys were new, in the order of their buckets.
  void Rebucket(int64_t count) {
    const Tensor keys = keys_, values = values_;
    MakeBuckets(count);
    for (int64_t i = 0; i < keys.elements() / key_width_; ++i) {
      const Key* const key = KeysIn(keys) + i * key_width_;
      if (!IsKey(key, Empty()) && !IsKey(key, Deleted())) Put(key, values, i);
    }
  }

  void Put(const Key* key, const Tensor& values, int64_t row) {
    const int64_t bucket = RequireBucket(BucketOf(key, /*may_be_deleted=*/true));
    if (!IsKey(At(bucket), key)) {
      std::copy_n(key, key_width_, MutableAt(bucket));
      ++size_;
    }
    if (width_ > 0) ScatterRows(values, width_, row, {&bucket, 1}, values_);
  }

  // Where the key is, or the first bucket on the way to it that is free; -1: there is none.
  int64_t BucketOf(const Key* key, bool may_be_deleted) const {
    if (key_width_ == 1) return Search(key, may_be_deleted, [](const Key* a, const Key* b) { return *a == *b; });
    return Search(key, may_be_deleted, [this](const Key* a, const Key* b) { return IsKey(a, b); });
  }
  template <class IsSame>
  int64_t Search(const Key* key, bool may_be_deleted, const IsSame& is_same) const {
    const auto mask = static_cast<uint64_t>(buckets_ - 1);
    uint64_t bucket = HashOfKey(key, key_width_) & mask;
    for (int64_t probes = 1; probes <= buckets_; ++probes) {
      const Key* const found = At(static_cast<int64_t>(bucket));
      if (is_same(found, key) || is_same(found, Empty()) || (may_be_deleted && is_same(found, Deleted()))) {
        return static_cast<int64_t>(bucket);
      }
      bucket = (bucket + static_cast<uint64_t>(probes)) & mask;
    }
    return -1;
  }
  int64_t RequireBucket(int64_t bucket) const {
    if (bucket < 0) throw Internal("a dense table has no free bucket");
    return bucket;
  }

  const DType value_type_;
  const Shape value_shape_;
  const Tensor empty_, deleted_;
  const Key* const empty_key_ = KeysIn(empty_);
  const Key* const deleted_key_ = KeysIn(deleted_);
  const double max_load_factor_;
  const int64_t key_width_, width_;  // elements of one key, and of its value
  int64_t buckets_ = 0, size_ = 0;
  Tensor keys_, values_;  // a row for each bucket
  Key* first_key_ = nullptr;
};

}  // namespace

Shape RowsOf(int64_t count, const Shape& row) {
  std::vector<int64_t> dims = {count};
  dims.insert(dims.end(), row.dims().begin(), row.dims().end());
  return Shape(dims);
}

std::unique_ptr<TableEntries> MakeDenseEntries(const TableSpec& spec, const DenseSpec& dense) {
  switch (spec.key_type) {
    case DType::kInt32:
      return std::make_unique<DenseEntries<int32_t>>(spec, dense);
    case DType::kInt64:
      return std::make_unique<DenseEntries<int64_t>>(spec, dense);
    case DType::kString:
      return std::make_unique<DenseEntries<std::string>>(spec, dense);
    default:
      throw Internal("a table with keys of type ", DTypeName(spec.key_type));
  }
}

}  // namespace plumb::fast::cpu
