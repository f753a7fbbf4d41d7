#include "reference/numbers/perturb.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace plumb::reference {
namespace {

// A number of which nothing is known (an infinite bound) becomes NaN.
template <class T>
T Moved(T value, double by) {
  return T(static_cast<float>(std::isfinite(by) ? static_cast<double>(value) + by : NAN));
}
template <>
double Moved(double value, double by) {
  return std::isfinite(by) ? value + by : NAN;
}

template <class T>
void PerturbElements(Value& value, std::mt19937_64& random) {
  std::uniform_real_distribution<double> part(-1, 1);
  const std::vector<double>& bound = *value.bound;
  Tensor moved = value.tensor.Clone();
  T* elements = static_cast<T*>(moved.mutable_raw());
  for (size_t i = 0; i < bound.size(); ++i) elements[i] = Moved(elements[i], part(random) * bound[i]);
  value.tensor = std::move(moved);
}

void PerturbValue(Value& value, std::mt19937_64& random) {
  switch (value.tensor.dtype()) {
    case DType::kHalf:
      return PerturbElements<Half>(value, random);
    case DType::kBfloat16:
      return PerturbElements<BFloat16>(value, random);
    case DType::kFloat:
    case DType::kComplex64:  // two bounds per element, real part first
      return PerturbElements<float>(value, random);
    case DType::kDouble:
    case DType::kComplex128:
      return PerturbElements<double>(value, random);
    default:
      return;
  }
}

}  // namespace

void Perturb(const std::vector<Value*>& results, uint64_t seed, int64_t execution) {
  const auto has_bound = [](const Value* result) { return result->bound != nullptr; };
  if (std::none_of(results.begin(), results.end(), has_bound)) return;
  std::seed_seq seeds{seed, seed >> 32, static_cast<uint64_t>(execution)};
  std::mt19937_64 random(seeds);
  for (Value* result : results) {
    if (result->bound == nullptr) continue;
    PerturbValue(*result, random);
    result->bound = nullptr;
  }
}

}  // namespace plumb::reference
