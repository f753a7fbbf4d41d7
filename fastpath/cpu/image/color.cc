// Colours as red, green and blue, and as hue, saturation and value.
#include "fastpath/cpu/image/colors.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/types.h"

namespace plumb::fast::cpu {
namespace {

constexpr int64_t kPixelWork = 32;

template <class T, class Conversion>
class Convert final : public Kernel {
 public:
  explicit Convert(const Node&) {}

  void Run(KernelContext& context) override {
    const Shape shape = context.input(0).shape();
    Require(shape.rank() >= 1, "images must have channels, which a scalar has not");
    if (shape[shape.rank() - 1] != 3) {
      throw FailedPrecondition("pixels have three channels in the last dimension, not as many as images of shape ",
                               shape.ToString());
    }
    const T* const from = context.input(0).data<T>().data();
    T* const to = context.ForwardOrAllocate(0, 0, DTypeOf<T>, shape).template mutable_data<T>().data();
    context.pool().ParallelFor(shape.elements() / 3, GrainFor(kPixelWork), [&](int64_t begin, int64_t end) {
      for (int64_t i = 3 * begin; i < 3 * end; i += 3) {
        const auto at = [&](int64_t c) { return static_cast<Wide>(from[i + c]); };
        const Rgb<Wide> pixel = Conversion::Of(Rgb<Wide>{at(0), at(1), at(2)});
        for (size_t c = 0; c < 3; ++c) to[i + static_cast<int64_t>(c)] = static_cast<T>(pixel[c]);
      }
    });
  }

 private:
  using Wide = std::conditional_t<kIsFloat16<T>, float, T>;
};

template <class T>
using RgbToHsv = Convert<T, ToHsv>;
template <class T>
using HsvToRgb = Convert<T, ToRgb>;

constexpr KernelRow kRows[] = {
    {"RGBToHSV", MakeFor<RgbToHsv, FloatTypes>},
    {"HSVToRGB", MakeFor<HsvToRgb, FloatTypes>},
};

}  // namespace

std::span<const KernelRow> ImageColor() { return kRows; }

}  // namespace plumb::fast::cpu
