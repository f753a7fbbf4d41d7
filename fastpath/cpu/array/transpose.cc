// Transpose, reverse, tile and pad: the same elements in another order, or several times, or with zeros around.
#include "fastpath/cpu/topics.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/reduce.h"
#include "fastpath/cpu/lib/strided_copy.h"

namespace plumb::fast::cpu {
namespace {

// Row-major strides of a shape that is not empty.
struct Strides {
  int64_t of[kMaxRank];
  explicit Strides(const Shape& shape) {
    int64_t step = 1;
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
      of[axis] = step;
      step *= shape[axis];
    }
  }
  int64_t operator[](int axis) const { return of[axis]; }
};

class Transpose final : public Kernel {
 public:
  explicit Transpose(const Node& node) : type_(InputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const Tensor &x = context.input(0), &perm = context.input(1);
    Require(perm.rank() == 1 && perm.elements() == x.rank(), "perm must hold ", x.rank(), " axes, not have the shape ",
            perm.shape().ToString());
    Dims dims;
    bool seen[kMaxRank] = {};
    int order[kMaxRank], last = -1;
    bool in_order = true;  // axes of one element may go anywhere without moving anything
    for (int i = 0; i < x.rank(); ++i) {
      const int64_t named = IntAt(perm, i);
      Require(named >= 0 && named < x.rank(), "perm[", i, "] = ", named, " is not in [0, ", x.rank(), ")");
      const int axis = static_cast<int>(named);
      Require(!seen[axis], axis, " occurs twice in perm");
      seen[axis] = true;
      order[i] = axis;
      dims.Append(x.dim(axis));
      if (x.dim(axis) == 1) continue;
      in_order &= axis > last;
      last = axis;
    }
    const Shape shape = dims.ToShape();
    if (in_order) {
      context.SetOutput(0, x.Reshaped(shape));
      return;
    }
    Tensor& output = context.AllocateOutput(0, type_, shape);
    if (shape.elements() == 0) return;
    const Strides from(x.shape()), to(shape);
    CopyPlan plan;
    for (int i = 0; i < x.rank(); ++i) plan.Append(x.dim(order[i]), from[order[i]], to[i]);
    CopyStrided(context.pool(), type_, plan, x.raw(), output.mutable_raw());
  }

 private:
  DType type_;
};

class Reverse final : public Kernel {
 public:
  explicit Reverse(const Node& node) : type_(InputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const Tensor &x = context.input(0), &axes = context.input(1);
    if (x.rank() == 0 || x.elements() == 0) {  // nothing can move, and the axes are not looked at
      context.SetOutput(0, x);
      return;
    }
    Require(axes.rank() == 1, "axis must be a vector, not of shape ", axes.shape().ToString());
    bool reversed[kMaxRank] = {};
    for (int64_t i = 0; i < axes.elements(); ++i) {
      const int axis = NormalizeAxis(IntAt(axes, i), x.rank());
      Require(!reversed[axis], "axis ", axis, " is named twice");
      reversed[axis] = true;
    }
    if (axes.elements() == 0 || x.elements() <= 1) {
      context.SetOutput(0, x);
      return;
    }
    Tensor& output = context.AllocateOutput(0, type_, x.shape());
    const Strides strides(x.shape());
    CopyPlan plan;
    int64_t start = 0;
    for (int axis = 0; axis < x.rank(); ++axis) {
      if (reversed[axis]) start += (x.dim(axis) - 1) * strides[axis];
      plan.Append(x.dim(axis), reversed[axis] ? -strides[axis] : strides[axis], strides[axis]);
    }
    CopyStrided(context.pool(), type_, plan, At(x.raw(), type_, start), output.mutable_raw());
  }

 private:
  DType type_;
};

// The first seq_lengths[b] entries of each batch entry b reversed along seq_dim, the others as they are.
class ReverseSequence final : public Kernel {
 public:
  explicit ReverseSequence(const Node& node)
      : type_(InputType(node, 0)),
        seq_dim_(GetAttr<int64_t>(node.attrs, "seq_dim")),
        batch_dim_(GetAttrOr<int64_t>(node.attrs, "batch_dim", 0)) {}

  void Run(KernelContext& context) override {
    const Tensor &x = context.input(0), &lengths = context.input(1);
    Require(seq_dim_ >= 0 && seq_dim_ < x.rank() && batch_dim_ >= 0 && batch_dim_ < x.rank(), "seq_dim ", seq_dim_,
            " and batch_dim ", batch_dim_, " must be dimensions of ", x.shape().ToString());
    Require(seq_dim_ != batch_dim_, "seq_dim and batch_dim must differ, and are both ", seq_dim_);
    const int seq = static_cast<int>(seq_dim_), batch = static_cast<int>(batch_dim_);
    Require(lengths.rank() == 1 && lengths.elements() == x.dim(batch), "seq_lengths must hold ", x.dim(batch),
            " lengths, not have the shape ", lengths.shape().ToString());
    for (int64_t b = 0; b < lengths.elements(); ++b) {
      const int64_t length = IntAt(lengths, b);
      Require(length >= 0 && length <= x.dim(seq), "seq_lengths[", b, "] = ", length, " is not in [0, ", x.dim(seq),
              "]");
    }
    Tensor& output = context.AllocateOutput(0, type_, x.shape());
    if (x.elements() == 0) return;
    const Strides strides(x.shape());
    for (int64_t b = 0; b < x.dim(batch); ++b) {
      const int64_t length = IntAt(lengths, b), offset = b * strides[batch];
      const int64_t end = offset + length * strides[seq];
      CopySteps(context, strides, length, offset + std::max<int64_t>(0, length - 1) * strides[seq], -1, offset, output);
      CopySteps(context, strides, x.dim(seq) - length, end, 1, end, output);
    }
  }

 private:
  // `steps` entries along seq_dim of one batch entry, forwards (direction 1) or backwards (-1).
  void CopySteps(KernelContext& context, const Strides& strides, int64_t steps, int64_t from, int64_t direction,
                 int64_t to, Tensor& output) const {
    if (steps == 0) return;
    const Tensor& x = context.input(0);
    CopyPlan plan;
    for (int axis = 0; axis < x.rank(); ++axis) {
      if (axis == batch_dim_) continue;
      const bool is_seq = axis == seq_dim_;
      plan.Append(is_seq ? steps : x.dim(axis), is_seq ? direction * strides[axis] : strides[axis], strides[axis]);
    }
    CopyStrided(context.pool(), type_, plan, At(x.raw(), type_, from), At(output.mutable_raw(), type_, to));
  }

  DType type_;
  int64_t seq_dim_;
  int64_t batch_dim_;
};

void CheckMultiples(const Tensor& x, const Tensor& multiples) {
  Require(multiples.rank() == 1 && multiples.elements() == x.rank(), "multiples must hold ", x.rank(),
          " numbers, not have the shape ", multiples.shape().ToString());
}

class Tile final : public Kernel {
 public:
  explicit Tile(const Node& node) : type_(InputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const Tensor &x = context.input(0), &multiples = context.input(1);
    CheckMultiples(x, multiples);
    Dims dims;
    for (int axis = 0; axis < x.rank(); ++axis) {
      const int64_t times = IntAt(multiples, axis);
      Require(times >= 0, "multiples[", axis, "] must not be negative, and is ", times);
      const auto size = CheckedMultiply(x.dim(axis), times);
      Require(size.has_value(), "dimension ", axis, " repeated ", times, " times is too large");
      dims.Append(*size);
    }
    const Shape shape = dims.ToShape();
    if (shape == x.shape()) {
      context.SetOutput(0, x);
      return;
    }
    Tensor& output = context.AllocateOutput(0, type_, shape);
    if (shape.elements() == 0) return;
    CopyTiles(context.pool(), x, output);
  }

 private:
  // Each axis of the result is two: which repetition, and where in it.
  void CopyTiles(ThreadPool& pool, const Tensor& x, Tensor& output) const {
    Require(x.rank() <= kMaxRank / 2, "a tensor of rank ", x.rank(), " has too many dimensions to be tiled");
    const Strides from(x.shape()), to(output.shape());
    CopyPlan plan;
    for (int axis = 0; axis < x.rank(); ++axis) {
      plan.Append(output.dim(axis) / x.dim(axis), 0, x.dim(axis) * to[axis]);
      plan.Append(x.dim(axis), from[axis], to[axis]);
    }
    CopyStrided(pool, type_, plan, x.raw(), output.mutable_raw());
  }

  DType type_;
};

// The sum of the tiles.
class TileGrad final : public Kernel {
 public:
  explicit TileGrad(const Node& node) : type_(InputType(node, 0)), sum_(FindReduction("Sum", type_)) {
    if (!sum_) ThrowNoKernel(node);
  }
  void Run(KernelContext& context) override {
    const Tensor &x = context.input(0), &multiples = context.input(1);
    CheckMultiples(x, multiples);
    Require(x.rank() <= kMaxRank / 2, "a tensor of rank ", x.rank(), " has too many dimensions to be untiled");
    Dims result, split;
    std::vector<bool> reduced;
    for (int axis = 0; axis < x.rank(); ++axis) {
      const int64_t times = IntAt(multiples, axis);
      Require(times > 0 && x.dim(axis) % times == 0, "dimension ", axis, " of size ", x.dim(axis), " is not made of ",
              times, " tiles");
      result.Append(x.dim(axis) / times);
      split.Append(times);
      split.Append(x.dim(axis) / times);
      reduced.push_back(true);
      reduced.push_back(false);
    }
    const Tensor sum = Reduce(context.pool(), sum_, x.Reshaped(split.ToShape()), reduced).Reshaped(result.ToShape());
    if (sum.dtype() == type_) {
      context.SetOutput(0, sum);
    } else {
      RoundInto(context.pool(), sum, context.AllocateOutput(0, type_, sum.shape()));
    }
  }

 private:
  DType type_;
  Reduction sum_;
};

class Pad final : public Kernel {
 public:
  explicit Pad(const Node& node) : type_(InputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const Tensor &x = context.input(0), &paddings = context.input(1);
    Require(paddings.rank() == 2 && paddings.dim(0) == x.rank() && paddings.dim(1) == 2,
            "paddings must have the shape [", x.rank(), ",2], not ", paddings.shape().ToString());
    Dims dims;
    for (int axis = 0; axis < x.rank(); ++axis) {
      const int64_t before = IntAt(paddings, int64_t{2} * axis), after = IntAt(paddings, int64_t{2} * axis + 1);
      Require(before >= 0 && after >= 0, "paddings must not be negative: ", before, " ", after);
      int64_t size = x.dim(axis);
      Require(!__builtin_add_overflow(size, before, &size) && !__builtin_add_overflow(size, after, &size), "dimension ",
              axis, " is too large with its padding");
      dims.Append(size);
    }
    const Shape shape = dims.ToShape();
    if (shape == x.shape()) {
      context.SetOutput(0, x);
      return;
    }
    Tensor& output = context.AllocateOutput(0, type_, shape);
    FillZero(context.pool(), output);
    if (x.elements() == 0) return;
    const Strides from(x.shape()), to(shape);
    CopyPlan plan;
    int64_t start = 0;
    for (int axis = 0; axis < x.rank(); ++axis) {
      start += IntAt(paddings, int64_t{2} * axis) * to[axis];
      plan.Append(x.dim(axis), from[axis], to[axis]);
    }
    CopyStrided(context.pool(), type_, plan, x.raw(), At(output.mutable_raw(), type_, start));
  }

 private:
  DType type_;
};

}  // namespace

std::unique_ptr<Kernel> MakeTranspose(const Node& node) { return std::make_unique<Transpose>(node); }
std::unique_ptr<Kernel> MakeReverse(const Node& node) { return std::make_unique<Reverse>(node); }
std::unique_ptr<Kernel> MakeReverseSequence(const Node& node) { return std::make_unique<ReverseSequence>(node); }
std::unique_ptr<Kernel> MakeTile(const Node& node) { return std::make_unique<Tile>(node); }
std::unique_ptr<Kernel> MakeTileGrad(const Node& node) { return std::make_unique<TileGrad>(node); }
std::unique_ptr<Kernel> MakePad(const Node& node) { return std::make_unique<Pad>(node); }

}  // namespace plumb::fast::cpu
