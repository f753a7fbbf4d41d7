// Sparse tensors that a session keeps (rule S12).
#include "spec/ops/sparse/tensors_map.h"

#include "reference/kernel/variables.h"
#include "reference/ops/lib/sparse_rows.h"
#include "reference/state/sparse_tensors.h"

namespace plumb::reference {
namespace {

// Without a shared name it has that of the node.
SparseTensors& MapOf(OpContext& c) {
  const std::string shared_name = SharedNameOf(c.node);
  return c.resources.FindOrCreate<SparseTensors>(
      {c.node.device, ContainerOf(c.node), shared_name.empty() ? c.node.name : shared_name});
}

SparseTensor CheckedInput(const OpContext& c) {
  SparseTensor tensor = SparseInput(c, 0);
  tensor.dense_shape();
  return tensor;
}

int64_t Keep(SparseTensors& map, const SparseTensor& tensor) {
  return map.Keep({TensorOf(tensor.at), Detached(tensor.values), VectorOf(tensor.shape)});
}

void AddSparse(OpContext& c) {
  const SparseTensor tensor = CheckedInput(c);
  c.Output(0, MakeScalar<int64_t>(Keep(MapOf(c), tensor)));
}

// Elements that follow one another with one first coordinate are a row.
void AddManySparse(OpContext& c) {
  const SparseTensor tensor = CheckedInput(c);
  Require(tensor.at.rank > 1, "the tensor must have rank 2 at least, not ", tensor.at.rank);
  const int64_t count = tensor.shape[0];
  CheckRowCount(count);
  tensor.CheckOrder();
  SparseTensors& map = MapOf(c);
  std::vector<int64_t> handles(static_cast<size_t>(count), -1);
  for (int64_t begin = 0, end = 0; begin < tensor.at.count; begin = end) {
    const int64_t row = tensor.at(begin, 0);
    while (end < tensor.at.count && tensor.at(end, 0) == row) ++end;
    handles[static_cast<size_t>(row)] = Keep(map, RowOf(tensor, begin, end));
  }
  for (int64_t& handle : handles) {
    if (handle < 0) handle = Keep(map, RowOf(tensor, 0, 0));
  }
  c.Output(0, VectorOf(handles));
}

void TakeMany(OpContext& c) {
  Require(c.tensor(0).rank() == 1, "the handles are a vector, not of shape ", c.tensor(0).shape().ToString());
  const std::vector<int64_t> handles = ToInt64s(c.tensor(0));
  Require(!handles.empty(), "there must be one handle at least");
  SparseTensors& map = MapOf(c);
  std::vector<KeptSparse> taken;
  for (const int64_t handle : handles) {
    auto tensor = map.Take(handle);
    Require(tensor.has_value(), "the map has no sparse tensor ", handle);
    taken.push_back(std::move(*tensor));
  }
  const DType dtype = c.attr<DType>("dtype");
  std::vector<SparseTensor> rows;
  for (size_t i = 0; i < taken.size(); ++i) {
    const DType found = taken[i].values.tensor.dtype();
    Require(found == dtype, "the values of tensor ", i, " are ", DTypeName(found), ", not ", DTypeName(dtype));
    rows.push_back({CoordinatesOf(taken[i].indices), taken[i].values, ToInt64s(taken[i].shape)});
  }
  const SparseTensor all = StackedRows(Shape{std::ssize(rows)}, dtype, rows);
  SparseOutput(c, 0, all.at, all.values, all.shape);
}

constexpr KernelRow kRows[] = {
    {"AddSparseToTensorsMap", AddSparse},
    {"AddManySparseToTensorsMap", AddManySparse},
    {"TakeManySparseFromTensorsMap", TakeMany},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SparseTensorsMap() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
