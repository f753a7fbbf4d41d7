// Images of codes, normalised with the moments of their channels in fixed-point
// arithmetic.
#include <vector>

#include "reference/ops/quantization/codes.h"

namespace plumb::reference {
namespace {

// Input `i` with the range behind it, as numbers.
class Numbers {
 public:
  Numbers(const OpContext &c, int i)
      : codes_(c.input(i)),
        range_{CodesOf(c.tensor(i).dtype()), ValueOf(OneFloat(c, i + 1)), ValueOf(OneFloat(c, i + 2))} {}
  float operator[](int64_t i) const { return range_.NumberOf(static_cast<int64_t>(codes_[i])); }

 private:
  Reader<Integer> codes_;
  Range range_;
};

struct Line {
  Integer scale, offset;
};

void QuantizedBatchNorm(OpContext &c) {
  const Numbers images(c, 0), mean(c, 3), variance(c, 6), beta(c, 9), gamma(c, 12);
  const Shape &shape = c.tensor(0).shape();
  Require(shape.rank() == 4, "the input must be images of four dimensions, not of shape ", shape.ToString());
  const int64_t depth = shape.dim(3);
  for (int i = 3; i < 15; i += 3) {
    Require(c.tensor(i).shape() == Shape({depth}), "input ", i, " must have an entry for each of ", depth,
            " channels, not the shape ", c.tensor(i).shape().ToString());
  }
  Require(depth > 1, "there must be more than one channel");
  const Range range(CodesOf(DType::kQint32), -0x1p20F, 0x1p20F);
  std::vector<Line> lines;
  for (int64_t channel = 0; channel < depth; ++channel) {
    float scale = 1 / std::sqrt(variance[channel] + c.attr<float>("variance_epsilon"));
    if (c.attr<bool>("scale_after_normalization")) scale *= gamma[channel];
    lines.push_back({range.CodeOf(scale), range.CodeOf(-mean[channel] * scale + beta[channel])});
  }
  const Integer one(range.CodeOf(1));
  Writer<Integer> result(DType::kQint32, shape);
  for (int64_t i = 0; i < result.size(); ++i) {
    const Line &line = lines[i % depth];
    result.Set(i, Wrap(Integer(range.CodeOf(images[i])) * line.scale, DType::kInt32) / one + line.offset);
  }
  c.Output(0, result.Take());
  OutputFloat(c, 1, Real(range.min));
  OutputFloat(c, 2, Real(range.max));
}

constexpr KernelRow kRows[] = {
    {"QuantizedBatchNormWithGlobalNormalization", QuantizedBatchNorm},
};

}  // namespace

namespace topics {
std::span<const KernelRow> QuantizationQuantizedBatchNorm() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
