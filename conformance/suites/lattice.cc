#include "conformance/suites/lattice.h"

#include <algorithm>
#include <cmath>

#include "conformance/compare/elements.h"

namespace plumb::conformance {
namespace {

constexpr double kLatticeSize = 8;

}  // namespace

bool OnLattice(const Tensor& tensor) {
  const std::vector<double> numbers = ToDoubles(tensor);
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return x == std::trunc(x); });
}

Tensor SnappedToLattice(const Tensor& tensor) {
  const auto snap = [&]<class T>(T) {
    Tensor snapped = tensor.Clone();
    for (T& x : snapped.mutable_data<T>()) x = std::trunc(std::clamp<T>(x, -kLatticeSize, kLatticeSize));
    return snapped;
  };
  if (tensor.dtype() == DType::kFloat) return snap(float());
  if (tensor.dtype() == DType::kDouble) return snap(double());
  return tensor;
}

}  // namespace plumb::conformance
