// Batches of matrices: sizes, checks, and the loop over them.
#pragma once

#include <complex>
#include <initializer_list>
#include <string>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/types.h"

namespace plumb::fast::cpu {

using LinalgTypes = Types<float, double, std::complex<float>, std::complex<double>>;

// The last two dimensions of a tensor, and how many matrices the others make.
struct Matrices {
  Shape batch;
  int64_t rows = 0, columns = 0;

  explicit Matrices(const Tensor& tensor) {
    const int rank = tensor.rank();
    Require(rank >= 2, "matrices are needed, not the shape ", Printed(tensor.shape()));
    batch = Shape(tensor.shape().dims().first(static_cast<size_t>(rank - 2)));
    rows = tensor.dim(rank - 2);
    columns = tensor.dim(rank - 1);
  }
  int64_t size() const { return rows * columns; }
};

inline Matrices SquareMatrices(const Tensor& tensor) {
  Matrices matrices(tensor);
  Require(matrices.rows == matrices.columns, "square matrices are needed, not the shape ", Printed(tensor.shape()));
  return matrices;
}

// The batch dimensions, and these behind them.
inline Shape Stacked(const Shape& batch, std::initializer_list<int64_t> dims) {
  std::vector<int64_t> all = batch.ToVector();
  all.insert(all.end(), dims);
  return Shape(all);
}

// body(i) for each of `count` matrices, when one costs about `work` multiplications.
template <class Body>
void ForEachMatrix(ThreadPool& pool, int64_t count, int64_t work, const Body& body) {
  pool.ParallelFor(count, GrainFor(work), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) body(i);
  });
}

}  // namespace plumb::fast::cpu
