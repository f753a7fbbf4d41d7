#include "kernels.h"

#include <algorithm>
#include <cstring>

#include "plumb_backend.h"

namespace {

// "f": float32, "d": float64, "i": int32, "l": int64, "b": bool
constexpr std::string_view kNumbers = "fdil", kAll = "fdilb";

// Calls f with a null pointer to the C++ type. Integers are computed with as unsigned numbers, which wrap around.
template <class F>
auto WithType(int32_t dtype, F f) {
  if (dtype == PLUMB_FLOAT) return f(static_cast<float*>(nullptr));
  if (dtype == PLUMB_DOUBLE) return f(static_cast<double*>(nullptr));
  if (dtype == PLUMB_INT32) return f(static_cast<uint32_t*>(nullptr));
  return f(static_cast<uint64_t*>(nullptr));
}
template <class Pointer>
using Pointee = std::remove_pointer_t<Pointer>;

void Require(bool condition, const std::string& message) {
  if (!condition) throw Refused(PLUMB_INVALID_ARGUMENT, message);
}

Value Const(const Node& node, const Inputs&) { return ParseTensor(node.attrs.at("value").tensor); }
Value Identity(const Node&, const Inputs& x) { return *x[0]; }

template <class F>
Value Elementwise(const Value& x, F f) {
  Value y = MakeValue(x.dtype, x.dims);
  WithType(x.dtype, [&](auto type) {
    using T = Pointee<decltype(type)>;
    std::transform(x.data<T>(), x.data<T>() + x.elements(), y.data<T>(), f);
  });
  return y;
}
Value Neg(const Node&, const Inputs& x) {
#ifdef EXAMPLE_WRONG
  return Elementwise(*x[0], [](auto v) -> decltype(v) { return 0 - v; });  // a mistake: 0 - 0 is not -0
#else
  return Elementwise(*x[0], [](auto v) -> decltype(v) { return -v; });
#endif
}
Value Square(const Node&, const Inputs& x) {
  return Elementwise(*x[0], [](auto v) -> decltype(v) { return v * v; });
}
// NaN stays NaN.
Value Relu(const Node&, const Inputs& x) {
  return Elementwise(*x[0], [](auto v) -> decltype(v) {
    if constexpr (std::is_integral_v<decltype(v)>) return static_cast<std::make_signed_t<decltype(v)>>(v) < 0 ? 0 : v;
    return v < 0 ? 0 : v;
  });
}

// How far apart the elements of an axis of `result` are in an operand of shape `dims`; 0 along axes that it lacks or
// has once.
std::vector<int64_t> Steps(const std::vector<int64_t>& dims, const std::vector<int64_t>& result) {
  std::vector<int64_t> steps(result.size(), 0);
  int64_t step = 1;
  for (size_t i = 1; i <= dims.size(); ++i) {
    const int64_t dim = dims[dims.size() - i];
    if (dim != 1) steps[result.size() - i] = step;
    step *= dim;
  }
  return steps;
}
// Where element `i` of a tensor of shape `dims` is, with these steps.
int64_t At(int64_t i, const std::vector<int64_t>& dims, const std::vector<int64_t>& steps) {
  int64_t at = 0;
  for (size_t axis = dims.size(); axis-- > 0; i /= dims[axis]) at += i % dims[axis] * steps[axis];
  return at;
}

std::vector<int64_t> Broadcast(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  std::vector<int64_t> dims = a.size() < b.size() ? b : a;
  const std::vector<int64_t>& other = a.size() < b.size() ? a : b;
  for (size_t i = 1; i <= other.size(); ++i) {
    int64_t& dim = dims[dims.size() - i];
    const int64_t its = other[other.size() - i];
    Require(dim == its || dim == 1 || its == 1, "the shapes of the operands do not fit together");
    if (dim == 1) dim = its;
  }
  return dims;
}

template <class F>
Value Pairwise(const Inputs& x, F f) {
  Value z = MakeValue(x[0]->dtype, Broadcast(x[0]->dims, x[1]->dims));
  const auto a_steps = Steps(x[0]->dims, z.dims), b_steps = Steps(x[1]->dims, z.dims);
  WithType(z.dtype, [&](auto type) {
    using T = Pointee<decltype(type)>;
    for (int64_t i = 0; i < z.elements(); ++i) {
      z.data<T>()[i] = f(x[0]->data<T>()[At(i, z.dims, a_steps)], x[1]->data<T>()[At(i, z.dims, b_steps)]);
    }
  });
  return z;
}
Value Add(const Node&, const Inputs& x) {
  return Pairwise(x, [](auto a, auto b) { return a + b; });
}
Value Sub(const Node&, const Inputs& x) {
  return Pairwise(x, [](auto a, auto b) { return a - b; });
}
Value Mul(const Node&, const Inputs& x) {
  return Pairwise(x, [](auto a, auto b) { return a * b; });
}

Value MatMul(const Node& node, const Inputs& x) {
  const Value &a = *x[0], &b = *x[1];
  Require(a.dims.size() == 2 && b.dims.size() == 2, "MatMul takes matrices");
  const bool ta = node.flag("transpose_a"), tb = node.flag("transpose_b");
  const int64_t rows = a.dims[ta], inner = a.dims[!ta], columns = b.dims[!tb];
  Require(inner == b.dims[tb], "the inner dimensions of the matrices differ");
  Value product = MakeValue(a.dtype, {rows, columns});
  WithType(a.dtype, [&](auto type) {
    using T = Pointee<decltype(type)>;
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) {
        T sum = 0;
        for (int64_t k = 0; k < inner; ++k) {
          sum += a.data<T>()[ta ? k * rows + i : i * inner + k] * b.data<T>()[tb ? j * inner + k : k * columns + j];
        }
        product.data<T>()[i * columns + j] = sum;
      }
    }
  });
  return product;
}

// Which axes are summed over.
std::vector<bool> ReducedAxes(const Value& axes, int64_t rank) {
  std::vector<bool> reduced(static_cast<size_t>(rank), false);
  for (int64_t i = 0; i < axes.elements(); ++i) {
    int64_t axis = axes.dtype == PLUMB_INT32 ? axes.data<int32_t>()[i] : axes.data<int64_t>()[i];
    if (axis < 0) axis += rank;
    Require(axis >= 0 && axis < rank, "a reduction axis is outside of the shape");
    Require(!reduced[axis], "a reduction axis is named twice");
    reduced[axis] = true;
  }
  return reduced;
}

Value Sum(const Node& node, const Inputs& x) {
  const Value& input = *x[0];
  const auto reduced = ReducedAxes(*x[1], static_cast<int64_t>(input.dims.size()));
  std::vector<int64_t> ones = input.dims, kept;
  for (size_t axis = 0; axis < ones.size(); ++axis) {
    if (reduced[axis]) ones[axis] = 1;
    if (!reduced[axis]) kept.push_back(ones[axis]);
  }
  Value sums = MakeValue(input.dtype, node.flag("keep_dims") ? ones : kept);
  auto steps = Steps(ones, input.dims);
#ifdef EXAMPLE_WRONG
  const int64_t count = input.elements() - 1;  // a mistake, too
#else
  const int64_t count = input.elements();
#endif
  WithType(input.dtype, [&](auto type) {
    using T = Pointee<decltype(type)>;
    if (input.elements() == sums.elements()) {  // one element alone is its own sum, -0 too
      std::memcpy(sums.bytes.data(), input.bytes.data(), static_cast<size_t>(std::max<int64_t>(count, 0)) * sizeof(T));
      return;
    }
    for (int64_t i = 0; i < count; ++i) sums.data<T>()[At(i, input.dims, steps)] += input.data<T>()[i];
  });
  return sums;
}

constexpr Kernel kKernels[] = {
    {"Add", kNumbers, 2, 2, Add},       {"AddV2", kNumbers, 2, 2, Add},     {"Const", kAll, 0, 0, Const},
    {"Identity", kAll, 1, 1, Identity}, {"MatMul", kNumbers, 2, 2, MatMul}, {"Mul", kNumbers, 2, 2, Mul},
    {"Neg", kNumbers, 1, 1, Neg},       {"NoOp", "", 0, 0, nullptr},        {"Placeholder", kAll, 0, 0, nullptr},
    {"Relu", kNumbers, 1, 1, Relu},     {"Square", kNumbers, 1, 1, Square}, {"Sub", kNumbers, 2, 2, Sub},
    {"Sum", kNumbers, 2, 1, Sum},
};

}  // namespace

const Kernel* FindKernel(std::string_view op) {
  const auto row = std::find_if(std::begin(kKernels), std::end(kKernels), [&](const Kernel& k) { return k.op == op; });
  return row == std::end(kKernels) ? nullptr : row;
}

bool Takes(const Kernel& kernel, int32_t dtype) {
  constexpr std::pair<int32_t, char> kLetters[] = {
      {PLUMB_FLOAT, 'f'}, {PLUMB_DOUBLE, 'd'}, {PLUMB_INT32, 'i'}, {PLUMB_INT64, 'l'}, {PLUMB_BOOL, 'b'}};
  return std::any_of(std::begin(kLetters), std::end(kLetters), [&](const auto& letter) {
    return letter.first == dtype && kernel.types.find(letter.second) != std::string_view::npos;
  });
}
