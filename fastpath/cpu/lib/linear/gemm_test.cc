#include "fastpath/cpu/lib/linear/gemm.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"
#include "spec/core/tensor.h"

namespace plumb::fast::cpu {
namespace {

// Every path keeps γₖ·Σ|a·b| of the exact sum, which double precision gives here to well below a float's rounding.
struct Case {
  int64_t m, n, k;
  bool ta, tb;
};

void ExpectWithinBound(const Case& c, void (*gemm)(const GemmProblem&, const float*, const float*, float*)) {
  const GemmProblem p = DenseGemm(c.m, c.n, c.k, c.ta, c.tb);
  const Tensor a = RandomFloats({c.m, c.k}, 3), b = RandomFloats({c.k, c.n}, 4);
  const float *x = a.data<float>().data(), *y = b.data<float>().data();
  std::vector<float> product(static_cast<size_t>(c.m * c.n));
  gemm(p, x, y, product.data());
  const double unit = std::numeric_limits<float>::epsilon() / 2, terms = static_cast<double>(c.k);
  const double gamma = terms * unit / (1 - terms * unit);
  for (int64_t i = 0; i < c.m; ++i) {
    for (int64_t j = 0; j < c.n; ++j) {
      double exact = 0, magnitude = 0;
      for (int64_t l = 0; l < c.k; ++l) {
        const double term = static_cast<double>(c.ta ? x[l * c.m + i] : x[i * c.k + l]) *
                            static_cast<double>(c.tb ? y[j * c.k + l] : y[l * c.n + j]);
        exact += term;
        magnitude += std::abs(term);
      }
      ASSERT_LE(std::abs(product[i * c.n + j] - exact), gamma * magnitude)
          << c.m << "x" << c.n << "x" << c.k << " at " << i << "," << j;
    }
  }
}

TEST(Gemm, TheLibraryAndOurOwnKeepTheSameBound) {
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      for (const Case& size : {Case{1, 1, 1, ta, tb}, Case{7, 33, 300, ta, tb}, Case{1, 70, 50, ta, tb},
                               Case{97, 1, 40, ta, tb}, Case{50, 160, 20, ta, tb}, Case{150, 520, 9, ta, tb}}) {
        ExpectWithinBound(size, LibraryGemm);
        ExpectWithinBound(size, SimdGemm);
        ExpectWithinBound(size, SingleThreadedGemm<float>);
      }
    }
  }
}

// Small integers, whose products add up exactly in every type and order; neighbouring rows differ whatever their
// length.
template <class T>
std::vector<T> Digits(int64_t n, int64_t factor) {
  std::vector<T> digits(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) digits[i] = static_cast<T>((i * factor + i / 17) % 11 - 5);
  return digits;
}

// C by hand; what lies between its rows stays as it was.
template <class T>
void ExpectExact(const GemmProblem& p, void (*gemm)(const GemmProblem&, const T*, const T*, T*)) {
  constexpr int64_t kUntouched = -1234567;
  const std::vector<T> a = Digits<T>((p.transpose_a ? p.k : p.m) * p.lda, 7);
  const std::vector<T> b = Digits<T>((p.transpose_b ? p.n : p.k) * p.ldb, 3);
  std::vector<T> c(static_cast<size_t>(p.m * p.ldc), T(kUntouched));
  gemm(p, a.data(), b.data(), c.data());
  for (int64_t i = 0; i < p.m; ++i) {
    for (int64_t j = 0; j < p.ldc; ++j) {
      int64_t sum = j < p.n ? 0 : kUntouched;
      for (int64_t l = 0; l < p.k && j < p.n; ++l) {
        sum += static_cast<int64_t>(a[p.transpose_a ? l * p.lda + i : i * p.lda + l]) *
               static_cast<int64_t>(b[p.transpose_b ? j * p.ldb + l : l * p.ldb + j]);
      }
      ASSERT_EQ(c[i * p.ldc + j], T(sum)) << p.m << "x" << p.n << "x" << p.k << " at " << i << "," << j;
    }
  }
}

template <class T>
void OnTwoThreads(const GemmProblem& p, const T* a, const T* b, T* c) {
  ThreadPool pool(2);
  Gemm(pool, p, a, b, c);
}

TEST(Gemm, PiecesOnBothSidesOfEveryLimitAreExact) {
  struct Size {
    int64_t m, n, k;
  };
  const Size sizes[] = {
      {64, 31, 33},    {64, 32, 32},                                                               // whole, in pieces
      {511, 9, 17},    {512, 9, 17},    {513, 9, 17},  {2047, 5, 9},  {2048, 5, 9}, {2049, 5, 9},  // rows together
      {40, 63, 33},    {40, 129, 17},   {255, 256, 5}, {256, 257, 5},  // columns cut, rows cut
      {120, 120, 120}, {210, 210, 210},                                // few pieces, as many as may be
  };
  for (const Size& size : sizes) {
    ExpectExact<int32_t>(DenseGemm(size.m, size.n, size.k), OnTwoThreads<int32_t>);
    ExpectExact<int32_t>(DenseGemm(size.m, size.n, size.k, true, true), OnTwoThreads<int32_t>);
  }
}

TEST(Gemm, TinyProductsAndThoseOfALibraryAreExact) {
  for (const int64_t k : {7, 8, 9}) {
    ExpectExact<float>(DenseGemm(8, 8, k), SingleThreadedGemm<float>);
    ExpectExact<double>(DenseGemm(8, 8, k), SingleThreadedGemm<double>);
  }
}

TEST(Gemm, BlocksAndTilesOfEverySizeAreExact) {
  for (const int64_t m : {95, 96, 97, 192, 193}) ExpectExact<double>(DenseGemm(m, 20, 9, true), SimdGemm);
  for (const int64_t k : {255, 256, 257, 512, 513}) ExpectExact<double>(DenseGemm(7, 20, k), SimdGemm);
  for (const int64_t n : {255, 256, 257, 512, 513}) ExpectExact<double>(DenseGemm(7, n, 9, false, true), SimdGemm);
  for (const int64_t n : {511, 512, 513, 1024, 1025}) ExpectExact<float>(DenseGemm(7, n, 9), SimdGemm);
  ExpectExact<double>(DenseGemm(97, 257, 257), SimdGemm);
  for (int64_t m = 1; m <= 13; ++m) {
    for (int64_t n = 1; n <= 65; n += 4) {
      ExpectExact<double>(DenseGemm(m, n, 3), SimdGemm);
      ExpectExact<float>(DenseGemm(m, n, 3), SimdGemm);
    }
    for (const int64_t n : {8, 16, 32, 64}) ExpectExact<float>(DenseGemm(m, n, 3), SimdGemm);
  }
}

// Vectors, few rows of a wide B, and the rest; with C dense or a part of a wider matrix.
TEST(Gemm, TheLibraryIsExactWhateverItPrefers) {
  const int64_t sizes[][2] = {{1, 40}, {40, 1}, {2, 2}, {128, 127}, {128, 128}, {129, 128}};
  for (const bool tb : {false, true}) {
    for (const int64_t gap : {0, 3}) {
      for (const auto& size : sizes) {
        GemmProblem p = DenseGemm(size[0], size[1], 5, false, tb);
        p.ldc += gap;
        ExpectExact<float>(p, LibraryGemm);
      }
    }
  }
}

// The handler of a signal that comes within a product writes to the stack alone, whatever registers the product uses.
TEST(Gemm, ASignalHandlerFindsTheStackInItsPlace) {
  static const char* begin;
  static const char* end;
  static std::atomic<int> handled, misplaced;
  pthread_attr_t attributes;
  void* base = nullptr;
  size_t size = 0;
  ASSERT_EQ(pthread_getattr_np(pthread_self(), &attributes), 0);
  ASSERT_EQ(pthread_attr_getstack(&attributes, &base, &size), 0);
  pthread_attr_destroy(&attributes);
  begin = static_cast<const char*>(base);
  end = begin + size;
  struct sigaction look = {}, before = {};
  look.sa_handler = [](int) {
    const char here = 0;
    ++(begin <= &here && &here < end ? handled : misplaced);
  };
  ASSERT_EQ(sigaction(SIGUSR1, &look, &before), 0);
  std::atomic<bool> done = false;
  std::thread sender([&done, worker = pthread_self()] {
    while (!done) {
      pthread_kill(worker, SIGUSR1);
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  });
  for (int round = 0; round < 20; ++round) {
    for (const bool tb : {false, true}) ExpectExact<float>(DenseGemm(64, 256, 128, false, tb), LibraryGemm);
  }
  done = true;
  sender.join();
  ASSERT_EQ(sigaction(SIGUSR1, &before, nullptr), 0);
  EXPECT_GT(handled, 0);
  EXPECT_EQ(misplaced, 0);
}

// More of them than a thread keeps prepared.
TEST(Gemm, ManyProblemsOneAfterTheOtherAreExact) {
  for (int64_t k = 1; k <= 520; ++k) ExpectExact<float>(DenseGemm(2, 3, k), LibraryGemm);
  for (int64_t k = 1; k <= 20; ++k) ExpectExact<float>(DenseGemm(2, 3, k), LibraryGemm);
}

}  // namespace
}  // namespace plumb::fast::cpu
