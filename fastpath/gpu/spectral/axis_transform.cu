#include <algorithm>

#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/spectral/axis_transform.h"
#include "fastpath/gpu/spectral/butterflies.h"
#include "spec/core/choice_point.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr int kNumbersOfBlock = 1024;  // that fit into shared memory, twice
constexpr int kThreadsOfLines = 256;
constinit ChoicePoint large_factor("Fourier transform on GPUs: small factors, or a large prime one");
constinit ChoicePoint long_lines("Fourier transform on GPUs: lines in a block's memory, or pass by pass");

// exp(∓πi·a/n) for 0 <= a < 2n, the inverse with the plus sign, from an angle of at most π; quarters of a turn are
// exact.
template <class T>
PLUMB_GPU_INLINE Complex<T> HalfRoot(int64_t a, int64_t n, bool inverse) {
  if (2 * a % n == 0) {
    const int64_t quarters = 2 * a / n;
    const T re = static_cast<T>(quarters % 2 == 0 ? 1 - quarters : 0);
    const T im = static_cast<T>(quarters % 2 == 0 ? 0 : 2 - quarters);
    return {re, inverse ? im : -im};
  }
  const int64_t nearest = a <= n ? a : a - 2 * n;
  const double angle = kPi * static_cast<double>(inverse ? nearest : -nearest) / static_cast<double>(n);
  return {static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle))};
}

template <class T>
PLUMB_GPU_KERNEL RootsLoop(bool inverse, Global<Complex<T>> roots) {
  for (int64_t r = First(); r < roots.size; r += Stride()) roots[r] = HalfRoot<T>(2 * r, roots.size, inverse);
}

template <class T>
PLUMB_GPU_KERNEL ScaleLoop(Global<const Complex<T>> from, T scale, Global<Complex<T>> to) {
  for (int64_t i = First(); i < to.size; i += Stride()) to[i] = scale * from[i];
}

// A block has `lines` lines, one after the other in shared memory. Threads in a row read what lies in a row.
template <class T>
PLUMB_GPU_KERNEL TransformShort(Global<const Complex<T>> from, Global<const Complex<T>> roots, Axis axis,
                                Factors factors, int64_t lines, bool inverse, T scale, Global<Complex<T>> to) {
  PLUMB_GPU_SHARED(Complex<T>, first, kNumbersOfBlock);
  PLUMB_GPU_SHARED(Complex<T>, second, kNumbersOfBlock);
  const int64_t begin = BlockNumber() * lines, left = axis.lines() - begin, here = left < lines ? left : lines;
  const int64_t n = axis.n, size = here * n;
  const auto line_of = [&](int64_t i) { return axis.inner == 1 ? i / n : i % here; };
  const auto time_of = [&](int64_t i) { return axis.inner == 1 ? i % n : i / here; };
  for (int64_t i = ThreadNumber(); i < size; i += Threads()) {
    first[line_of(i) * n + time_of(i)] = from[axis.Place(begin + line_of(i), time_of(i))];
  }
  SyncBlock();
  int64_t before = 1;
  for (int p = 0; p < factors.count; ++p) {
    const Shared<Complex<T>> x = p % 2 == 0 ? first : second, y = p % 2 == 0 ? second : first;
    const Pass pass = factors.At(p, before);
    const int64_t butterflies = n / pass.radix;
    for (int64_t i = ThreadNumber(); i < here * butterflies; i += Threads()) {
      const int64_t line = i / butterflies * n;
      const auto read = [&](int64_t t) -> Complex<T> { return x[line + t]; };
      Butterfly<T>(pass, roots, inverse, i % butterflies, read, [&](int64_t t, Complex<T> z) { y[line + t] = z; });
    }
    SyncBlock();
    before *= pass.radix;
  }
  const Shared<Complex<T>> result = factors.count % 2 == 0 ? first : second;
  for (int64_t i = ThreadNumber(); i < size; i += Threads()) {
    const Complex<T> z = result[line_of(i) * n + time_of(i)];
    to[axis.Place(begin + line_of(i), time_of(i))] = scale * z;
  }
}

// One pass over all lines.
template <class T>
PLUMB_GPU_KERNEL PassLoop(Global<const Complex<T>> from, Global<const Complex<T>> roots, Axis axis, Pass pass,
                          bool inverse, T scale, Global<Complex<T>> to) {
  const int64_t butterflies = axis.n / pass.radix;
  for (int64_t i = First(); i < axis.lines() * butterflies; i += Stride()) {
    const int64_t rest = i / axis.inner, first = rest / butterflies * axis.n * axis.inner + i % axis.inner;
    Butterfly<T>(
        pass, roots, inverse, rest % butterflies, [&](int64_t t) { return from[first + t * axis.inner]; },
        [&](int64_t t, Complex<T> z) { to[first + t * axis.inner] = scale * z; });
  }
}

template <class T>
Tensor NewNumbers(GpuContext& context, int64_t count) {
  return context.Scratch(DTypeOf<std::complex<T>>, Shape({count}));
}
template <class T>
Global<Complex<T>> View(const GpuContext& context, Tensor& numbers) {
  return NumbersOf<std::complex<T>>(context, numbers);
}

// Of an axis without large factors.
template <class T>
class Stockham {
 public:
  Stockham(GpuContext& context, const Axis& axis, const Factors& factors, bool inverse)
      : context_(context), axis_(axis), factors_(factors), inverse_(inverse), table_(NewNumbers<T>(context, axis.n)) {
    Launch(context.stream(), LoopOver(axis.n), RootsLoop<T>, inverse, Roots());
  }

  void Run(T scale, Global<const Complex<T>> from, Global<Complex<T>> to) {
    if (long_lines.Chosen(axis_.n > kNumbersOfBlock)) return RunLong(scale, from, to);
    const int64_t lines = std::clamp<int64_t>(kNumbersOfBlock / axis_.n, 1, axis_.lines());
    const GridSize grid = {(axis_.lines() + lines - 1) / lines, kThreadsOfLines, true};
    Launch(context_.stream(), grid, TransformShort<T>, from, Roots(), axis_, factors_, lines, inverse_, scale, to);
  }

 private:
  Global<Complex<T>> Roots() { return View<T>(context_, table_); }

  // From buffer to buffer, of which the last one is `to`. The first pass may not write where it reads.
  void RunLong(T scale, Global<const Complex<T>> from, Global<Complex<T>> to) {
    Tensor odd = NewNumbers<T>(context_, to.size), even;
    const bool begins_elsewhere = factors_.count % 2 == 1 && from.data == to.data;
    if (begins_elsewhere) even = NewNumbers<T>(context_, to.size);
    const GridSize grid = LoopOver(to.size / 2);
    int64_t before = 1;
    for (int p = 0; p < factors_.count; ++p) {
      const bool is_last = p + 1 == factors_.count;
      const Pass pass = factors_.At(p, before);
      Global<Complex<T>> next = (factors_.count - p) % 2 == 0 ? View<T>(context_, odd) : to;
      if (p == 0 && begins_elsewhere) next = View<T>(context_, even);
      Launch(context_.stream(), grid, PassLoop<T>, from, Roots(), axis_, pass, inverse_, is_last ? scale : T(1), next);
      before *= pass.radix;
      from = next;
    }
  }

  GpuContext& context_;
  const Axis axis_;
  const Factors factors_;
  const bool inverse_;
  Tensor table_;
};

// ---- Bluestein: kt = (k² + t² − (k − t)²)/2 makes the transform a convolution with w[t] = exp(∓πi t²/n), which
// transforms of m ≥ 2n − 1 numbers compute, m a power of two.

template <class T>
PLUMB_GPU_KERNEL ChirpLoop(bool inverse, Global<Complex<T>> w) {
  for (int64_t t = First(); t < w.size; t += Stride()) w[t] = HalfRoot<T>(t * t % (2 * w.size), w.size, inverse);
}
// 1/w, around zero in m numbers, divided by m.
PLUMB_GPU_KERNEL FilterLoop(int64_t n, bool inverse, Global<Complex<double>> filter) {
  const int64_t m = filter.size;
  for (int64_t i = First(); i < m; i += Stride()) {
    const int64_t t = i < m - i ? i : m - i;
    filter[i] =
        t < n ? (1 / static_cast<double>(m)) * HalfRoot<double>(t * t % (2 * n), n, !inverse) : Complex<double>(0);
  }
}
template <class T>
PLUMB_GPU_KERNEL NarrowLoop(Global<const Complex<double>> from, Global<Complex<T>> to) {
  for (int64_t i = First(); i < to.size; i += Stride()) {
    to[i] = {static_cast<T>(from[i].re), static_cast<T>(from[i].im)};
  }
}
// Lines times w, with zeros behind them.
template <class T>
PLUMB_GPU_KERNEL PadLoop(Global<const Complex<T>> from, Global<const Complex<T>> w, Axis axis, int64_t m,
                         Global<Complex<T>> padded) {
  for (int64_t i = First(); i < padded.size; i += Stride()) {
    const int64_t t = i % m;
    padded[i] = t < axis.n ? from[axis.Place(i / m, t)] * w[t] : Complex<T>(0);
  }
}
template <class T>
PLUMB_GPU_KERNEL FilteredLoop(Global<const Complex<T>> spectrum, Global<Complex<T>> lines) {
  for (int64_t i = First(); i < lines.size; i += Stride()) lines[i] = lines[i] * spectrum[i % spectrum.size];
}
template <class T>
PLUMB_GPU_KERNEL CutLoop(Global<const Complex<T>> lines, Global<const Complex<T>> w, Axis axis, int64_t m, T scale,
                         Global<Complex<T>> to) {
  for (int64_t i = First(); i < to.size; i += Stride()) {
    const int64_t line = i / axis.n, k = i % axis.n;
    to[axis.Place(line, k)] = scale * (lines[line * m + k] * w[k]);
  }
}

template <class T>
void QueueChirp(GpuContext& context, const Axis& axis, bool inverse, T scale, Global<const Complex<T>> from,
                Global<Complex<T>> to) {
  int64_t m = 1;
  while (m < 2 * axis.n - 1) m *= 2;
  Tensor chirp = NewNumbers<T>(context, axis.n), filter = NewNumbers<double>(context, m);
  Tensor narrow = NewNumbers<T>(context, m), padded = NewNumbers<T>(context, axis.lines() * m);
  const auto w = View<T>(context, chirp), spectrum = View<T>(context, narrow), lines = View<T>(context, padded);
  const auto wide = View<double>(context, filter);
  const cudaStream_t stream = context.stream();
  Launch(stream, LoopOver(w.size), ChirpLoop<T>, inverse, w);
  Launch(stream, LoopOver(m), FilterLoop, axis.n, inverse, wide);
  QueueTransform<double>(context, {1, m, 1}, false, 1, wide, wide);
  Launch(stream, LoopOver(m), NarrowLoop<T>, wide, spectrum);
  Launch(stream, LoopOver(lines.size), PadLoop<T>, from, w, axis, m, lines);
  const Axis rows = {axis.lines(), m, 1};
  QueueTransform<T>(context, rows, false, 1, lines, lines);
  Launch(stream, LoopOver(lines.size), FilteredLoop<T>, spectrum, lines);
  QueueTransform<T>(context, rows, true, 1, lines, lines);
  Launch(stream, LoopOver(to.size), CutLoop<T>, lines, w, axis, m, scale, to);
}

}  // namespace

template <class T>
void QueueTransform(GpuContext& context, const Axis& axis, bool inverse, T scale, Global<const Complex<T>> from,
                    Global<Complex<T>> to) {
  if (axis.n == 1) {
    Launch(context.stream(), LoopOver(to.size), ScaleLoop<T>, from, scale, to);
    return;
  }
  const Factors factors(axis.n);
  if (large_factor.Chosen(factors.rest > 1)) return QueueChirp<T>(context, axis, inverse, scale, from, to);
  Stockham<T>(context, axis, factors, inverse).Run(scale, from, to);
}

template void QueueTransform(GpuContext&, const Axis&, bool, float, Global<const Complex<float>>,
                             Global<Complex<float>>);
template void QueueTransform(GpuContext&, const Axis&, bool, double, Global<const Complex<double>>,
                             Global<Complex<double>>);

}  // namespace plumb::fast::GPU_NAMESPACE
