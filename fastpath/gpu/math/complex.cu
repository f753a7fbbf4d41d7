// Complex numbers and their parts: each is two floats in a row.
#include <cmath>

#include "fastpath/gpu/lib/elementwise.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

struct RealPart {
  template <class T>
  PLUMB_GPU_INLINE T operator()(T re, T) const {
    return re;
  }
};
struct ImagPart {
  template <class T>
  PLUMB_GPU_INLINE T operator()(T, T im) const {
    return im;
  }
};
struct SizeOf {
  template <class T>
  PLUMB_GPU_INLINE T operator()(T re, T im) const {
    return std::hypot(re, im);
  }
};
struct AngleOf {
  template <class T>
  PLUMB_GPU_INLINE T operator()(T re, T im) const {
    return std::atan2(im, re);
  }
};

template <class Part, class T>
PLUMB_GPU_KERNEL PartLoop(Global<const T> x, Global<T> y) {
  for (int64_t i = First(); i < y.size; i += Stride()) y[i] = Part()(x[2 * i], x[2 * i + 1]);
}
// Of words, every second one is an imaginary part.
template <class T>
PLUMB_GPU_KERNEL ConjugateLoop(Global<const T> x, Global<T> y) {
  for (int64_t i = First(); i < y.size; i += Stride()) y[i] = i % 2 == 0 ? x[i] : -x[i];
}
template <class T>
PLUMB_GPU_KERNEL JoinLoop(Global<const T> re, Global<const T> im, Walk walk, Global<T> z) {
  for (int64_t i = First(); 2 * i < z.size; i += Stride()) {
    z[2 * i] = re[walk.At(0, i)];
    z[2 * i + 1] = im[walk.At(1, i)];
  }
}

// The floats that complex numbers are made of.
template <class T>
Global<const T> WordsOf(const Tensor& tensor) {
  return {static_cast<const T*>(tensor.raw()), 2 * tensor.elements()};
}
template <class T>
Global<T> WordsOf(Tensor& tensor) {
  return {static_cast<T*>(tensor.mutable_raw()), 2 * tensor.elements()};
}

template <class Part, class T>
class PartKernel final : public GpuKernel {
 public:
  explicit PartKernel(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor x = context.input(0);
    Tensor y = context.AllocateOutput(0, x.shape());
    Launch(context.stream(), LoopOver(y.elements()), PartLoop<Part, T>, WordsOf<T>(x), context.ViewOf<T>(y));
  }
};

template <class T>
class Conjugate final : public GpuKernel {
 public:
  explicit Conjugate(const Node&) {}
  void Run(GpuContext& context) override {
    const Global<const T> x = WordsOf<T>(context.input(0));
    const Shape shape = context.input(0).shape();
    Tensor y = context.ForwardOrAllocate(0, 0, shape);
    Launch(context.stream(), LoopOver(x.size), ConjugateLoop<T>, x, WordsOf<T>(y));
  }
};

template <class T>
class JoinKernel final : public GpuKernel {
 public:
  explicit JoinKernel(const Node&) {}
  void Run(GpuContext& context) override {
    const Shape shape = BinaryShape(context, 0);
    const Walk walk = BroadcastWalk(context.input(0).shape(), context.input(1).shape(), shape);
    CheckTurns(context, walk, shape);
    const Global<const T> re = context.In<T>(0), im = context.In<T>(1);
    Tensor z = context.AllocateOutput(0, shape);
    Launch(context.stream(), LoopOver(z.elements()), JoinLoop<T>, re, im, walk, WordsOf<T>(z));
  }
};

// A factory for K<T>, by the complex type made of T that `type` is.
template <template <class> class K>
std::unique_ptr<GpuKernel> MakeOfComplex(const Node& node, DType type) {
  if (type == DType::kComplex64) return Make<K<float>>(node);
  if (type == DType::kComplex128) return Make<K<double>>(node);
  ThrowNoGpuKernel(node);
}

template <class T>
using RealKernel = PartKernel<RealPart, T>;
template <class T>
using ImagKernel = PartKernel<ImagPart, T>;
template <class T>
using SizeKernel = PartKernel<SizeOf, T>;
template <class T>
using AngleKernel = PartKernel<AngleOf, T>;

// A complex number has parts of one type, and of no other.
template <template <class> class K>
std::unique_ptr<GpuKernel> MakeOfParts(const Node& node, DType complex, DType part) {
  if ((complex == DType::kComplex128) != (part == DType::kDouble)) ThrowNoGpuKernel(node);
  return MakeOfComplex<K>(node, complex);
}
template <template <class> class K>
std::unique_ptr<GpuKernel> MakePart(const Node& node) {
  return MakeOfParts<K>(node, node.input_types[0], node.output_types[0]);
}
std::unique_ptr<GpuKernel> MakeJoin(const Node& node) {
  return MakeOfParts<JoinKernel>(node, node.output_types[0], node.input_types[0]);
}
std::unique_ptr<GpuKernel> MakeConjugate(const Node& node) {
  return MakeOfComplex<Conjugate>(node, node.input_types[0]);
}

constexpr GpuKernelRow kRows[] = {
    {"Conj", MakeConjugate},          {"Real", MakePart<RealKernel>},
    {"Imag", MakePart<ImagKernel>},   {"ComplexAbs", MakePart<SizeKernel>},
    {"Angle", MakePart<AngleKernel>}, {"Complex", MakeJoin},
};

}  // namespace

std::span<const GpuKernelRow> MathComplex() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
