// Joining tensors along an axis, and cutting them apart again.
#include "fastpath/cpu/topics.h"
#include "fastpath/cpu/lib/strided_copy.h"

namespace plumb::fast::cpu {
namespace {

// Rows of `run` elements between two matrices of rows, at an offset within the row on each side.
struct RowBlock {
  int64_t rows;
  int64_t run;
};
void CopyRows(ThreadPool& pool, DType type, RowBlock block, const void* from, int64_t from_row, void* to,
              int64_t to_row) {
  CopyPlan plan;
  plan.Append(block.rows, from_row, to_row);
  plan.Append(block.run, 1, 1);
  CopyStrided(pool, type, plan, from, to);
}

class Concat final : public Kernel {
 public:
  explicit Concat(const Node& node) : type_(OutputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const int count = context.num_inputs() - 1;
    const Tensor& first = context.input(0);
    const Tensor& axis_tensor = context.input(count);
    const int axis = NormalizeAxis(ScalarInt(axis_tensor, "the axis"), first.rank());
    Dims dims(first.shape());
    dims[axis] = 0;
    for (int i = 0; i < count; ++i) {
      CheckMatches(context.input(i).shape(), first.shape(), i, axis);
      Require(!__builtin_add_overflow(dims[axis], context.input(i).dim(axis), &dims[axis]),
              "the concatenated dimension is too large");
    }
    Tensor& output = context.AllocateOutput(0, type_, dims.ToShape());
    const int64_t rows = ElementsIn(first.shape(), 0, axis), row = ElementsIn(output.shape(), axis, first.rank());
    int64_t offset = 0;
    for (int i = 0; i < count; ++i) {
      const Tensor& input = context.input(i);
      const int64_t run = ElementsIn(input.shape(), axis, first.rank());
      CopyRows(context.pool(), type_, {rows, run}, input.raw(), run, At(output.mutable_raw(), type_, offset), row);
      offset += run;
    }
  }

 private:
  static void CheckMatches(const Shape& shape, const Shape& first, int i, int axis) {
    Require(shape.rank() == first.rank(), "input ", i, " has the shape ", shape.ToString(),
            ", which differs in rank from ", first.ToString());
    for (int other = 0; other < first.rank(); ++other) {
      Require(other == axis || shape[other] == first[other], "input ", i, " has the shape ", shape.ToString(),
              ", which differs from ", first.ToString(), " in dimension ", other);
    }
  }

  DType type_;
};

class Pack final : public Kernel {
 public:
  explicit Pack(const Node& node) : type_(OutputType(node, 0)), axis_(GetAttrOr<int64_t>(node.attrs, "axis", 0)) {}
  void Run(KernelContext& context) override {
    const Shape& shape = context.input(0).shape();
    const int axis = NormalizeAxis(axis_, shape.rank() + 1);
    const int count = context.num_inputs();
    for (int i = 1; i < count; ++i) {
      Require(context.input(i).shape() == shape, "input ", i, " has the shape ", context.input(i).shape().ToString(),
              ", the first has ", shape.ToString());
    }
    Dims dims;
    for (int i = 0; i <= shape.rank(); ++i) {
      if (i == axis) dims.Append(count);
      if (i < shape.rank()) dims.Append(shape[i]);
    }
    Tensor& output = context.AllocateOutput(0, type_, dims.ToShape());
    const int64_t rows = ElementsIn(shape, 0, axis), run = ElementsIn(shape, axis, shape.rank());
    for (int i = 0; i < count; ++i) {
      CopyRows(context.pool(), type_, {rows, run}, context.input(i).raw(), run,
               At(output.mutable_raw(), type_, i * run), count * run);
    }
  }

 private:
  DType type_;
  int64_t axis_;
};

class Unpack final : public Kernel {
 public:
  explicit Unpack(const Node& node)
      : type_(InputType(node, 0)),
        axis_(GetAttrOr<int64_t>(node.attrs, "axis", 0)),
        num_(GetAttr<int64_t>(node.attrs, "num")) {}
  void Run(KernelContext& context) override {
    const Tensor& value = context.input(0);
    const int axis = NormalizeAxis(axis_, value.rank());
    Require(value.dim(axis) == num_, "dimension ", axis, " has ", value.dim(axis), " entries, not num = ", num_);
    Dims dims;
    for (int i = 0; i < value.rank(); ++i) {
      if (i != axis) dims.Append(value.dim(i));
    }
    const Shape shape = dims.ToShape();
    const int64_t rows = ElementsIn(value.shape(), 0, axis), run = ElementsIn(value.shape(), axis + 1, value.rank());
    for (int i = 0; i < static_cast<int>(num_); ++i) {
      if (num_ == 1) {
        context.SetOutput(0, value.Reshaped(shape));
        return;
      }
      Tensor& output = context.AllocateOutput(i, type_, shape);
      CopyRows(context.pool(), type_, {rows, run}, At(value.raw(), type_, i * run), num_ * run, output.mutable_raw(),
               run);
    }
  }

 private:
  DType type_;
  int64_t axis_;
  int64_t num_;
};

// Cuts `value` along `axis` into outputs of the given sizes, which add up to the dimension.
void CutApart(KernelContext& context, const Tensor& value, int axis, const std::vector<int64_t>& sizes) {
  if (sizes.size() == 1) {
    context.SetOutput(0, value);
    return;
  }
  const int64_t rows = ElementsIn(value.shape(), 0, axis), row = ElementsIn(value.shape(), axis, value.rank());
  const int64_t inner = ElementsIn(value.shape(), axis + 1, value.rank());
  Dims dims(value.shape());
  int64_t offset = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    dims[axis] = sizes[i];
    const int64_t run = sizes[i] * inner;
    Tensor& output = context.AllocateOutput(static_cast<int>(i), value.dtype(), dims.ToShape());
    CopyRows(context.pool(), value.dtype(), {rows, run}, At(value.raw(), value.dtype(), offset), row,
             output.mutable_raw(), run);
    offset += run;
  }
}

class Split final : public Kernel {
 public:
  explicit Split(const Node& node) : num_(GetAttr<int64_t>(node.attrs, "num_split")) {
    Require(num_ >= 1, "num_split must be at least 1, and is ", num_);
  }
  void Run(KernelContext& context) override {
    const Tensor &axis_tensor = context.input(0), &value = context.input(1);
    Require(axis_tensor.rank() == 0, "split_dim must be a scalar, not of shape ", axis_tensor.shape().ToString());
    const int axis = NormalizeAxis(IntAt(axis_tensor, 0), value.rank(), "split_dim");
    Require(value.dim(axis) % num_ == 0, "dimension ", axis, " of size ", value.dim(axis), " cannot be cut into ", num_,
            " equal parts");
    CutApart(context, value, axis, std::vector<int64_t>(static_cast<size_t>(num_), value.dim(axis) / num_));
  }

 private:
  int64_t num_;
};

class SplitV final : public Kernel {
 public:
  explicit SplitV(const Node& node) : num_(GetAttr<int64_t>(node.attrs, "num_split")) {
    Require(num_ >= 1, "num_split must be at least 1, and is ", num_);
  }
  void Run(KernelContext& context) override {
    const Tensor &value = context.input(0), &sizes = context.input(1), &axis_tensor = context.input(2);
    Require(axis_tensor.elements() == 1, "split_dim must be a scalar, not of shape ", axis_tensor.shape().ToString());
    Require(sizes.rank() == 1 && sizes.elements() == num_, "size_splits must hold num_split = ", num_,
            " sizes, not have the shape ", sizes.shape().ToString());
    const int axis = NormalizeAxis(IntAt(axis_tensor, 0), value.rank(), "split_dim");
    CutApart(context, value, axis, Settle(sizes, value.dim(axis)));
  }

 private:
  // The sizes, with the rest in the place of a -1.
  std::vector<int64_t> Settle(const Tensor& sizes, int64_t total) const {
    std::vector<int64_t> settled;
    int64_t sum = 0, open = -1;
    Require(num_ > 1 || IntAt(sizes, 0) == total, "a single part has the size ", total, " of the input, not ",
            IntAt(sizes, 0));
    for (int64_t i = 0; i < num_; ++i) {
      const int64_t size = IntAt(sizes, i);
      settled.push_back(size);
      if (size == -1) {
        Require(open < 0, "only one size may be -1, not ", open, " and ", i);
        open = i;
        continue;
      }
      Require(size >= 0 && size <= total - sum, "the split sizes do not add up to ", total);
      sum += size;
    }
    if (open >= 0) {
      settled[static_cast<size_t>(open)] = total - sum;
    } else {
      Require(sum == total, "the split sizes add up to ", sum, ", not to ", total);
    }
    return settled;
  }

  int64_t num_;
};

}  // namespace

std::unique_ptr<Kernel> MakeConcat(const Node& node) { return std::make_unique<Concat>(node); }
std::unique_ptr<Kernel> MakePack(const Node& node) { return std::make_unique<Pack>(node); }
std::unique_ptr<Kernel> MakeUnpack(const Node& node) { return std::make_unique<Unpack>(node); }
std::unique_ptr<Kernel> MakeSplit(const Node& node) { return std::make_unique<Split>(node); }
std::unique_ptr<Kernel> MakeSplitV(const Node& node) { return std::make_unique<SplitV>(node); }

}  // namespace plumb::fast::cpu
