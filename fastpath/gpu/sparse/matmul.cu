// SparseTensorDenseMatMul: rows of b, scaled, added to rows of the product, in the order of a's elements.
#include "fastpath/formulas/sparse/product_sizes.h"
#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/coordinates.h"
#include "fastpath/gpu/lib/rows/row_lists.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

struct Product : ProductSizes {
  bool adjoint_a = false, adjoint_b = false;

  // Where b has row k, column j, before it is transposed.
  PLUMB_GPU_WORD int64_t PlaceInB(int64_t k, int64_t j) const { return adjoint_b ? j * inner + k : k * width + j; }
};

// The row of the product that each element of a goes to, or -1; the slot gets the number of one outside, plus 1.
template <class Index>
PLUMB_GPU_KERNEL PlacesLoop(Global<const Index> indices, Product p, Global<int64_t> places, Global<int64_t> slot) {
  for (int64_t i = First(); i < places.size; i += Stride()) {
    const int64_t row = indices[2 * i + (p.adjoint_a ? 1 : 0)], k = indices[2 * i + (p.adjoint_a ? 0 : 1)];
    const bool is_inside = row >= 0 && row < p.rows && k >= 0 && k < p.inner;
    places[i] = is_inside ? row : -1;
    if (!is_inside) AtomicCas(slot[0], int64_t{0}, i + 1);
  }
}

struct Lists {
  Global<const int64_t> begins, counts, elements;
};

// A thread for each element of the product: neighbours read neighbours of b.
template <class T, class Index>
PLUMB_GPU_KERNEL RealLoop(Global<const Index> indices, Global<const T> a, Global<const T> b, Product p, Lists lists,
                          Global<T> out) {
  using V = typename Computed<T>::Type;
  for (int64_t i = First(); i < out.size; i += Stride()) {
    const int64_t row = i / p.width, column = i % p.width, begin = lists.begins[row];
    V sum = 0;
    for (int64_t at = begin; at < begin + lists.counts[row]; ++at) {
      const int64_t element = lists.elements[at], k = indices[2 * element + (p.adjoint_a ? 0 : 1)];
      sum += Computed<T>::Load(a[element]) * Computed<T>::Load(b[p.PlaceInB(k, column)]);
    }
    out[i] = Computed<T>::Store(sum);
  }
}

// Complex numbers are two words each, multiplied part by part.
template <class T, class Index>
PLUMB_GPU_KERNEL ComplexLoop(Global<const Index> indices, Global<const T> a, Global<const T> b, Product p, Lists lists,
                             Global<T> out) {
  for (int64_t i = First(); 2 * i < out.size; i += Stride()) {
    const int64_t row = i / p.width, column = i % p.width, begin = lists.begins[row];
    T re = 0, im = 0;
    for (int64_t at = begin; at < begin + lists.counts[row]; ++at) {
      const int64_t element = lists.elements[at], k = indices[2 * element + (p.adjoint_a ? 0 : 1)];
      const int64_t place = p.PlaceInB(k, column);
      const T x = a[2 * element], y = p.adjoint_a ? -a[2 * element + 1] : a[2 * element + 1];
      const T u = b[2 * place], v = p.adjoint_b ? -b[2 * place + 1] : b[2 * place + 1];
      re += x * u - y * v;
      im += x * v + y * u;
    }
    out[2 * i] = re;
    out[2 * i + 1] = im;
  }
}

template <class Index>
class SparseMatMul final : public GpuKernel {
 public:
  explicit SparseMatMul(const Node& node)
      : adjoint_a_(GetAttr<bool>(node.attrs, "adjoint_a")), adjoint_b_(GetAttr<bool>(node.attrs, "adjoint_b")) {}

  void Run(GpuContext& context) override {
    const Product p = Checked(context);
    Tensor product = context.AllocateOutput(0, Shape({p.rows, p.width}));
    if (context.input(3).elements() == 0 || product.elements() == 0) return context.Clear(product);
    const auto indices = context.In<Index>(0);
    Tensor places = context.Scratch(DType::kInt64, Shape({context.input(0).dim(0)}));
    const Global<int64_t> of = context.ViewOf<int64_t>(places), slot = context.NewSlot([](int64_t number) {
      return Status(Code::kInvalidArgument, Str("element ", number - 1, " of a lies outside of its shape"));
    });
    Launch(context.stream(), LoopOver(of.size), PlacesLoop<Index>, indices, p, of, slot);
    const RowLists lists = ListRows(context, of, p.rows);
    const Lists views{context.ViewOf<int64_t>(lists.begins), context.ViewOf<int64_t>(lists.counts),
                      context.ViewOf<int64_t>(lists.rows)};
    if (product.dtype() == DType::kComplex64) return Multiply<float>(context, p, views, product, 2);
    if (product.dtype() == DType::kComplex128) return Multiply<double>(context, p, views, product, 2);
    ForType(context.node(), product.dtype(), Floats(), [&](auto tag) {
      Multiply<typename decltype(tag)::Type>(context, p, views, product, 1);
      return true;
    });
  }

 private:
  Product Checked(const GpuContext& context) const {
    return {ProductSizesOf(context.input(0).shape(), context.input(1).shape(), context.input(2),
                           context.input(3).shape(), adjoint_a_, adjoint_b_),
            adjoint_a_, adjoint_b_};
  }

  template <class T>
  void Multiply(GpuContext& context, const Product& p, const Lists& lists, Tensor& product, int64_t words) const {
    const auto view = [&](int i) {
      return Global<const T>(static_cast<const T*>(context.input(i).raw()), context.input(i).elements() * words);
    };
    const Global<T> out(static_cast<T*>(product.mutable_raw()), product.elements() * words);
    const auto indices = context.In<Index>(0);
    if constexpr (!kIsHalf<T>) {
      if (words == 2) {
        return Launch(context.stream(), LoopOver(product.elements()), ComplexLoop<T, Index>, indices, view(1), view(3),
                      p, lists, out);
      }
    }
    Launch(context.stream(), LoopOver(product.elements()), RealLoop<T, Index>, indices, view(1), view(3), p, lists,
           out);
  }

  const bool adjoint_a_;
  const bool adjoint_b_;
};

constexpr GpuKernelRow kRows[] = {
    {"SparseTensorDenseMatMul", MakeForIndices<SparseMatMul, 0>},
};

}  // namespace

std::span<const GpuKernelRow> SparseMatmul() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
