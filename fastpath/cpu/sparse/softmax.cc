// SparseSoftmax: softmax over runs of elements, put in order.
#include <cmath>

#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// NaN among them makes all of them NaN.
template <class T>
void SoftmaxOf(const T* x, int64_t count, T* y) {
  T largest = x[0];
  for (int64_t i = 1; i < count; ++i) largest = x[i] > largest || x[i] != x[i] ? x[i] : largest;
  T sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += y[i] = std::exp(x[i] - largest);
  for (int64_t i = 0; i < count; ++i) y[i] /= sum;
}

class Softmax final : public Kernel {
 public:
  explicit Softmax(const Node& node) : type_(InputType(node, 1)) {}

  void Run(KernelContext& context) override {
    const SparseView view = SparseInput(context, 0);
    const Shape shape = view.dims.ToShape();
    Require(shape.rank() >= 2, "softmax goes along rows of a tensor of rank 2 or more, not of shape ",
            shape.ToString());
    const std::vector<int64_t> order = RowMajorOrder(view.rows);
    const Tensor values = AsFloat(context.pool(), *view.values);
    Tensor x = Allocate(values.dtype(), values.shape()), y = Allocate(values.dtype(), values.shape());
    GatherElements(values, order, x);
    x.dtype() == DType::kDouble ? RunAs<double>(view.rows, order, x, y) : RunAs<float>(view.rows, order, x, y);
    context.SetOutput(0, RoundedTo(context.pool(), type_, std::move(y)));
  }

 private:
  template <class T>
  static void RunAs(const IndexRows& rows, const std::vector<int64_t>& order, const Tensor& x, Tensor& y) {
    int64_t begin = 0;
    for (int64_t end = 1; end <= rows.count; ++end) {
      const int64_t* const last = rows[order[static_cast<size_t>(end - 1)]];
      if (end < rows.count && std::equal(last, last + rows.rank - 1, rows[order[static_cast<size_t>(end)]])) continue;
      SoftmaxOf(x.data<T>().data() + begin, end - begin, y.mutable_data<T>().data() + begin);
      begin = end;
    }
  }

  const DType type_;
};

constexpr KernelRow kRows[] = {
    {"SparseSoftmax", Make<Softmax>},
};

}  // namespace

std::span<const KernelRow> SparseSoftmax() { return kRows; }

}  // namespace plumb::fast::cpu
