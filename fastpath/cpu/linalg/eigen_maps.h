// Row-major matrices in tensors as Eigen sees them.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <cstdint>
#include <type_traits>

namespace plumb::fast::cpu {

template <class T>
using EigenMatrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using ConstMap = Eigen::Map<const EigenMatrix<T>>;
template <class T>
using MutableMap = Eigen::Map<EigenMatrix<T>>;

// What solvers compute in. The compiler takes up to a minute for each type of some, so narrow complex numbers are wide
// ones within them; and in rare solvers narrow real numbers too.
template <class T>
using Within = std::conditional_t<std::is_same_v<T, std::complex<float>>, std::complex<double>, T>;
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, float>, double, Within<T>>;

}  // namespace plumb::fast::cpu
