#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

void CheckBoundaries(const Node& node) {
  const auto& boundaries = GetAttr<std::vector<float>>(node.attrs, "boundaries");
  for (size_t i = 0; i < boundaries.size(); ++i) {
    Require(i == 0 || !(boundaries[i] < boundaries[i - 1]), "the boundaries must be sorted: number ", i,
            " is not above the one before it");
  }
}

// As numbers are compared with floats: whole numbers as the nearest of those.
double Comparable(Real x) { return x.v; }
double Comparable(Integer x) { return static_cast<float>(x.v); }

// How many boundaries are passed. Halving an interval is what decides among boundaries with a NaN, below which is
// nothing.
int64_t Passed(double x, const std::vector<float>& boundaries) {
  size_t begin = 0, left = boundaries.size();
  while (left > 0) {
    const size_t half = left / 2;
    if (x < boundaries[begin + half]) {
      left = half;
    } else {
      begin += half + 1;
      left -= half + 1;
    }
  }
  return static_cast<int64_t>(begin);
}

void Bucketize(OpContext& c) {
  const auto& boundaries = c.attr<std::vector<float>>("boundaries");
  ForKind<Real, Integer>(c.tensor(0).dtype(), [&](auto kind) {
    const Reader<typename decltype(kind)::Type> x(c.input(0));
    Writer<Integer> bucket(DType::kInt32, x.shape());
    for (int64_t i = 0; i < x.size(); ++i) bucket.Set(i, Passed(Comparable(x[i]), boundaries));
    c.Output(0, bucket.Take());
  });
}

constexpr KernelRow kRows[] = {
    {"Bucketize", Bucketize, CheckBoundaries},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MathBucketize() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
