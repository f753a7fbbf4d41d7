// Rows taken by index, dealt out to partitions, and put together again.
#include "reference/index.h"
#include "reference/numbers_io.h"
#include "reference/ops/array.h"

namespace plumb::reference {
namespace {

bool StartsWith(const Shape& shape, const Shape& prefix) {
  return shape.rank() >= prefix.rank() && Subshape(shape, 0, prefix.rank()) == prefix;
}

// Element counts of a shape; zero when any is, so that no product of the others can overflow.
int64_t Count(const Shape& shape, int from, int to) {
  return shape.elements() == 0 ? 0 : Subshape(shape, from, to).elements();
}

}  // namespace

// output[b…, o…, i…, r…] = params[b…, o…, indices[b…, i…], r…]
Value GatherAlong(const Value& params, const Tensor& indices, int64_t axis_attr, int64_t batch_attr) {
  const Shape& shape = params.tensor.shape();
  const int axis = ResolveAxis(axis_attr, shape.rank(), "axis");
  Require(-indices.rank() <= batch_attr && batch_attr <= indices.rank(), "batch_dims must be in [", -indices.rank(),
          ", ", indices.rank(), "], not ", batch_attr);
  const int batch = static_cast<int>(batch_attr < 0 ? batch_attr + indices.rank() : batch_attr);
  Require(batch <= axis, "batch_dims (", batch, ") must not exceed axis (", axis, ")");
  const Shape batch_shape = Subshape(shape, 0, batch);
  Require(StartsWith(indices.shape(), batch_shape), "the first ", batch,
          " dimensions of params and indices differ: ", shape.ToString(), " and ", indices.shape().ToString());

  const Shape result_shape =
      Concatenated(Concatenated(Subshape(shape, 0, axis), Subshape(indices.shape(), batch, indices.rank())),
                   Subshape(shape, axis + 1, shape.rank()));
  const auto index = Load<Integer>(indices);
  for (const Integer i : index.at) {
    if (result_shape.elements() == 0) break;  // nothing is taken from there
    Require(0 <= i && i < shape.dim(axis), "index ", static_cast<int64_t>(i), " is not in [0, ", shape.dim(axis), ")");
  }
  Assembly result(params.tensor.dtype(), result_shape);
  if (result_shape.elements() > 0) {
    const int64_t outer = Count(shape, batch, axis), rows = Count(indices.shape(), batch, indices.rank());
    const int64_t inner = Count(shape, axis + 1, shape.rank());
    for (int64_t block = 0; block < batch_shape.elements() * outer; ++block) {
      for (int64_t row = 0; row < rows; ++row) {
        const auto from = static_cast<int64_t>(index[block / outer * rows + row]);
        result.Copy((block * rows + row) * inner, params, (block * shape.dim(axis) + from) * inner, inner);
      }
    }
  }
  return result.Take();
}

void Gather(OpContext& context) {
  context.Output(0, GatherAlong(context.input(0), context.tensor(1), ScalarOf(context.tensor(2), "axis"),
                                GetAttrOr<int64_t>(context.node.attrs, "batch_dims", 0)));
}

void DynamicPartition(OpContext& context) {
  const Value& data = context.input(0);
  const Shape& shape = data.tensor.shape();
  const Tensor& partitions = context.tensor(1);
  const auto num = static_cast<int64_t>(context.outputs.size());
  Require(StartsWith(shape, partitions.shape()), "data.shape must start with partitions.shape: ", shape.ToString(),
          " and ", partitions.shape().ToString());
  const Shape row_shape = Subshape(shape, partitions.rank(), shape.rank());
  const auto target = partitions.data<int32_t>();
  std::vector<std::vector<int64_t>> rows(num);
  for (size_t i = 0; i < target.size(); ++i) {
    Require(0 <= target[i] && target[i] < num, "partitions[", i, "] = ", target[i], " is not in [0, ", num, ")");
    rows[target[i]].push_back(static_cast<int64_t>(i));
  }
  const int64_t row = shape.elements() == 0 ? 0 : row_shape.elements();
  for (int64_t part = 0; part < num; ++part) {
    const auto count = static_cast<int64_t>(rows[part].size());
    Assembly result(data.tensor.dtype(), WithInserted(row_shape, 0, count));
    for (int64_t i = 0; i < count; ++i) result.Copy(i * row, data, rows[part][i] * row, row);
    context.Output(static_cast<int>(part), result.Take());
  }
}

// Later pieces win where indices repeat; rows that no index names are zero (rules N12–N15).
void DynamicStitch(OpContext& context) {
  const int count = context.num_inputs() / 2;
  const auto row_shape = [&](int i) {
    const Shape &all = context.tensor(count + i).shape(), &indices = context.tensor(i).shape();
    Require(StartsWith(all, indices), "data[", i, "].shape = ", all.ToString(), " does not start with indices[", i,
            "].shape = ", indices.ToString());
    return Subshape(all, indices.rank(), all.rank());
  };
  const Shape row = row_shape(0);
  int64_t rows = 0;
  for (int i = 0; i < count; ++i) {
    Require(row_shape(i) == row, "the pieces must agree beyond their indices: ", row.ToString(), " and ",
            row_shape(i).ToString());
    for (const int32_t index : context.tensor(i).data<int32_t>()) {
      Require(index >= 0, "indices[", i, "] must not be negative: ", index);
      rows = std::max<int64_t>(rows, int64_t{index} + 1);
    }
  }
  Assembly result(context.tensor(count).dtype(), WithInserted(row, 0, rows));
  for (int i = 0; i < count; ++i) {
    int64_t from = 0;
    for (const int32_t index : context.tensor(i).data<int32_t>()) {
      result.Copy(index * row.elements(), context.input(count + i), from++ * row.elements(), row.elements());
    }
  }
  context.Output(0, result.Take());
}

}  // namespace plumb::reference
