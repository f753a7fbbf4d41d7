// Greyscale dilation: the largest sum of input and filter over each window, and its gradients.
#include <algorithm>
#include <limits>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/ops/lib/window.h"

namespace plumb::reference {
namespace {

struct Dilation {
  int64_t batch, depth;
  Window height, width;

  Shape output_shape() const { return Shape({batch, height.out, width.out, depth}); }
  int64_t InputAt(int64_t n, int64_t i, int64_t j) const { return ((n * height.in + i) * width.in + j) * depth; }
  int64_t FilterAt(int64_t k, int64_t l) const { return (k * width.kernel + l) * depth; }
};

void CheckAttributes(const Node& node) {
  for (const auto* name : {"strides", "rates"}) {
    const auto steps = FourInts(node, name);
    if (steps[0] != 1 || steps[3] != 1) {
      throw Unimplemented(name, " over batch and channels are not supported, at node '", node.name, "'");
    }
  }
}

Dilation DilationOf(const OpContext& context) {
  const Shape &input = context.tensor(0).shape(), &filter = context.tensor(1).shape();
  Require(input.rank() == 4 && filter.rank() == 3, "images have four dimensions and their filter three, not ",
          input.ToString(), " and ", filter.ToString());
  Require(input.dim(3) == filter.dim(2), "the images have ", input.dim(3), " channels, the filter is for ",
          filter.dim(2));
  const auto strides = FourInts(context.node, "strides"), rates = FourInts(context.node, "rates");
  const auto window = [&](int axis) {
    return MakeWindow(input.dim(axis), filter.dim(axis - 1), strides[axis], rates[axis], PaddingOf(context.node, axis));
  };
  return {input.dim(0), input.dim(3), window(1), window(2)};
}

template <class N>
N Lowest(DType dtype) {
  if constexpr (std::is_same_v<N, Real>) return -LargestFinite(dtype);
  Integer lowest = 0;
  if constexpr (std::is_same_v<N, Integer>) {
    VisitType(dtype, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if constexpr (std::is_integral_v<T>) lowest = std::numeric_limits<T>::min();
    });
    return lowest;
  }
}

// A sum as its type holds it: two that round to the same number are equal.
Real Held(Real sum, DType dtype) { return {RoundTo(dtype, sum.v), sum.e, sum.d}; }
Integer Held(Integer sum, DType dtype) { return Wrap(sum, dtype); }
void Widen(Real& x, const Real& other) { x.e = std::max(x.e, other.e); }
void Widen(Integer&, const Integer&) {}

// The largest sum of a window, and where its parts stand.
template <class N>
struct Peak {
  N sum;
  int64_t input = -1, filter = -1;  // −1: no sum was larger than the lowest number
};

// Calls visit(output element, peak, what stands at the window's beginning or −1) for every window and channel.
template <class N, class F>
void ForEachPeak(const Dilation& dilation, const Array<N>& x, const Array<N>& w, const F& visit) {
  const auto rows = dilation.height.TapsBy(&Tap::out), columns = dilation.width.TapsBy(&Tap::out);
  const DType dtype = x.dtype;
  int64_t output = 0;
  for (int64_t n = 0; n < dilation.batch; ++n) {
    for (int64_t o = 0; o < dilation.height.out; ++o) {
      const int64_t i = std::max<int64_t>(0, o * dilation.height.stride - dilation.height.before);
      for (int64_t p = 0; p < dilation.width.out; ++p) {
        const int64_t j = std::max<int64_t>(0, p * dilation.width.stride - dilation.width.before);
        const bool inside = i < dilation.height.in && j < dilation.width.in;
        for (int64_t c = 0; c < dilation.depth; ++c) {
          Peak<N> peak{Lowest<N>(dtype)};
          N bound = N(0);
          for (const Tap& row : rows[o]) {
            for (const Tap& column : columns[p]) {
              const int64_t at = dilation.InputAt(n, row.in, column.in) + c;
              const int64_t under = dilation.FilterAt(row.kernel, column.kernel) + c;
              const N sum = Held(x[at] + w[under], dtype);
              if (sum > peak.sum) peak = {sum, at, under};
              Widen(bound, sum);
            }
          }
          Widen(peak.sum, bound);
          visit(output++, peak, inside ? dilation.InputAt(n, i, j) + c : -1, c);
        }
      }
    }
  }
}

void Dilation2D(OpContext& context) {
  const Dilation dilation = DilationOf(context);
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real, Integer>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    auto y = MakeArray<N>(dtype, dilation.output_shape());
    ForEachPeak(dilation, Load<N>(context.input(0)), Load<N>(context.input(1)),
                [&](int64_t output, const Peak<N>& peak, int64_t, int64_t) { y[output] = peak.sum; });
    context.Output(0, Store(y));
  });
}

// The gradient by one of both inputs; place(peak, beginning, channel) says where in it a window's gradient goes, or −1.
template <class Place>
void Backprop(OpContext& context, int by, const Place& place) {
  const Dilation dilation = DilationOf(context);
  Require(context.tensor(2).shape() == dilation.output_shape(), "out_backprop has the shape ",
          context.tensor(2).shape().ToString(), ", but the output has ", dilation.output_shape().ToString());
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real, Integer>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto dy = Load<N>(context.input(2));
    auto gradient = MakeArray<N>(dtype, context.tensor(by).shape());
    std::vector<SumOf<N>> sums(gradient.at.size());
    ForEachPeak(dilation, Load<N>(context.input(0)), Load<N>(context.input(1)),
                [&](int64_t output, const Peak<N>& peak, int64_t beginning, int64_t channel) {
                  const int64_t to = place(peak.input, peak.filter, beginning, channel);
                  if (0 <= to && to < static_cast<int64_t>(sums.size())) sums[to].Add(dy[output]);
                });
    for (size_t i = 0; i < sums.size(); ++i) gradient.at[i] = sums[i].Result();
    context.Output(0, Store(gradient));
  });
}

void Dilation2DBackpropInput(OpContext& context) {
  Backprop(context, 0,
           [](int64_t input, int64_t, int64_t beginning, int64_t) { return input < 0 ? beginning : input; });
}
void Dilation2DBackpropFilter(OpContext& context) {
  Backprop(context, 1, [](int64_t, int64_t filter, int64_t, int64_t channel) { return filter < 0 ? channel : filter; });
}

constexpr KernelRow kRows[] = {
    {"Dilation2D", Dilation2D, CheckAttributes},
    {"Dilation2DBackpropInput", Dilation2DBackpropInput, CheckAttributes},
    {"Dilation2DBackpropFilter", Dilation2DBackpropFilter, CheckAttributes},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ConvolutionDilation() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
