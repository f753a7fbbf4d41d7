#include "fastpath/cpu/optimizer/sdca_groups.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "fastpath/cpu/lib/printed.h"

namespace plumb::fast::cpu {
namespace {

SdcaGroup WithWeights(KernelContext& context, int weights, int output) {
  SdcaGroup group;
  const Tensor& tensor = context.input(weights);
  group.weights = tensor.data<float>().data();
  group.deltas = context.AllocateOutput(output, DType::kFloat, tensor.shape()).mutable_data<float>().data();
  std::fill_n(group.deltas, tensor.elements(), 0.0f);
  return group;
}

// Elements that are out of order, or of no example, end the list.
SdcaGroup SparseGroup(KernelContext& context, const SdcaLayout& layout, int i, int64_t count) {
  SdcaGroup group = WithWeights(context, layout.sparse_weights() + i, 1 + i);
  const auto of = context.input(i).data<int64_t>(), columns = context.input(layout.columns() + i).data<int64_t>();
  const auto names = context.input(layout.names() + i).data<int64_t>();
  const int64_t weights = context.input(layout.sparse_weights() + i).elements();
  Require(of.size() == columns.size(), "there are ", of.size(), " indices of examples, but ", columns.size(),
          " of features");
  Require(std::ssize(names) <= weights, "sparse_indices names ", names.size(), " weights, but there are ", weights);
  const Tensor* const values = i < layout.valued ? &context.input(layout.values() + i) : nullptr;
  Require(values == nullptr || values->elements() == std::ssize(columns), "there are ", columns.size(),
          " sparse features, but another number of values");
  std::unordered_map<int64_t, int64_t> place;
  for (size_t k = 0; k < names.size(); ++k) place[names[k]] = static_cast<int64_t>(k);
  std::unordered_set<int64_t> seen;
  size_t next = 0;
  for (int64_t example = 0; example < count; ++example) {
    group.begins.push_back(next);
    seen.clear();
    for (; next < of.size() && of[next] == example; ++next) {
      const auto found = place.find(columns[next]);
      Require(found != place.end(), "there is no weight for the sparse feature ", columns[next]);
      Require(seen.insert(columns[next]).second, "example ", example, " has the sparse feature ", columns[next],
              " twice");
      group.at.push_back(found->second);
      group.values.push_back(values == nullptr ? 1.0f : values->data<float>()[next]);
    }
  }
  group.begins.push_back(next);
  return group;
}

SdcaGroup DenseGroup(KernelContext& context, const SdcaLayout& layout, int i, int64_t count) {
  SdcaGroup group = WithWeights(context, layout.dense_weights() + i, 1 + layout.sparse + i);
  const Tensor& rows = context.input(layout.rows() + i);
  const int64_t weights = context.input(layout.dense_weights() + i).elements();
  Require(rows.rank() == 2 && rows.dim(0) == count, "dense features must be a matrix of ", count,
          " rows, not of shape ", Printed(rows.shape()));
  group.width = rows.dim(1);
  Require(0 < group.width && group.width <= weights, "there are ", group.width, " dense features, but ", weights,
          " weights");
  group.rows = rows.data<float>().data();
  return group;
}

}  // namespace

std::vector<SdcaGroup> SdcaGroups(KernelContext& context, const SdcaLayout& layout, int64_t examples) {
  std::vector<SdcaGroup> groups;
  for (int i = 0; i < layout.sparse; ++i) groups.push_back(SparseGroup(context, layout, i, examples));
  for (int i = 0; i < layout.dense; ++i) groups.push_back(DenseGroup(context, layout, i, examples));
  return groups;
}

}  // namespace plumb::fast::cpu
