#include <algorithm>
#include <cmath>

#include "spec/ops/shape_helpers.h"
#include "spec/ops/shape_rules.h"

namespace plumb::shape_rules {

Shapes OfValueAttr(const ShapeContext& c) { return {PartialShape(c.attr<Tensor>("value").shape())}; }

Shapes OfShapeAttr(const ShapeContext& c) { return {c.attr<PartialShape>("shape")}; }

// The input's shape only has to agree with the attribute, which may be less precise and is the answer.
Shapes PlaceholderWithDefault(const ShapeContext& c) {
  const PartialShape& declared = c.attr<PartialShape>("shape");
  MergeShapes(c, c.input(0), declared);
  return {declared};
}

Shapes Fill(const ShapeContext& c) {
  WithRank(c, 0, 1);
  RequireScalar(c, 1);
  if (const auto dims = ConstantInts(c, 0)) {
    for (const int64_t dim : *dims) Require(dim >= 0, InputName(c, 0), " holds the dimension ", dim);
  }
  return {ConstantShape(c, 0)};
}

namespace {

template <class T>
int64_t RangeLength(T start, T limit, T delta) {
  Require(delta == delta && delta != T(0), "Range: delta must not be 0");
  Require(delta > T(0) ? start <= limit : start >= limit, "Range: start ", start, " and limit ", limit,
          " do not fit the sign of delta ", delta);
  if constexpr (std::is_integral_v<T>) {
    using Wide = __int128;
    const Wide distance = delta > 0 ? Wide(limit) - start : Wide(start) - limit;
    const Wide step = delta > 0 ? Wide(delta) : -Wide(delta);
    const Wide length = (distance + step - 1) / step;
    Require(length <= INT64_MAX, "Range: too many values");
    return static_cast<int64_t>(length);
  } else {
    const double length = std::ceil(std::abs((static_cast<double>(limit) - start) / delta));
    Require(length < 9.2e18, "Range: too many values");
    return static_cast<int64_t>(length);
  }
}

template <class T>
int64_t RangeLength(const Tensor& start, const Tensor& limit, const Tensor& delta) {
  if constexpr (std::is_integral_v<T>) {
    return RangeLength<int64_t>(start.scalar<T>(), limit.scalar<T>(), delta.scalar<T>());
  } else if constexpr (requires(T x) { static_cast<double>(x); }) {
    const auto number = [](const Tensor& tensor) { return static_cast<double>(tensor.scalar<T>()); };
    return RangeLength<double>(number(start), number(limit), number(delta));
  } else {
    throw InvalidArgument("Range needs numbers");
  }
}

}  // namespace

Shapes Range(const ShapeContext& c) {
  for (int i = 0; i < 3; ++i) RequireScalar(c, i);
  const Tensor* start = c.constant(0);
  const Tensor* limit = c.constant(1);
  const Tensor* delta = c.constant(2);
  if (start == nullptr || limit == nullptr || delta == nullptr) return {PartialShape::OfRank(1)};
  return {VisitType(start->dtype(), [&](auto tag) {
    return PartialShape{RangeLength<typename decltype(tag)::Type>(*start, *limit, *delta)};
  })};
}

Shapes OneHot(const ShapeContext& c) {
  const int64_t axis = c.attr<int64_t>("axis");
  Require(axis >= -1, "OneHot: the axis must be -1 or more, not ", axis);
  const int64_t depth = ConstantSize(c, 1);
  RequireScalar(c, 2);
  RequireScalar(c, 3);
  const PartialShape& indices = c.input(0);
  if (!indices.has_rank()) return {PartialShape::Unknown()};
  const int rank = indices.rank();
  Require(axis <= rank, "OneHot: the axis ", axis, " is above the rank ", rank, " of the indices");
  const int at = axis < 0 ? rank : static_cast<int>(axis);
  return {Join(Join(Part(indices, 0, at), PartialShape{depth}), Part(indices, at))};
}

Shapes ShapeOf(const ShapeContext& c) {
  Shapes outputs;
  for (int i = 0; i < c.num_inputs(); ++i) outputs.push_back(PartialShape{c.input(i).rank()});
  return outputs;
}

Shapes Where(const ShapeContext& c) { return {PartialShape{-1, c.input(0).rank()}}; }

namespace {

int64_t KnownElements(const ShapeContext& c, const PartialShape& shape, int except) {
  int64_t elements = 1;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (axis != except) elements = MultiplySizes(c, elements, shape.dim(axis));
  }
  return elements;
}

}  // namespace

Shapes Reshape(const ShapeContext& c) {
  const PartialShape wanted = ConstantShape(c, 1);
  const PartialShape& input = c.input(0);
  if (!wanted.has_rank() || !input.IsFullyDefined()) return {wanted};
  const int64_t elements = input.ToShape().elements();
  const auto& dims = wanted.dims();
  const auto unknowns = std::count(dims.begin(), dims.end(), -1);
  if (unknowns > 1) return {wanted};
  const int unknown = static_cast<int>(std::find(dims.begin(), dims.end(), -1) - dims.begin());
  const int64_t known = KnownElements(c, wanted, unknown);
  if (unknowns == 0) {
    Require(known == elements, "Reshape: ", elements, " elements do not fill the shape ", wanted.ToString());
    return {wanted};
  }
  if (c.constant(1) == nullptr || (known == 0 && elements == 0)) return {wanted};
  Require(known != 0 && elements % known == 0, "Reshape: ", elements, " elements do not fill the shape ",
          wanted.ToString());
  return {WithDim(wanted, unknown, elements / known)};
}

Shapes ExpandDims(const ShapeContext& c) {
  const PartialShape& input = c.input(0);
  const auto dim = ConstantInt(c, 1);
  if (!dim || !input.has_rank()) return {PartialShape::Unknown()};
  const int at = CanonicalAxis(c, *dim, input.rank() + 1);
  return {Join(Join(Part(input, 0, at), PartialShape{1}), Part(input, at))};
}

Shapes Squeeze(const ShapeContext& c) {
  const PartialShape& input = c.input(0);
  if (!input.has_rank()) return {PartialShape::Unknown()};
  const auto& wanted = c.attr<std::vector<int64_t>>("squeeze_dims");
  std::vector<bool> squeezed(input.rank(), false);
  for (const int64_t axis : wanted) squeezed[CanonicalAxis(c, axis, input.rank())] = true;
  std::vector<int64_t> dims;
  for (int axis = 0; axis < input.rank(); ++axis) {
    const int64_t size = input.dim(axis);
    Require(!squeezed[axis] || size < 0 || size == 1, "Squeeze: dimension ", axis, " has the size ", size, ", not 1");
    if (squeezed[axis] || (wanted.empty() && size == 1)) continue;
    if (wanted.empty() && size < 0) return {PartialShape::Unknown()};
    dims.push_back(size);
  }
  return {PartialShape(std::move(dims))};
}

namespace {

// The rank that input and permutation tell together; -1 when neither does.
int TransposeRank(const ShapeContext& c) {
  const PartialShape permutation = WithRank(c, 1, 1);
  const int64_t length = c.constant(1) != nullptr ? c.constant(1)->elements() : permutation.dim(0);
  const PartialShape& input = c.input(0);
  Require(length < 0 || !input.has_rank() || length == input.rank(), "Transpose: ", length,
          " axes do not permute the shape ", input.ToString());
  Require(length <= kMaxRank, "Transpose: ", length, " axes are too many");
  return length >= 0 ? static_cast<int>(length) : input.rank();
}

}  // namespace

Shapes Transpose(const ShapeContext& c) {
  const int rank = TransposeRank(c);
  if (rank < 0) return {PartialShape::Unknown()};
  const auto permutation = ConstantInts(c, 1);
  if (!permutation) return {PartialShape::OfRank(rank)};
  std::vector<int64_t> dims;
  for (const int64_t axis : *permutation) dims.push_back(c.input(0).dim(CanonicalAxis(c, axis, rank)));
  return {PartialShape(std::move(dims))};
}

Shapes ReverseV2(const ShapeContext& c) {
  const PartialShape& input = WithRankAtMost(c, 0, 8);
  WithRank(c, 1, 1);
  const auto axes = ConstantInts(c, 1);
  if (!axes || !input.has_rank()) return {input};
  std::vector<bool> reversed(input.rank(), false);
  for (const int64_t axis : *axes) {
    const int at = CanonicalAxis(c, axis, input.rank());
    Require(!reversed[at], "ReverseV2: the axis ", at, " is named twice");
    reversed[at] = true;
  }
  return {input};
}

Shapes ReverseSequence(const ShapeContext& c) {
  const PartialShape& input = c.input(0);
  const PartialShape lengths = WithRank(c, 1, 1);
  if (!input.has_rank()) return {input};
  const int64_t batch_dim = c.attr<int64_t>("batch_dim");
  const int64_t seq_dim = c.attr<int64_t>("seq_dim");
  for (const int64_t axis : {batch_dim, seq_dim}) {
    Require(axis >= 0 && axis < input.rank(), "ReverseSequence: the axis ", axis, " is outside the shape ",
            input.ToString());
  }
  const int batch = static_cast<int>(batch_dim);
  return {WithDim(input, batch, MergeDims(c, input.dim(batch), lengths.dim(0)))};
}

}  // namespace plumb::shape_rules
