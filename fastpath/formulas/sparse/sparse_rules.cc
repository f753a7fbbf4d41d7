#include "fastpath/formulas/sparse/sparse_rules.h"

#include <algorithm>
#include <limits>

namespace plumb::fast {
namespace {

int AxisOf(int64_t axis, int rank, std::string_view what) {
  Require(axis >= -rank && axis < rank, what, " ", axis, " is not in [", -rank, ", ", rank, ")");
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

// How much of a dimension lies behind `start`, as far as that can be counted.
int64_t Behind(int64_t start, int64_t size) {
  if (start >= size) return 0;
  const uint64_t left = static_cast<uint64_t>(size) - static_cast<uint64_t>(start);
  return static_cast<int64_t>(std::min<uint64_t>(left, std::numeric_limits<int64_t>::max()));
}

// As TensorFlow multiplies, which goes on to no zero behind.
void CheckElements(const std::vector<int64_t>& sizes, size_t part) {
  int64_t elements = 1;
  for (const int64_t size : sizes) {
    if (size < 0 || __builtin_mul_overflow(elements, size, &elements)) {
      throw Internal("part ", part, " of shape ", PartialShape(sizes).ToString(),
                     " has a negative size or too many elements");
    }
  }
}

}  // namespace

SparseSizes SparseSizesOf(const Shape& indices) {
  Require(indices.rank() == 2, "the indices must be a matrix, not of shape ", indices.ToString());
  Require(indices[1] <= kMaxRank, "an element cannot have ", indices[1], " coordinates");
  return {indices[0], static_cast<int>(indices[1])};
}

SparseSizes SparseSizesOf(const Shape& indices, const Shape& values, const Shape& dense_shape) {
  const SparseSizes sizes = SparseSizesOf(indices);
  Require(values.rank() == 1 && values[0] == sizes.count, "there are ", sizes.count,
          " rows of indices, but values of shape ", values.ToString());
  Require(dense_shape.rank() == 1 && dense_shape[0] == sizes.rank, "there are ", sizes.rank,
          " coordinates for each element, but a shape tensor of shape ", dense_shape.ToString());
  return sizes;
}

std::vector<int64_t> ListedSizes(const Tensor& shape, std::string_view what) {
  Require(shape.rank() == 1, what, " must be a vector, not of shape ", shape.shape().ToString());
  Require(shape.elements() <= kMaxRank, "a tensor may have at most ", kMaxRank, " dimensions");
  return ToInt64s(shape);
}

DenseSizes DenseSizesOf(const Shape& indices, const Tensor& output_shape, const Shape& values,
                        const Shape& default_value) {
  Require(indices.rank() <= 2, "sparse_indices must have rank 2 at most, not the shape ", indices.ToString());
  const int64_t count = indices.rank() == 0 ? 1 : indices[0], rank = indices.rank() == 2 ? indices[1] : 1;
  const std::vector<int64_t> dims = ListedSizes(output_shape, "output_shape");
  Require(std::ssize(dims) == rank, "there are ", rank, " coordinates for each value, but output_shape has ",
          dims.size(), " sizes");
  Require(values.rank() == 0 || (values.rank() == 1 && values[0] == count), "sparse_values of shape ",
          values.ToString(), " must be a scalar or have ", count, " elements");
  Require(default_value.rank() == 0, "default_value must be a scalar");
  return {{count, static_cast<int>(rank)}, Shape(dims)};
}

int64_t FilledRows(const SparseSizes& sizes, const Shape& values, const Tensor& dense_shape,
                   const Shape& default_value) {
  Require(values.rank() == 1 && values[0] == sizes.count, "there are ", sizes.count,
          " coordinates, but values of shape ", values.ToString());
  Require(dense_shape.rank() == 1 && dense_shape.dim(0) > 0, "dense_shape must have one size at least, not the shape ",
          dense_shape.shape().ToString());
  Require(default_value.rank() == 0, "default_value must be a scalar");
  const int64_t rows = ToInt64s(dense_shape).front();
  Require(rows >= 0, "dense_shape begins with ", rows);
  Require(sizes.rank > 0 || (rows == 0 && sizes.count == 0), "there must be one coordinate at least");
  return rows;
}

std::vector<int64_t> ReshapedSizes(std::vector<int64_t> new_shape, int64_t elements) {
  int64_t* open = nullptr;
  int64_t product = 1;
  for (int64_t& size : new_shape) {
    if (size == -1 && open == nullptr) {
      open = &size;
      continue;
    }
    Require(size >= 0, "new_shape has ", size, " at place ", &size - new_shape.data(),
            ", but sizes must not be negative, except for one that is -1");
    Require(!__builtin_mul_overflow(product, size, &product), "new_shape has too many elements");
  }
  if (open != nullptr) {
    Require(product > 0 && elements % product == 0, "the size that is left open cannot be told: ", elements,
            " elements for a multiple of ", product);
    *open = elements / product;
    product = elements;
  }
  Require(product == elements, "there are ", elements, " elements, but ", product, " in new_shape");
  return new_shape;
}

std::vector<int64_t> SlicedSizes(const Shape& shape, const std::vector<int64_t>& start,
                                 const std::vector<int64_t>& size) {
  std::vector<int64_t> sliced;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const auto i = static_cast<size_t>(axis);
    const bool is_far = static_cast<__int128>(start.at(i)) + size.at(i) >= shape[axis];
    Require(size[i] >= 0 || is_far, "size[", axis, "] is ", size[i], ", but must not be negative");
    sliced.push_back(std::min(Behind(start[i], shape[axis]), std::max<int64_t>(0, size[i])));
  }
  const Shape checked(sliced);
  return sliced;
}

JoinedSizes JoinedSizesOf(const std::vector<std::vector<int64_t>>& parts, int64_t concat_dim) {
  for (size_t i = 0; i < parts.size(); ++i) CheckElements(parts[i], i);
  JoinedSizes joined{0, {}, parts.at(0)};
  joined.axis = AxisOf(concat_dim, static_cast<int>(joined.sizes.size()), "concat_dim");
  int64_t& along = joined.sizes[static_cast<size_t>(joined.axis)];
  along = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Shape part(parts[i]);
    bool fits = parts[i].size() == joined.sizes.size();
    for (int d = 0; fits && d < part.rank(); ++d) {
      fits = d == joined.axis || part[d] == joined.sizes[static_cast<size_t>(d)];
    }
    Require(fits, "the shape ", part.ToString(), " of part ", i, " differs beside axis ", joined.axis);
    joined.offsets.push_back(along);
    Require(!__builtin_add_overflow(along, part[joined.axis], &along), "the joined size is too large");
  }
  const Shape checked(joined.sizes);
  return joined;
}

SplitSizes SplitSizesOf(const Tensor& split_dim, const Shape& shape, int64_t pieces) {
  Require(split_dim.rank() == 0, "split_dim must be a scalar, not of shape ", split_dim.shape().ToString());
  const int axis = AxisOf(ToInt64s(split_dim).front(), shape.rank(), "split_dim");
  Require(pieces <= shape[axis], "num_split is ", pieces, ", but the size along the axis is ", shape[axis]);
  Require(shape[axis] <= std::numeric_limits<int32_t>::max(), "a size of ", shape[axis],
          " along the axis is beyond int32");
  return {axis, pieces, shape[axis] / pieces, shape[axis] % pieces};
}

}  // namespace plumb::fast
