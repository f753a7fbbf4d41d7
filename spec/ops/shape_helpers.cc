#include "spec/ops/shape_helpers.h"

#include <algorithm>

namespace plumb::topics {
namespace {

// Which argument the flat input number belongs to.
const ArgDef* ArgOf(const ShapeContext& c, int i) {
  for (const ArgDef& arg : c.op().inputs) {
    int64_t count = 1;
    if (!arg.number_attr.empty()) count = c.attr<int64_t>(arg.number_attr);
    if (!arg.type_list_attr.empty())
      count = static_cast<int64_t>(c.attr<std::vector<DType>>(arg.type_list_attr).size());
    if (i < count) return &arg;
    i -= static_cast<int>(count);
  }
  return nullptr;
}

}  // namespace

std::string InputName(const ShapeContext& c, int i) {
  const ArgDef* arg = ArgOf(c, i);
  return Str("input ", i, arg == nullptr ? "" : " ('" + arg->name + "')", " of ", c.op().name);
}

PartialShape WithRank(const ShapeContext& c, int i, int rank) {
  const PartialShape& shape = c.input(i);
  if (!shape.has_rank()) return PartialShape::OfRank(rank);
  Require(shape.rank() == rank, InputName(c, i), " must have rank ", rank, ", not the shape ", shape.ToString());
  return shape;
}

const PartialShape& WithRankAtLeast(const ShapeContext& c, int i, int64_t rank) {
  const PartialShape& shape = c.input(i);
  Require(!shape.has_rank() || shape.rank() >= rank, InputName(c, i), " must have rank ", rank,
          " at least, not the shape ", shape.ToString());
  return shape;
}

const PartialShape& WithRankAtMost(const ShapeContext& c, int i, int rank) {
  const PartialShape& shape = c.input(i);
  Require(!shape.has_rank() || shape.rank() <= rank, InputName(c, i), " must have rank ", rank,
          " at most, not the shape ", shape.ToString());
  return shape;
}

void RequireScalar(const ShapeContext& c, int i) { WithRank(c, i, 0); }

void RequirePair(const ShapeContext& c, int i) {
  const int64_t size = WithRank(c, i, 1).dim(0);
  Require(size < 0 || size == 2, InputName(c, i), " must have two elements, not ", size);
}

int64_t MergeDims(const ShapeContext& c, int64_t a, int64_t b) {
  Require(a < 0 || b < 0 || a == b, c.op().name, ": dimensions must be equal, but are ", a, " and ", b);
  return a < 0 ? b : a;
}

PartialShape MergeShapes(const ShapeContext& c, const PartialShape& a, const PartialShape& b) {
  Require(a.IsCompatibleWith(b), c.op().name, ": shapes must be equal, but are ", a.ToString(), " and ", b.ToString());
  return a.MergeWith(b);
}

PartialShape MergeInputs(const ShapeContext& c, int i, int j) {
  Require(c.input(i).IsCompatibleWith(c.input(j)), InputName(c, i), " has the shape ", c.input(i).ToString(),
          ", but input ", j, " has ", c.input(j).ToString());
  return c.input(i).MergeWith(c.input(j));
}

PartialShape Part(const PartialShape& shape, int begin, int end) {
  return PartialShape(std::vector<int64_t>(shape.dims().begin() + begin, shape.dims().begin() + end));
}

PartialShape Part(const PartialShape& shape, int begin) { return Part(shape, begin, shape.rank()); }

PartialShape Join(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank()) return PartialShape::Unknown();
  std::vector<int64_t> dims = a.dims();
  dims.insert(dims.end(), b.dims().begin(), b.dims().end());
  return PartialShape(std::move(dims));
}

PartialShape WithDim(const PartialShape& shape, int axis, int64_t size) {
  std::vector<int64_t> dims = shape.dims();
  dims[axis] = size;
  return PartialShape(std::move(dims));
}

std::optional<std::vector<int64_t>> ConstantInts(const ShapeContext& c, int i) {
  const Tensor* value = c.constant(i);
  if (value == nullptr) return std::nullopt;
  return VisitType(value->dtype(), [&](auto tag) -> std::vector<int64_t> {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_integral_v<T>) {
      const auto data = value->data<T>();
      return {data.begin(), data.end()};
    } else {
      throw InvalidArgument(InputName(c, i), " must hold integers");
    }
  });
}

std::optional<int64_t> ConstantInt(const ShapeContext& c, int i) {
  const auto values = ConstantInts(c, i);
  if (!values) return std::nullopt;
  Require(values->size() == 1, InputName(c, i), " must hold one value, not ", values->size());
  return values->front();
}

std::optional<int64_t> ScalarOnceKnown(const ShapeContext& c, int i) {
  const Tensor* value = c.constant(i);
  if (value == nullptr) return std::nullopt;
  Require(value->rank() == 0, InputName(c, i), " must be a scalar, not of shape ", value->shape().ToString());
  return ConstantInt(c, i);
}

int64_t SizeOnceKnown(const ShapeContext& c, int i) {
  const auto value = ScalarOnceKnown(c, i);
  if (!value) return -1;
  Require(*value >= 0, InputName(c, i), " says a size and must not be negative: ", *value);
  return *value;
}

int64_t ConstantSize(const ShapeContext& c, int i) {
  RequireScalar(c, i);
  return SizeOnceKnown(c, i);
}

PartialShape ConstantShape(const ShapeContext& c, int i) {
  const int64_t rank = WithRank(c, i, 1).dim(0);
  const auto values = ConstantInts(c, i);
  if (!values) {
    if (rank < 0) return PartialShape::Unknown();
    Require(rank <= kMaxRank, InputName(c, i), " describes a shape of ", rank, " dimensions");
    return PartialShape::OfRank(static_cast<int>(rank));
  }
  Require(values->size() <= kMaxRank, InputName(c, i), " describes a shape of ", values->size(), " dimensions");
  for (const int64_t dim : *values) Require(dim >= -1, InputName(c, i), " holds the dimension ", dim);
  return PartialShape(*values);
}

int CanonicalAxis(const ShapeContext& c, int64_t axis, int rank) {
  Require(axis >= -rank && axis < rank, c.op().name, ": the axis ", axis, " is outside [", -rank, ", ", rank, ")");
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

int64_t AddSizes(int64_t a, int64_t b) {
  if (a < 0 || b < 0) return -1;
  int64_t sum;
  Require(!__builtin_add_overflow(a, b, &sum), "a dimension overflows: ", a, " + ", b);
  return sum;
}

int64_t SubtractSizes(const ShapeContext& c, int64_t a, int64_t b) {
  if (a < 0 || b < 0) return -1;
  Require(a >= b, c.op().name, ": a dimension would be negative: ", a, " - ", b);
  return a - b;
}

int64_t MultiplySizes(const ShapeContext& c, int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  if (a < 0 || b < 0) return -1;
  const auto product = CheckedMultiply(a, b);
  Require(product.has_value(), c.op().name, ": a dimension overflows: ", a, " * ", b);
  return *product;
}

namespace {

// An unknown dimension beside one larger than 1 is taken to be that size or 1: the result is that size.
int64_t BroadcastDims(const ShapeContext& c, int64_t a, int64_t b) {
  if (a == 1) return b;
  if (b == 1) return a;
  if (a < 0 && b < 0) return -1;
  if (a < 0 || b < 0) return std::max(a, b);
  Require(a == b, c.op().name, ": the dimensions ", a, " and ", b, " do not broadcast");
  return a;
}

}  // namespace

PartialShape Broadcast(const ShapeContext& c, const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank()) return PartialShape::Unknown();
  const int rank = std::max(a.rank(), b.rank());
  std::vector<int64_t> dims(rank);
  for (int axis = 0; axis < rank; ++axis) {
    const int in_a = axis - (rank - a.rank());
    const int in_b = axis - (rank - b.rank());
    dims[axis] = BroadcastDims(c, in_a < 0 ? 1 : a.dim(in_a), in_b < 0 ? 1 : b.dim(in_b));
  }
  return PartialShape(std::move(dims));
}

Shapes Broadcasting(const ShapeContext& c) { return {Broadcast(c, c.input(0), c.input(1))}; }

Shapes LikeFirst(const ShapeContext& c) { return {c.input(0)}; }
Shapes OfShapeAttr(const ShapeContext& c) { return {c.attr<PartialShape>("shape")}; }

Shapes OfShapeInput(const ShapeContext& c) {
  for (int i = 1; i < c.num_inputs(); ++i) RequireScalar(c, i);
  return {ConstantShape(c, 0)};
}

PartialShape VariableShape(const ShapeContext& c, int i, std::string_view type) {
  RequireScalar(c, i);
  return DeclaredShape(c, i, type);
}

PartialShape DeclaredShape(const ShapeContext& c, int i, std::string_view type) {
  const auto variable = c.variable(i);
  if (!variable) return PartialShape::Unknown();
  const DType wanted = c.attr<DType>(type);
  Require(variable->dtype == wanted, InputName(c, i), " is a variable of type ", DTypeName(variable->dtype), ", not ",
          DTypeName(wanted));
  return variable->shape;
}

std::vector<const char*> BroadcastingSamples() {
  return {"[d...] [d...]", "[a b] [b]", "[a 1] [1 b]", "[] [d...]", "[d...] []", "[a 1 c] [b c]", "[a 1 c 1] [b 1 e]"};
}

std::vector<const char*> NonzeroSamples() {
  return {"[d...] [d...] nonzero", "[a b] [b] nonzero", "[a 1] [1 b] nonzero", "[d...] [] nonzero"};
}

}  // namespace plumb::topics
