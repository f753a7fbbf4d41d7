// What SdcaOptimizer trains on: groups of features, each with the weights that they meet.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

// Where the inputs stand: so many sparse groups, of which the first have values, and dense ones.
struct SdcaLayout {
  int sparse = 0, valued = 0, dense = 0;
  int columns() const { return sparse; }  // behind the indices of examples
  int values() const { return columns() + sparse; }
  int rows() const { return values() + valued; }
  int weights() const { return rows() + dense; }
  int labels() const { return weights() + 1; }
  int names() const { return labels() + 1; }
  int sparse_weights() const { return names() + sparse; }
  int dense_weights() const { return sparse_weights() + sparse; }
  int state() const { return dense_weights() + dense; }
};

struct SdcaGroup {
  const float* weights = nullptr;
  float* deltas = nullptr;      // zero at first
  const float* rows = nullptr;  // of a dense group: where its matrix lies
  int64_t width = 0;
  std::vector<size_t> begins;  // of a sparse group: where each example's features begin, and the end
  std::vector<int64_t> at;     // which weight each feature meets
  std::vector<float> values;

  // f(weight, value) for the features of an example.
  template <class F>
  void ForEach(int64_t example, const F& f) const {
    if (rows != nullptr) {
      const float* const row = rows + example * width;
      for (int64_t i = 0; i < width; ++i) f(i, static_cast<double>(row[i]));
      return;
    }
    const auto i = static_cast<size_t>(example);
    for (size_t k = begins[i]; k < begins[i + 1]; ++k) f(at[k], static_cast<double>(values[k]));
  }
};

// The groups of `examples` examples; their deltas are the outputs behind the first. kInvalidArgument for features
// without a weight.
std::vector<SdcaGroup> SdcaGroups(KernelContext& context, const SdcaLayout& layout, int64_t examples);

}  // namespace plumb::fast::cpu
