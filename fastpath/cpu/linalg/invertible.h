// What TensorFlow calls invertible, of a matrix that Eigen has factored.
#pragma once

#include <Eigen/LU>
#include <cmath>

namespace plumb::fast::cpu {

// The smallest pivot is above zero; of those that are no numbers only the first one shows in a minimum.
template <class Matrix>
bool IsInvertible(const Eigen::PartialPivLU<Matrix>& lu) {
  const auto pivots = lu.matrixLU().diagonal();
  if (pivots.size() == 0) return true;
  return !std::isnan(std::abs(pivots(0))) && (pivots.array() != typename Matrix::Scalar(0)).all();
}

}  // namespace plumb::fast::cpu
