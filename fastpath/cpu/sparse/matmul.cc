// SparseTensorDenseMatMul: rows of b, scaled, added to rows of the product; columns are cut across threads.
#include <complex>
#include <type_traits>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"
#include "fastpath/formulas/sparse/product_sizes.h"

namespace plumb::fast::cpu {
namespace {

using ProductTypes = decltype(Types<float, double, int32_t>() + ComplexTypes());

template <class T>
T Adjoint(const T& x) {
  if constexpr (requires { x.imag(); }) return std::conj(x);
  return x;
}

class SparseMatMul final : public Kernel {
 public:
  explicit SparseMatMul(const Node& node)
      : type_(OutputType(node, 0)),
        adjoint_a_(GetAttr<bool>(node.attrs, "adjoint_a")),
        adjoint_b_(GetAttr<bool>(node.attrs, "adjoint_b")) {}

  void Run(KernelContext& context) override {
    const Tensor& indices = context.input(0);
    const ProductSizes plan = ProductSizesOf(indices.shape(), context.input(1).shape(), context.input(2),
                                             context.input(3).shape(), adjoint_a_, adjoint_b_);
    Tensor product = AllocateZeros(context.pool(), ComputeType(type_), Shape({plan.rows, plan.width}));
    if (context.input(3).elements() > 0 && product.elements() > 0) {
      CheckIndices(indices, plan);
      const Tensor a = AsFloat(context.pool(), context.input(1)), b = AsFloat(context.pool(), context.input(3));
      VisitOneOf(ProductTypes(), product.dtype(), false, [&](auto tag) {
        using T = typename decltype(tag)::Type;
        Multiply(context.pool(), plan, indices, a.data<T>().data(), b.data<T>().data(),
                 product.mutable_data<T>().data());
        return true;
      });
    }
    context.SetOutput(0, RoundedTo(context.pool(), type_, std::move(product)));
  }

 private:
  void CheckIndices(const Tensor& indices, const ProductSizes& plan) const {
    for (int64_t i = 0; i < indices.dim(0); ++i) {
      const int64_t row = IntAt(indices, 2 * i + (adjoint_a_ ? 1 : 0)),
                    k = IntAt(indices, 2 * i + (adjoint_a_ ? 0 : 1));
      Require(row >= 0 && row < plan.rows && k >= 0 && k < plan.inner, "element ", i,
              " of a lies outside of its shape");
    }
  }

  template <class T>
  void Multiply(ThreadPool& pool, const ProductSizes& plan, const Tensor& indices, const T* a, const T* b,
                T* product) const {
    const int64_t count = indices.dim(0);
    pool.ParallelFor(plan.width, GrainFor(2 * count), [&](int64_t begin, int64_t end) {
      for (int64_t i = 0; i < count; ++i) {
        const int64_t row = IntAt(indices, 2 * i + (adjoint_a_ ? 1 : 0)),
                      k = IntAt(indices, 2 * i + (adjoint_a_ ? 0 : 1));
        const T factor = adjoint_a_ ? Adjoint(a[i]) : a[i];
        T* const to = product + row * plan.width;
        if (adjoint_b_) {
          for (int64_t j = begin; j < end; ++j) AddProduct(to[j], factor, Adjoint(b[j * plan.inner + k]));
        } else {
          for (int64_t j = begin; j < end; ++j) AddProduct(to[j], factor, b[k * plan.width + j]);
        }
      }
    });
  }

  // Whole numbers wrap around; complex ones are multiplied part by part, so that infinities are what the parts say.
  template <class T>
  static void AddProduct(T& sum, const T& x, const T& y) {
    if constexpr (std::is_integral_v<T>) {
      sum = static_cast<T>(static_cast<uint64_t>(sum) + static_cast<uint64_t>(x) * static_cast<uint64_t>(y));
    } else if constexpr (std::is_floating_point_v<T>) {
      sum += x * y;
    } else {
      sum += T(x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real());
    }
  }

  const DType type_;
  const bool adjoint_a_;
  const bool adjoint_b_;
};

constexpr KernelRow kRows[] = {
    {"SparseTensorDenseMatMul", Make<SparseMatMul>},
};

}  // namespace

std::span<const KernelRow> SparseMatmul() { return kRows; }

}  // namespace plumb::fast::cpu
