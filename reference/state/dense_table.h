// A table of open addressing, bucket for bucket as it is exported (rules L8, L9).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reference/numbers/value.h"

namespace plumb::reference {

struct DenseTableType {
  DType key_type = DType::kInvalid, value_type = DType::kInvalid;
  Shape key_shape, value_shape;  // of one key, and of its value
  double max_load_factor = 0.8;
  Tensor empty_key, deleted_key;  // which no key may be
};

class DenseTable {
 public:
  // kInvalidArgument for a number of buckets below 4 or that is no power of two.
  DenseTable(DenseTableType type, int64_t buckets);

  const DenseTableType& type() const { return type_; }
  // As many values as keys; the shapes have been checked.
  void Insert(const Tensor& keys, const Value& values);
  void Remove(const Tensor& keys);
  // The value of each key; default_value is one for all, or one for each.
  Value Find(const Tensor& keys, const Value& default_value) const;
  int64_t size() const;
  // Buckets, one after the other.
  Tensor Keys() const;
  Value Values() const;
  void Import(const Tensor& keys, const Value& values);

 private:
  // One key, taken out of a tensor of keys.
  struct Bucket {
    Tensor key;
    Value value;
    bool is_deleted = false;
  };
  Tensor KeyAt(const Tensor& keys, int64_t i) const;
  Value ValueAt(const Value& values, int64_t i) const;
  void CheckKey(const Tensor& key) const;
  void Put(Tensor key, Value value);
  // The bucket of the key, or the first one that is free on the way to it.
  int64_t BucketOf(const Tensor& key, bool may_be_deleted, const char* what) const;
  void Grow(int64_t added);

  DenseTableType type_;
  int64_t count_ = 0;                  // of buckets
  std::map<int64_t, Bucket> buckets_;  // all others are empty
  std::map<int64_t, Value> left_;      // what an import brought for buckets that are empty
};

}  // namespace plumb::reference
