// A part of an image at a random place.
#include <limits>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/random_stream.h"

namespace plumb::reference {
namespace {

// The first of `part` pixels among `all`: the next word says which, where there is a choice.
int64_t StartOf(int64_t all, int64_t part, PhiloxWords& words) {
  return all > part ? words.Next() % static_cast<uint32_t>(all - part + 1) : 0;
}

void RandomCrop(OpContext& c) {
  const Tensor &image = c.tensor(0), &size = c.tensor(1);
  Require(image.rank() == 3, "image must have three dimensions, not the shape ", image.shape().ToString());
  Require(size.rank() == 1 && size.elements() == 2, "size must be a vector of two, not of shape ",
          size.shape().ToString());
  const std::vector<int64_t> target = ToInt64s(size);
  for (const int64_t side : target) {
    Require(side >= 0 && side <= std::numeric_limits<int32_t>::max(), "a crop cannot have a side of ", side);
  }
  const int64_t height = image.dim(0), width = image.dim(1), channels = image.dim(2);
  if (width < target[1] || height < target[0]) {
    throw FailedPrecondition("an image of ", height, " x ", width, " pixels has no part of ", target[0], " x ",
                             target[1]);
  }
  PhiloxWords words(ReserveBlocks(c, 1));
  const int64_t left = StartOf(width, target[1], words), top = StartOf(height, target[0], words);
  Assembly part(image.dtype(), {target[0], target[1], channels});
  for (int64_t y = 0; y < target[0] && target[1] > 0 && channels > 0; ++y) {
    part.Copy(y * target[1] * channels, c.input(0), ((top + y) * width + left) * channels, target[1] * channels);
  }
  c.Output(0, part.Take());
}

constexpr KernelRow kRows[] = {
    {"RandomCrop", RandomCrop},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ImageRandomCrop() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
