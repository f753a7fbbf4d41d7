// A part of an image at a random place.
#include <cstring>
#include <limits>

#include "fastpath/cpu/lib/state/random.h"

namespace plumb::fast::cpu {
namespace {

class RandomCrop final : public RandomKernel {
 public:
  explicit RandomCrop(const Node& node) : RandomKernel(node), type_(InputType(node, 0)) {}

  void Run(KernelContext& context) override {
    const Tensor &image = context.input(0), &size = context.input(1);
    Require(image.rank() == 3, "image must have three dimensions, not the shape ", image.shape().ToString());
    Require(size.rank() == 1 && size.elements() == 2, "size must be a vector of two, not of shape ",
            size.shape().ToString());
    const int64_t height = SideOf(size, 0), width = SideOf(size, 1), channels = image.dim(2);
    if (image.dim(0) < height || image.dim(1) < width) {
      throw FailedPrecondition("an image of ", image.dim(0), " x ", image.dim(1), " pixels has no part of ", height,
                               " x ", width);
    }
    PhiloxWords words(stream_.Reserve(1));
    const int64_t left = StartOf(image.dim(1), width, words), top = StartOf(image.dim(0), height, words);
    Tensor& output = context.AllocateOutput(0, type_, Shape({height, width, channels}));
    if (output.elements() == 0) return;
    const auto pixel = static_cast<int64_t>(ElementSize(type_)) * channels;
    const char* from = static_cast<const char*>(image.raw()) + (top * image.dim(1) + left) * pixel;
    char* to = static_cast<char*>(output.mutable_raw());
    for (int64_t y = 0; y < height; ++y, from += image.dim(1) * pixel, to += width * pixel) {
      std::memcpy(to, from, static_cast<size_t>(width * pixel));
    }
  }

 private:
  int64_t SideOf(const Tensor& size, int64_t i) const {
    const int64_t side = IntAt(size, i);
    Require(side >= 0 && side <= std::numeric_limits<int32_t>::max(), "a crop cannot have a side of ", side);
    return side;
  }
  // The first of `part` pixels among `all`: the next word says which, where there is a choice.
  static int64_t StartOf(int64_t all, int64_t part, PhiloxWords& words) {
    return all > part ? words.Next() % static_cast<uint32_t>(all - part + 1) : 0;
  }

  const DType type_;
};

constexpr KernelRow kRows[] = {
    {"RandomCrop", Make<RandomCrop>},
};

}  // namespace

std::span<const KernelRow> ImageRandomCrop() { return kRows; }

}  // namespace plumb::fast::cpu
