#include "reference/state/dense_table.h"

#include <algorithm>

#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// Row i of a tensor that is seen as rows of this shape.
Value Row(const Value& values, const Shape& shape, int64_t i) {
  Assembly row(values.tensor.dtype(), shape);
  if (shape.elements() > 0) row.Copy(0, values, i * shape.elements(), shape.elements());
  return row.Take();
}

bool AreEqual(const Tensor& a, const Tensor& b) {
  const auto equal = [](const auto& x, const auto& y) { return std::equal(x.begin(), x.end(), y.begin(), y.end()); };
  if (a.dtype() == DType::kString) return equal(a.data<std::string>(), b.data<std::string>());
  return a.dtype() == DType::kInt32 ? equal(a.data<int32_t>(), b.data<int32_t>())
                                    : equal(a.data<int64_t>(), b.data<int64_t>());
}

// L9: MurmurHash64A of the bytes.
uint64_t HashOf(const std::string& text) {
  constexpr uint64_t kFactor = 0xc6a4a7935bd1e995;
  const auto byte = [&](size_t i) { return static_cast<uint64_t>(static_cast<unsigned char>(text[i])); };
  uint64_t hash = uint64_t{0xDECAFCAFFE} ^ (text.size() * kFactor);
  const size_t whole = text.size() / 8 * 8;
  for (size_t at = 0; at < whole; at += 8) {
    uint64_t word = 0;
    for (size_t i = 0; i < 8; ++i) word |= byte(at + i) << 8 * i;
    word *= kFactor;
    word ^= word >> 47;
    hash = (hash ^ (word * kFactor)) * kFactor;
  }
  for (size_t at = whole; at < text.size(); ++at) hash ^= byte(at) << 8 * (at - whole);
  if (whole < text.size()) hash *= kFactor;
  hash = (hash ^ (hash >> 47)) * kFactor;
  return hash ^ (hash >> 47);
}

uint64_t HashOfElement(const Tensor& key, int64_t i) {
  const auto at = static_cast<size_t>(i);
  if (key.dtype() == DType::kString) return HashOf(key.data<std::string>()[at]);
  return static_cast<uint64_t>(key.dtype() == DType::kInt32 ? key.data<int32_t>()[at] : key.data<int64_t>()[at]);
}

// L9.
uint64_t HashOfKey(const Tensor& key) {
  if (key.elements() == 1) return HashOfElement(key, 0);
  uint64_t hash = 0;
  for (int64_t i = 0; i < key.elements(); ++i) {
    hash ^= HashOfElement(key, i) + 0x9e3779b97f4a7800 + (hash << 10) + (hash >> 4);
  }
  return hash;
}

bool IsPowerOfTwo(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

}  // namespace

DenseTable::DenseTable(DenseTableType type, int64_t buckets) : type_(std::move(type)), count_(buckets) {
  Require(buckets >= 4 && IsPowerOfTwo(buckets), "the number of buckets must be a power of two and at least 4, not ",
          buckets);
  Require(type_.max_load_factor > 0 && type_.max_load_factor < 1, "max_load_factor must be between 0 and 1, not ",
          type_.max_load_factor);
  Require(!AreEqual(type_.empty_key, type_.deleted_key), "Empty and deleted keys cannot be equal");
  CheckResultSize(Concatenated(Shape({buckets}), type_.key_shape));
  CheckResultSize(Concatenated(Shape({buckets}), type_.value_shape));
}

Tensor DenseTable::KeyAt(const Tensor& keys, int64_t i) const { return Row(keys, type_.key_shape, i).tensor; }
Value DenseTable::ValueAt(const Value& values, int64_t i) const { return Row(values, type_.value_shape, i); }

void DenseTable::CheckKey(const Tensor& key) const {
  Require(!AreEqual(key, type_.empty_key), "Using the empty_key as a table key is not allowed");
  Require(!AreEqual(key, type_.deleted_key), "Using the deleted_key as a table key is not allowed");
}

int64_t DenseTable::BucketOf(const Tensor& key, bool may_be_deleted, const char* what) const {
  const auto mask = static_cast<uint64_t>(count_ - 1);
  uint64_t bucket = HashOfKey(key) & mask;
  for (int64_t probes = 1; probes <= count_; ++probes) {
    const auto found = buckets_.find(static_cast<int64_t>(bucket));
    if (found == buckets_.end()) return static_cast<int64_t>(bucket);
    const bool is_deleted = found->second.is_deleted;
    if (is_deleted ? may_be_deleted : AreEqual(found->second.key, key)) return static_cast<int64_t>(bucket);
    bucket = (bucket + static_cast<uint64_t>(probes)) & mask;
  }
  throw Internal("a table without a free bucket: ", what, " came to no end");
}

void DenseTable::Put(Tensor key, Value value) {
  const int64_t bucket = BucketOf(key, /*may_be_deleted=*/true, "Insert");
  buckets_[bucket] = {std::move(key), std::move(value), false};
}

// L9: as if all keys were new.
void DenseTable::Grow(int64_t added) {
  const auto needed = static_cast<double>(size() + added);
  int64_t wanted = count_;
  while (needed > static_cast<double>(wanted) * type_.max_load_factor) {
    wanted *= 2;
    CheckResultSize(Concatenated(Shape({wanted}), type_.key_shape));
    CheckResultSize(Concatenated(Shape({wanted}), type_.value_shape));
  }
  if (wanted == count_) return;
  const auto old = std::exchange(buckets_, {});
  left_.clear();
  count_ = wanted;
  for (const auto& [at, bucket] : old) {
    if (!bucket.is_deleted) Put(bucket.key, bucket.value);
  }
}

void DenseTable::Insert(const Tensor& keys, const Value& values) {
  const int64_t added = keys.rank() == 0 ? 1 : keys.dim(0);
  Grow(added);
  for (int64_t i = 0; i < added; ++i) {
    Tensor key = KeyAt(keys, i);
    CheckKey(key);
    Put(std::move(key), ValueAt(values, i));
  }
}

void DenseTable::Remove(const Tensor& keys) {
  const int64_t removed = keys.rank() == 0 ? 1 : keys.dim(0);
  for (int64_t i = 0; i < removed; ++i) {
    const Tensor key = KeyAt(keys, i);
    CheckKey(key);
    const auto found = buckets_.find(BucketOf(key, /*may_be_deleted=*/false, "Remove"));
    if (found == buckets_.end()) continue;
    found->second.is_deleted = true;
    found->second.key = type_.deleted_key;
  }
}

Value DenseTable::Find(const Tensor& keys, const Value& default_value) const {
  const int64_t wanted = keys.rank() == 0 ? 1 : keys.dim(0), width = type_.value_shape.elements();
  const bool has_all = default_value.tensor.elements() == wanted * width;
  const Shape shape = Concatenated(Subshape(keys.shape(), 0, keys.rank() - type_.key_shape.rank()), type_.value_shape);
  CheckResultSize(shape);
  Assembly values(type_.value_type, shape);
  for (int64_t i = 0; i < wanted; ++i) {
    const Tensor key = KeyAt(keys, i);
    CheckKey(key);
    const auto found = buckets_.find(BucketOf(key, /*may_be_deleted=*/false, "Find"));
    if (width == 0) continue;
    if (found != buckets_.end()) values.Copy(i * width, found->second.value, 0, width);
    if (found == buckets_.end()) values.Copy(i * width, default_value, has_all ? i * width : 0, width);
  }
  return values.Take();
}

int64_t DenseTable::size() const {
  return std::count_if(buckets_.begin(), buckets_.end(), [](const auto& entry) { return !entry.second.is_deleted; });
}

Tensor DenseTable::Keys() const {
  Assembly keys(type_.key_type, Concatenated(Shape({count_}), type_.key_shape));
  const int64_t width = type_.key_shape.elements();
  for (int64_t i = 0; i < count_ && width > 0; ++i) {
    const auto found = buckets_.find(i);
    keys.Copy(i * width, found == buckets_.end() ? type_.empty_key : found->second.key, 0, width);
  }
  return keys.Take().tensor;
}

Value DenseTable::Values() const {
  Assembly values(type_.value_type, Concatenated(Shape({count_}), type_.value_shape));
  const int64_t width = type_.value_shape.elements();
  if (width == 0) return values.Take();
  for (const auto& [at, value] : left_) values.Copy(at * width, value, 0, width);
  for (const auto& [at, bucket] : buckets_) values.Copy(at * width, bucket.value, 0, width);
  return values.Take();
}

// L9: bucket for bucket.
void DenseTable::Import(const Tensor& keys, const Value& values) {
  const int64_t count = keys.rank() == 0 ? 1 : keys.dim(0);
  Require(IsPowerOfTwo(count), "a table is imported with as many buckets as it was exported with: a power of two, not ",
          count);
  count_ = count;
  buckets_.clear();
  left_.clear();
  for (int64_t i = 0; i < count; ++i) {
    Bucket bucket{KeyAt(keys, i), ValueAt(values, i), false};
    bucket.is_deleted = AreEqual(bucket.key, type_.deleted_key);
    if (AreEqual(bucket.key, type_.empty_key)) {
      left_[i] = std::move(bucket.value);
    } else {
      buckets_[i] = std::move(bucket);
    }
  }
}

}  // namespace plumb::reference
