// Blocks of a tensor as batch entries, and back.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

constexpr int kMostBlockDimensions = 4;

struct Blocks {
  std::vector<int64_t> size, before, after;  // by block dimension
  int64_t volume = 1;
  int first = 0, last = 0;  // those between do something; neither blocks nor margins are around them
};

// Those of the first versions, which know images only, are squares.
std::vector<int64_t> SizesOf(OpContext& c) {
  if (c.num_inputs() == 2) {
    Require(c.tensor(0).rank() == 4, "the input must have four dimensions, not the shape ",
            c.tensor(0).shape().ToString());
    return std::vector<int64_t>(2, c.attr<int64_t>("block_size"));
  }
  Require(c.tensor(1).rank() == 1, "block_shape must be a vector, not of shape ", c.tensor(1).shape().ToString());
  return IntegersOf(c.tensor(1), "block_shape");
}

Blocks BlocksOf(OpContext& c) {
  const Tensor& margins = c.tensor(c.num_inputs() - 1);
  Blocks blocks;
  blocks.size = SizesOf(c);
  const auto count = static_cast<int>(blocks.size.size());
  Require(c.tensor(0).rank() > count, "the input must have ", count + 1, " dimensions at least, not the shape ",
          c.tensor(0).shape().ToString());
  Require(margins.rank() == 2 && margins.dim(0) == count && margins.dim(1) == 2, "the margins must have the shape [",
          count, ",2], not ", margins.shape().ToString());
  const auto table = IntegersOf(margins.Reshaped({margins.elements()}), "margins");
  for (int i = 0; i < count; ++i) {
    blocks.before.push_back(table[2 * i]);
    blocks.after.push_back(table[2 * i + 1]);
    Require(blocks.size[i] >= 1, "block_shape[", i, "] must be positive, not ", blocks.size[i]);
    const auto volume = CheckedMultiply(blocks.volume, blocks.size[i]);
    Require(volume.has_value(), "the blocks are too large");
    blocks.volume = *volume;
    Require(table[2 * i] >= 0 && table[2 * i + 1] >= 0, "margins must not be negative: ", table[2 * i], " ",
            table[2 * i + 1]);
  }
  const auto idle = [&](int i) { return blocks.size[i] == 1 && blocks.before[i] == 0 && blocks.after[i] == 0; };
  blocks.last = count;
  while (blocks.first < count && idle(blocks.first)) ++blocks.first;
  while (blocks.last > blocks.first && idle(blocks.last - 1)) --blocks.last;
  Require(blocks.last - blocks.first <= kMostBlockDimensions, "there may be ", kMostBlockDimensions,
          " block dimensions that do something, not ", blocks.last - blocks.first);
  return blocks;
}

// Calls f(element of `batched`, element of `wide`) for all elements of `batched` that are not margin.
template <class F>
void ForEachPair(const Shape& batched, const Shape& wide, const Blocks& blocks, F f) {
  const auto from = Strides(batched), to = Strides(wide);
  for (int64_t i = 0; i < batched.elements(); ++i) {
    const int64_t entry = i / from[0];
    int64_t offset = entry / wide.dim(0), position = entry % wide.dim(0) * to[0];
    bool inside = true;
    for (int b = static_cast<int>(blocks.size.size()) - 1; b >= 0; --b) {
      const int64_t in_block = offset % blocks.size[b];
      offset /= blocks.size[b];
      const int64_t at = i / from[b + 1] % batched.dim(b + 1) * blocks.size[b] + in_block - blocks.before[b];
      inside &= 0 <= at && at < wide.dim(b + 1);
      position += at * to[b + 1];
    }
    for (int axis = static_cast<int>(blocks.size.size()) + 1; axis < wide.rank(); ++axis) {
      position += i / from[axis] % batched.dim(axis) * to[axis];
    }
    if (inside) f(i, position);
  }
}

int64_t Checked(Integer size) {
  Require(Wrap(size, DType::kInt64) == size, "a dimension of the result is too large");
  return static_cast<int64_t>(size);
}

void SpaceToBatch(OpContext& c) {
  const Blocks blocks = BlocksOf(c);
  if (blocks.first == blocks.last) return c.Output(0, c.input(0));  // R31
  const Shape& shape = c.tensor(0).shape();
  auto dims = shape.ToVector();
  dims[0] = Checked(Integer(dims[0]) * blocks.volume);
  for (size_t b = 0; b < blocks.size.size(); ++b) {
    const int64_t padded = Checked(Integer(dims[b + 1]) + blocks.before[b] + blocks.after[b]);
    Require(padded % blocks.size[b] == 0, "dimension ", b + 1, " of size ", padded,
            " with its padding is not a "
            "multiple of ",
            blocks.size[b]);
    dims[b + 1] = padded / blocks.size[b];
  }
  const Shape batched(dims);
  Assembly result(c.tensor(0).dtype(), batched);
  if (shape.elements() > 0) {
    ForEachPair(batched, shape, blocks, [&](int64_t to, int64_t from) { result.Copy(to, c.input(0), from); });
  }
  c.Output(0, result.Take());
}

void BatchToSpace(OpContext& c) {
  const Blocks blocks = BlocksOf(c);
  if (blocks.first == blocks.last) return c.Output(0, c.input(0));  // R31
  const Shape& shape = c.tensor(0).shape();
  auto dims = shape.ToVector();
  Require(dims[0] % blocks.volume == 0, "a batch of ", dims[0], " is not a multiple of the blocks' ", blocks.volume);
  dims[0] /= blocks.volume;
  for (size_t b = 0; b < blocks.size.size(); ++b) {
    dims[b + 1] = Checked(Integer(dims[b + 1]) * blocks.size[b] - blocks.before[b] - blocks.after[b]);
    Require(dims[b + 1] >= 0, "the crops of dimension ", b + 1, " leave ", dims[b + 1], " of it");
  }
  const Shape wide(dims);
  Assembly result(c.tensor(0).dtype(), wide);
  if (wide.elements() > 0) {
    ForEachPair(shape, wide, blocks, [&](int64_t from, int64_t to) { result.Copy(to, c.input(0), from); });
  }
  c.Output(0, result.Take());
}

constexpr KernelRow kRows[] = {
    {"SpaceToBatch", SpaceToBatch},
    {"BatchToSpace", BatchToSpace},
    {"SpaceToBatchND", SpaceToBatch},
    {"BatchToSpaceND", BatchToSpace},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArraySpaceToBatch() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
