// SpaceToBatchND and BatchToSpaceND: blocks of a tensor as batch entries, and back.
#include <algorithm>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/int_vector.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

constexpr int kMaxBlockDimensions = 4;

struct Block {
  int64_t size, before, after;
};

// The block dimensions, from their sizes and the last input.
struct Blocks {
  std::vector<Block> of;
  int64_t volume = 1;
  bool do_something = false;

  Blocks(const KernelContext& context, const std::vector<int64_t>& sizes) {
    const Tensor &x = context.input(0), &margins = context.input(context.num_inputs() - 1);
    const auto count = static_cast<int64_t>(sizes.size());
    Require(x.rank() > count, "the input must have more than ", count, " dimensions, not the shape ",
            x.shape().ToString());
    Require(margins.rank() == 2 && margins.dim(0) == count && margins.dim(1) == 2, "the margins must have the shape [",
            count, ",2], not ", margins.shape().ToString());
    for (int64_t i = 0; i < count; ++i) {
      const Block block{sizes[static_cast<size_t>(i)], IntAt(margins, 2 * i), IntAt(margins, 2 * i + 1)};
      Require(block.size >= 1, "block_shape[", i, "] must be positive, and is ", block.size);
      Require(block.before >= 0 && block.after >= 0, "margins must not be negative: ", block.before, " ", block.after);
      const auto product = CheckedMultiply(volume, block.size);
      Require(product.has_value(), "the blocks are too large");
      volume = *product;
      of.push_back(block);
    }
    const auto works = [](const Block& b) { return b.size != 1 || b.before != 0 || b.after != 0; };
    const auto first = std::find_if(of.begin(), of.end(), works);
    const auto last = std::find_if(of.rbegin(), std::make_reverse_iterator(first), works).base();
    do_something = first != last;
    Require(last - first <= kMaxBlockDimensions, "there may be ", kMaxBlockDimensions,
            " block dimensions that do something, and there are ", last - first);
  }
};

int64_t Plus(int64_t a, int64_t b) {
  int64_t sum = 0;
  Require(!__builtin_add_overflow(a, b, &sum), "a dimension is too large with its padding");
  return sum;
}

int64_t Times(int64_t a, int64_t b) {
  const auto product = CheckedMultiply(a, b);
  Require(product.has_value(), "a dimension of ", a, " times ", b, " is too large");
  return *product;
}

class MoveBlocks final : public Kernel {
 public:
  MoveBlocks(const Node& node, bool to_batch)
      : type_(InputType(node, 0)), to_batch_(to_batch), side_(GetAttrOr(node.attrs, "block_size", int64_t{0})) {}
  void Run(KernelContext& context) override {
    for (int i = 1; i < context.num_inputs(); ++i) context.Unalias(i);
    const Tensor& x = context.input(0);
    const Blocks blocks(context, SizesIn(context));
    if (!blocks.do_something) return context.SetOutput(0, x);  // R31
    context.CopyGuarded(0);
    const Shape shape = to_batch_ ? BatchedShape(x.shape(), blocks) : WideShape(x.shape(), blocks);
    Tensor& output = context.AllocateOutput(0, type_, shape);
    if (shape.elements() == 0) return;
    if (to_batch_) FillZero(context.pool(), output);
    if (x.elements() == 0) return;
    for (int64_t offset = 0; offset < blocks.volume; ++offset) CopyOffset(context.pool(), x, blocks, offset, output);
  }
  bool KeepsAliases() const override { return true; }

 private:
  // The first versions cut images into squares.
  std::vector<int64_t> SizesIn(const KernelContext& context) const {
    if (context.num_inputs() > 2) {
      const Tensor& sizes = context.input(1);
      Require(sizes.rank() == 1, "block_shape must be a vector, not of shape ", sizes.shape().ToString());
      return ToInt64s(sizes);
    }
    Require(context.input(0).rank() == 4, "the input must have four dimensions, not the shape ",
            context.input(0).shape().ToString());
    return {side_, side_};
  }

  static Shape BatchedShape(const Shape& wide, const Blocks& blocks) {
    Dims dims(wide);
    dims[0] = Times(dims[0], blocks.volume);
    for (size_t i = 0; i < blocks.of.size(); ++i) {
      const Block& block = blocks.of[i];
      int64_t& dim = dims[static_cast<int>(i) + 1];
      dim = Plus(dim, Plus(block.before, block.after));
      Require(dim % block.size == 0, "dimension ", i + 1, " of ", dim, " with its padding is not a multiple of ",
              block.size);
      dim /= block.size;
    }
    return dims.ToShape();
  }

  static Shape WideShape(const Shape& batched, const Blocks& blocks) {
    Dims dims(batched);
    Require(dims[0] % blocks.volume == 0, "a batch of ", dims[0], " is not a multiple of the blocks' ", blocks.volume);
    dims[0] /= blocks.volume;
    for (size_t i = 0; i < blocks.of.size(); ++i) {
      const Block& block = blocks.of[i];
      int64_t& dim = dims[static_cast<int>(i) + 1];
      const int64_t size = Times(dim, block.size);
      Require(block.before <= size && block.after <= size - block.before, "the crops ", block.before, " and ",
              block.after, " of dimension ", i + 1, " leave nothing of its ", size);
      dim = size - block.before - block.after;
    }
    return dims.ToShape();
  }

  // The batch entries of one place in the blocks: every size-th element of each block dimension.
  void CopyOffset(ThreadPool& pool, const Tensor& x, const Blocks& blocks, int64_t offset, Tensor& output) const {
    const Shape &wide = to_batch_ ? x.shape() : output.shape(), &batched = to_batch_ ? output.shape() : x.shape();
    const Strides of_wide(wide), of_batched(batched);
    const int count = static_cast<int>(blocks.of.size());
    int64_t wide_start = 0, batched_start = offset * wide[0] * of_batched[0];
    CopyPlan plan;
    int64_t places[kMaxRank];
    for (int i = count - 1; i >= 0; --i) {
      places[i] = offset % blocks.of[static_cast<size_t>(i)].size;
      offset /= blocks.of[static_cast<size_t>(i)].size;
    }
    const auto append = [&](int64_t size, int64_t wide_stride, int64_t batched_stride) {
      plan.Append(size, to_batch_ ? wide_stride : batched_stride, to_batch_ ? batched_stride : wide_stride);
    };
    append(wide[0], of_wide[0], of_batched[0]);
    for (int i = 0; i < count; ++i) {
      const Block& block = blocks.of[static_cast<size_t>(i)];
      // Batched element j is wide element j · size + place − before.
      const int64_t missing = block.before - places[i];
      const int64_t first = missing <= 0 ? 0 : (missing + block.size - 1) / block.size;
      const int64_t end = std::min(batched[i + 1], (wide[i + 1] + missing + block.size - 1) / block.size);
      if (end <= first) return;
      append(end - first, block.size * of_wide[i + 1], of_batched[i + 1]);
      wide_start += (first * block.size - missing) * of_wide[i + 1];
      batched_start += first * of_batched[i + 1];
    }
    append(ElementsIn(wide, count + 1, wide.rank()), 1, 1);
    CopyStrided(pool, type_, plan, At(x.raw(), type_, to_batch_ ? wide_start : batched_start),
                At(output.mutable_raw(), type_, to_batch_ ? batched_start : wide_start));
  }

  DType type_;
  bool to_batch_;
  int64_t side_;
};

constexpr KernelRow kRows[] = {
    {"SpaceToBatch", MakeWith<MoveBlocks, true>},
    {"BatchToSpace", MakeWith<MoveBlocks, false>},
    {"SpaceToBatchND", MakeWith<MoveBlocks, true>},
    {"BatchToSpaceND", MakeWith<MoveBlocks, false>},
};

}  // namespace

std::span<const KernelRow> ArraySpaceToBatch() { return kRows; }

}  // namespace plumb::fast::cpu
