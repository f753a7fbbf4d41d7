// Singular values by Eigen's divide and conquer. The signs of vectors are those that it finds.
#include <Eigen/SVD>
#include <cmath>

#include "fastpath/cpu/linalg/eigen_maps.h"
#include "fastpath/cpu/linalg/matrices.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
class SvdKernel : public Kernel {
 public:
  explicit SvdKernel(const Node& node)
      : wants_vectors_(GetAttr<bool>(node.attrs, "compute_uv")), full_(GetAttr<bool>(node.attrs, "full_matrices")) {}

  void Run(KernelContext& context) override {
    const Tensor& a = context.input(0);
    const Matrices matrices(a);
    const int64_t m = matrices.rows, n = matrices.columns, count = std::min(m, n);
    const Sizes sizes{m, n, count, full_ ? m : count, full_ ? n : count};
    const auto stacked = [&](int64_t rows, int64_t columns) {
      return wants_vectors_ ? Stacked(matrices.batch, {rows, columns}) : Shape({0});
    };
    Tensor& values = context.AllocateOutput(0, DTypeOf<T>, Stacked(matrices.batch, {count}));
    Tensor& left = context.AllocateOutput(1, DTypeOf<T>, stacked(m, sizes.left));
    Tensor& right = context.AllocateOutput(2, DTypeOf<T>, stacked(n, sizes.right));
    if (values.elements() + left.elements() + right.elements() == 0) return;
    const T* const from = a.data<T>().data();
    T* const s = values.mutable_data<T>().data();
    T* const u = left.mutable_data<T>().data();
    T* const v = right.mutable_data<T>().data();
    ForEachMatrix(context.pool(), matrices.batch.elements(), 16 * m * n * count + 64, [&](int64_t i) {
      const int64_t one = wants_vectors_ ? i : 0;
      Decompose(sizes, from + i * m * n, s + i * count, u + one * m * sizes.left, v + one * n * sizes.right);
    });
  }

 private:
  struct Sizes {
    int64_t m, n, count, left, right;
  };

  void Decompose(const Sizes& sizes, const T* from, T* s, T* u, T* v) const {
    MutableMap<T> values(s, sizes.count, 1);
    MutableMap<T> left(u, wants_vectors_ ? sizes.m : 0, sizes.left);
    MutableMap<T> right(v, wants_vectors_ ? sizes.n : 0, sizes.right);
    if (sizes.count == 0) {
      left.setIdentity();
      right.setIdentity();
      return;
    }
    const ConstMap<T> a(from, sizes.m, sizes.n);
    const unsigned bases =
        full_ ? Eigen::ComputeFullU | Eigen::ComputeFullV : Eigen::ComputeThinU | Eigen::ComputeThinV;
    Eigen::BDCSVD<EigenMatrix<Within<T>>> svd;
    if (a.allFinite()) svd.compute(a.template cast<Within<T>>(), wants_vectors_ ? bases : 0);
    if (!a.allFinite() || svd.info() != Eigen::Success) {
      // TensorFlow asks the C++ library for a NaN of the type, which has none of complex ones, but zero.
      const T missing = std::is_floating_point_v<T> ? T(NAN) : T(0);
      values.setConstant(missing);
      left.setConstant(missing);
      right.setConstant(missing);
      return;
    }
    values = svd.singularValues().template cast<T>();
    if (!wants_vectors_) return;
    left = svd.matrixU().template cast<T>();
    right = svd.matrixV().template cast<T>();
  }

  const bool wants_vectors_;
  const bool full_;
};

constexpr KernelRow kRows[] = {
    {"Svd", MakeFor<SvdKernel, LinalgTypes>},
    {"BatchSvd", MakeFor<SvdKernel, LinalgTypes>},
};

}  // namespace

std::span<const KernelRow> LinalgSvd() { return kRows; }

}  // namespace plumb::fast::cpu
