// Rows of a sparse tensor whose values are sets.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "reference/ops/lib/sparse_tensor.h"

namespace plumb::reference {

// The elements of a tensor as plain values: int64_t, or std::string.
template <class Key>
std::vector<Key> KeysOf(const Value& values) {
  if constexpr (std::is_same_v<Key, std::string>) {
    const auto text = values.tensor.data<std::string>();
    return {text.begin(), text.end()};
  } else {
    std::vector<Key> keys;
    for (const Integer number : Load<Integer>(values).at) keys.push_back(static_cast<int64_t>(number));
    return keys;
  }
}

// Neighbours that agree in all coordinates but the last are a row; its different values are a set.
struct SetRun {
  std::vector<int64_t> row;
  int64_t begin = 0, end = 0;
};

// A sparse tensor whose rows are sets, of two dimensions at least.
class SetRuns {
 public:
  SetRuns(const OpContext& c, int first, bool validate);
  const std::vector<int64_t>& shape() const { return tensor_.shape; }
  const std::vector<SetRun>& runs() const { return runs_; }
  // The dimensions before the last one.
  std::vector<int64_t> outer() const { return {shape().begin(), shape().end() - 1}; }
  // kInternal where a coordinate of the run is beyond the shape: what was not validated shows here.
  void CheckRun(const SetRun& run) const;

 private:
  SparseTensor tensor_;
  std::vector<SetRun> runs_;
};

template <class Key>
class SparseSets : public SetRuns {
 public:
  SparseSets(const OpContext& c, int first, bool validate)
      : SetRuns(c, first, validate), keys_(KeysOf<Key>(c.input(first + 1))) {}
  std::set<Key> SetOf(const SetRun& run) const {
    CheckRun(run);
    return {keys_.begin() + run.begin, keys_.begin() + run.end};
  }

 private:
  std::vector<Key> keys_;
};

}  // namespace plumb::reference
