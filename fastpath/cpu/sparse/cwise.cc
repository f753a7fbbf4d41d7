// Arithmetic of the elements of a sparse tensor with those of a dense one, and of two sparse ones.
#include <type_traits>

#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

using RealTypes = decltype(IntegerTypes() + Types<float, double>());

// Formulas; whole numbers wrap around.
struct Plus {
  template <class T>
  T operator()(T x, T y) const {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<uint64_t>(x) + static_cast<uint64_t>(y));
    if constexpr (!std::is_integral_v<T>) return x + y;
  }
};
struct Times {
  template <class T>
  T operator()(T x, T y) const {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<uint64_t>(x) * static_cast<uint64_t>(y));
    if constexpr (!std::is_integral_v<T>) return x * y;
  }
};
struct Divided {
  template <class T>
  T operator()(T x, T y) const {
    Require(y != T(0), "an element is divided by zero");
    if constexpr (std::is_integral_v<T>) {
      if (std::is_signed_v<T> && y == static_cast<T>(-1)) return static_cast<T>(0 - static_cast<uint64_t>(x));
    }
    return static_cast<T>(x / y);
  }
};
// NaN wins (N12); of equal numbers the first.
struct Larger {
  template <class T>
  T operator()(T x, T y) const {
    return x >= y || x != x ? x : y;
  }
};
struct Smaller {
  template <class T>
  T operator()(T x, T y) const {
    return x <= y || x != x ? x : y;
  }
};

// How far apart neighbours of the sparse shape are in the dense tensor, and the shape in which coordinates must lie.
struct BroadcastPlaces {
  Dims dims;
  int64_t stride[kMaxRank];

  BroadcastPlaces(const Dims& sparse, const Shape& dense) : dims(sparse) {
    const Shape shape = sparse.ToShape();
    const int added = sparse.rank - dense.rank();
    Require(sparse.rank >= 1 && sparse.rank <= 5, "the sparse tensor must have 1 to 5 dimensions, not ", sparse.rank);
    Require(added >= 0, "a dense tensor of shape ", dense.ToString(), " does not broadcast to ", shape.ToString());
    int64_t step = 1;
    for (int axis = sparse.rank - 1; axis >= 0; --axis) {
      const int64_t own = axis < added ? 1 : dense[axis - added];
      Require(own == dims[axis] || own == 1 || (own == 0 && dims[axis] == 1), "a dense tensor of shape ",
              dense.ToString(), " does not broadcast to ", shape.ToString());
      if (own != 1) dims[axis] = own;
      stride[axis] = own == 1 ? 0 : step;
      step *= own;
    }
  }

  int64_t operator()(const int64_t* coordinates) const {
    int64_t place = 0;
    for (int axis = 0; axis < dims.rank; ++axis) place += coordinates[axis] * stride[axis];
    return place;
  }
};

template <class Formula>
class WithDense final : public Kernel {
 public:
  explicit WithDense(const Node& node) : type_(OutputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const SparseView view = SparseInput(context, 0);
    const BroadcastPlaces places(view.dims, context.input(3).shape());
    CheckBounds(view.rows, places.dims);
    const Tensor x = AsFloat(context.pool(), *view.values), y = AsFloat(context.pool(), context.input(3));
    Tensor result = Allocate(x.dtype(), x.shape());
    VisitOneOf(RealTypes(), x.dtype(), false, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T *a = x.data<T>().data(), *b = y.data<T>().data();
      T* const to = result.mutable_data<T>().data();
      for (int64_t i = 0; i < view.rows.count; ++i) to[i] = Formula()(a[i], b[places(view.rows[i])]);
      return true;
    });
    context.SetOutput(0, RoundedTo(context.pool(), type_, std::move(result)));
  }

 private:
  const DType type_;
};

template <class Formula>
class WithSparse final : public Kernel {
 public:
  explicit WithSparse(const Node& node) : type_(OutputType(node, 1)) {}
  void Run(KernelContext& context) override {
    const SparseView a = SparseInput(context, 0), b = SparseInput(context, 3);
    Require(a.dims.rank == b.dims.rank && a.dims.rank > 0 &&
                std::equal(a.dims.size, a.dims.size + a.dims.rank, b.dims.size),
            "the operands must have one shape of at least one dimension");
    CheckBounds(a.rows, a.dims);
    CheckBounds(b.rows, b.dims);
    const Tensor x = AsFloat(context.pool(), *a.values), y = AsFloat(context.pool(), *b.values);
    VisitOneOf(RealTypes(), x.dtype(), false, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      Merge(context, a.rows, x.data<T>().data(), b.rows, y.data<T>().data());
      return true;
    });
  }

 private:
  template <class T>
  void Merge(KernelContext& context, const IndexRows& a, const T* x, const IndexRows& b, const T* y) const {
    std::vector<const int64_t*> rows;
    std::vector<T> values;
    int64_t i = 0, j = 0;
    while (i < a.count || j < b.count) {
      const bool takes_a = j == b.count || (i < a.count && !IsBefore(b[j], a[i], a.rank));
      const bool takes_b = i == a.count || (j < b.count && !IsBefore(a[i], b[j], a.rank));
      rows.push_back(takes_a ? a[i] : b[j]);
      values.push_back(Formula()(takes_a ? x[i] : T(0), takes_b ? y[j] : T(0)));
      i += takes_a ? 1 : 0;
      j += takes_b ? 1 : 0;
    }
    const auto count = static_cast<int64_t>(rows.size());
    int64_t* at = AllocateRows(context, 0, count, a.rank);
    for (const int64_t* const row : rows) at = std::copy(row, row + a.rank, at);
    Tensor result = Allocate(DTypeOf<T>, Shape({count}));
    std::copy(values.begin(), values.end(), result.template mutable_data<T>().data());
    context.SetOutput(1, RoundedTo(context.pool(), type_, std::move(result)));
  }

  const DType type_;
};

constexpr KernelRow kRows[] = {
    {"SparseDenseCwiseAdd", Make<WithDense<Plus>>},     {"SparseDenseCwiseMul", Make<WithDense<Times>>},
    {"SparseDenseCwiseDiv", Make<WithDense<Divided>>},  {"SparseSparseMaximum", Make<WithSparse<Larger>>},
    {"SparseSparseMinimum", Make<WithSparse<Smaller>>},
};

}  // namespace

std::span<const KernelRow> SparseCwise() { return kRows; }

}  // namespace plumb::fast::cpu
