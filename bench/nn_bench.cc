// Matrix products, convolutions and recurrent layers on one thread: speed, and its fraction of what the machine's
// multiply-add units reach in the same process.
#include <chrono>

#include "bench/time_op.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace plumb::bench {
namespace {

using Ints = std::vector<int64_t>;
using Clock = std::chrono::steady_clock;

constexpr int64_t kRounds = 1 << 16;
constexpr int kChains = 12;  // independent multiply-adds, enough to hide their latency

#ifdef __x86_64__
// Multiply-adds of kRounds rounds, in single numbers; the result keeps the compiler from leaving them out.
__attribute__((target("avx512f"))) double MultiplyAddsAvx512(float* sink) {
  __m512 sums[kChains];
  const __m512 a = _mm512_set1_ps(0.5f), b = _mm512_set1_ps(1.0f);
  for (__m512& sum : sums) sum = b;
  for (int64_t i = 0; i < kRounds; ++i) {
#pragma GCC unroll 12
    for (int chain = 0; chain < kChains; ++chain) sums[chain] = _mm512_fmadd_ps(sums[chain], a, b);
  }
  for (const __m512& sum : sums) *sink += _mm512_cvtss_f32(sum);
  return static_cast<double>(kRounds) * kChains * 16;
}

__attribute__((target("avx2,fma"))) double MultiplyAddsAvx2(float* sink) {
  __m256 sums[kChains];
  const __m256 a = _mm256_set1_ps(0.5f), b = _mm256_set1_ps(1.0f);
  for (__m256& sum : sums) sum = b;
  for (int64_t i = 0; i < kRounds; ++i) {
#pragma GCC unroll 12
    for (int chain = 0; chain < kChains; ++chain) sums[chain] = _mm256_fmadd_ps(sums[chain], a, b);
  }
  for (const __m256& sum : sums) *sink += _mm256_cvtss_f32(sum);
  return static_cast<double>(kRounds) * kChains * 8;
}
#endif

double MultiplyAddsPlain(float* sink) {
  float sums[kChains] = {};
  for (int64_t i = 0; i < kRounds; ++i) {
    for (float& sum : sums) sum = sum * 0.5f + 1.0f;
  }
  for (const float sum : sums) *sink += sum;
  return static_cast<double>(kRounds) * kChains;
}

double MultiplyAdds(float* sink) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f")) return MultiplyAddsAvx512(sink);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return MultiplyAddsAvx2(sink);
#endif
  return MultiplyAddsPlain(sink);
}

// Floating-point operations per second of one core, the best of a few tries.
double PeakFlops() {
  static const double peak = [] {
    double best = 0;
    for (int i = 0; i < 50; ++i) {
      float sink = 0;
      const auto start = Clock::now();
      const double count = MultiplyAdds(&sink);
      benchmark::DoNotOptimize(sink);
      const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      best = std::max(best, 2 * count / seconds);
    }
    return best;
  }();
  return peak;
}

// `multiplications` of one step.
void Report(benchmark::State& state, double multiplications) {
  const double flops = 2 * multiplications * static_cast<double>(state.iterations());
  state.counters["flops"] = benchmark::Counter(flops, benchmark::Counter::kIsRate);
  state.counters["of_peak"] = benchmark::Counter(flops / PeakFlops(), benchmark::Counter::kIsRate);
}

void MatMul(benchmark::State& state, bool transpose_a, bool transpose_b) {
  const int64_t m = state.range(0), n = state.range(1), k = state.range(2);
  const Tensor a = Ramp(transpose_a ? Shape{k, m} : Shape{m, k}), b = Ramp(transpose_b ? Shape{n, k} : Shape{k, n});
  TimeOp(state, "MatMul", {a, b}, {}, {{"transpose_a", transpose_a}, {"transpose_b", transpose_b}});
  Report(state, static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k));
}

// batch, side, input channels, output channels, window, stride.
struct Convolution {
  explicit Convolution(const benchmark::State& state)
      : batch(state.range(0)),
        side(state.range(1)),
        in(state.range(2)),
        out(state.range(3)),
        window(state.range(4)),
        stride(state.range(5)) {}

  int64_t out_side() const { return (side + stride - 1) / stride; }
  Shape input() const { return {batch, side, side, in}; }
  Shape filter() const { return {window, window, in, out}; }
  Shape output() const { return {batch, out_side(), out_side(), out}; }
  AttrMap attrs() const { return {{"strides", Ints{1, stride, stride, 1}}, {"padding", "SAME"}}; }
  double work() const { return static_cast<double>(output().elements()) * static_cast<double>(window * window * in); }

  int64_t batch, side, in, out, window, stride;
};

Tensor Sizes(const Shape& shape) {
  Tensor sizes(DType::kInt32, {4});
  for (int i = 0; i < 4; ++i) sizes.mutable_data<int32_t>()[i] = static_cast<int32_t>(shape[i]);
  return sizes;
}

void Conv2D(benchmark::State& state) {
  const Convolution c(state);
  TimeOp(state, "Conv2D", {Ramp(c.input()), Ramp(c.filter())}, {}, c.attrs());
  Report(state, c.work());
}
void Conv2DBackpropInput(benchmark::State& state) {
  const Convolution c(state);
  TimeOpWithConstantsFirst(state, "Conv2DBackpropInput", {Sizes(c.input())}, {Ramp(c.filter()), Ramp(c.output())},
                           c.attrs());
  Report(state, c.work());
}
void Conv2DBackpropFilter(benchmark::State& state) {
  const Convolution c(state);
  TimeOpWithConstantsFirst(state, "Conv2DBackpropFilter", {Ramp(c.input()), Sizes(c.filter())}, {Ramp(c.output())},
                           c.attrs());
  Report(state, c.work());
}

// A layer of an LSTM over a whole sequence, whose inputs are as many as its cells.
void BlockLstm(benchmark::State& state) {
  const int64_t steps = state.range(0), batch = state.range(1), cells = state.range(2);
  const Tensor peephole = Ramp({cells});
  TimeOpWithConstantsFirst(state, "BlockLSTM", {MakeScalar<int64_t>(steps)},
                           {Ramp({steps, batch, cells}), Ramp({batch, cells}), Ramp({batch, cells}),
                            Ramp({2 * cells, 4 * cells}), peephole, peephole, peephole, Ramp({4 * cells})});
  Report(state, static_cast<double>(steps * batch * cells) * static_cast<double>(8 * cells));
}

// Squares; then a layer of an MLP, of an LSTM, and a large one.
void Products(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"m", "n", "k"});
  for (const int64_t side : {64, 256, 512, 1024}) bench->Args({side, side, side});
  bench->Args({100, 100, 784})->Args({64, 2048, 1024})->Args({64, 512, 3136});
}
BENCHMARK_CAPTURE(MatMul, plain, false, false)->Apply(Products);
BENCHMARK_CAPTURE(MatMul, transposed_a, true, false)->Apply(Products);
BENCHMARK_CAPTURE(MatMul, transposed_b, false, true)->Apply(Products);

// LeNet's second layer; layers of a VGG, of a residual network, and a first layer.
void Convolutions(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"batch", "side", "in", "out", "window", "stride"});
  bench->Args({64, 14, 32, 64, 5, 1})->Args({8, 56, 64, 64, 3, 1})->Args({8, 56, 64, 256, 1, 1});
  bench->Args({8, 112, 3, 64, 7, 2});
}
BENCHMARK(Conv2D)->Apply(Convolutions);
BENCHMARK(Conv2DBackpropInput)->Apply(Convolutions);
BENCHMARK(Conv2DBackpropFilter)->Apply(Convolutions);
BENCHMARK(BlockLstm)->ArgNames({"steps", "batch", "cells"})->Args({50, 64, 512})->Args({20, 20, 200});

}  // namespace
}  // namespace plumb::bench
