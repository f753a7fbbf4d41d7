#include "fastpath/gpu/runtime/measure.h"

#include <cublas_v2.h>

#include <chrono>
#include <cstring>
#include <functional>
#include <vector>

#include "fastpath/gpu/runtime/cuda_driver.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

using Clock = std::chrono::steady_clock;

// Memory and a stream of the first device.
class Bench {
 public:
  Bench() : driver_(CudaDriver()), stream_(driver_->NewStream(0)) {}
  ~Bench() {
    for (const DevicePointer block : blocks_) driver_->Free(0, block);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  DevicePointer Allocate(size_t bytes) {
    blocks_.push_back(driver_->Allocate(0, bytes));
    return blocks_.back();
  }
  void Finish() const {
    if (const Status status = driver_->Synchronize(*stream_); !status.ok()) throw Error(status);
  }
  // Of one piece of work, when so many follow each other that they take a while.
  double SecondsOf(const std::function<void()>& queue) const {
    constexpr double kLongEnough = 0.1;  // seconds
    queue();
    Finish();
    for (int64_t times = 1;; times *= 2) {
      const Clock::time_point start = Clock::now();
      for (int64_t i = 0; i < times; ++i) queue();
      Finish();
      const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      if (seconds > kLongEnough) return seconds / static_cast<double>(times);
    }
  }
  Driver& driver() const { return *driver_; }
  Driver::Stream& stream() const { return *stream_; }

 private:
  const std::shared_ptr<Driver> driver_;
  const std::shared_ptr<Driver::Stream> stream_;
  std::vector<DevicePointer> blocks_;
};

// How a type of numbers looks in memory: those of one half to one differ in `fraction` alone.
struct Bits {
  cudaDataType_t element;
  size_t bytes;
  uint32_t one_half, fraction;
};

Bits BitsOf(DType type) {
  switch (type) {
    case DType::kHalf:
      return {CUDA_R_16F, 2, 0x3800, 0x03ff};
    case DType::kBfloat16:
      return {CUDA_R_16BF, 2, 0x3f00, 0x007f};
    case DType::kFloat:
      return {CUDA_R_32F, 4, 0x3f000000, 0x007fffff};
    default:
      throw Error(Code::kUnimplemented, Str("products of ", DTypeName(type), " are not measured"));
  }
}

// A matrix of numbers that differ: of equal ones a card makes a product faster.
DevicePointer NewMatrix(Bench& bench, const Bits& bits, int64_t elements) {
  std::vector<char> values(static_cast<size_t>(elements) * bits.bytes);
  uint32_t drawn = 1;
  for (size_t at = 0; at < values.size(); at += bits.bytes) {
    drawn = drawn * 1664525 + 1013904223;
    const uint32_t number = bits.one_half | (drawn >> 9 & bits.fraction);
    std::memcpy(&values[at], &number, bits.bytes);
  }
  const DevicePointer matrix = bench.Allocate(values.size());
  bench.driver().CopyToDevice(bench.stream(), matrix, values.data(), values.size());
  bench.Finish();
  return matrix;
}

void CheckBlas(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) throw Internal("cuBLAS refused a product: status ", static_cast<int>(status));
}

}  // namespace

CardCeilings MeasureCeilings(int64_t bytes) {
  Bench bench;
  const auto size = static_cast<size_t>(bytes);
  const DevicePointer from = bench.Allocate(size), to = bench.Allocate(size);
  std::vector<char> host(size);
  Driver& driver = bench.driver();
  Driver::Stream& stream = bench.stream();
  driver.CopyToDevice(stream, from, host.data(), size);
  const auto per_second = [&](int times, const std::function<void()>& queue) {
    return times * static_cast<double>(bytes) / bench.SecondsOf(queue);
  };
  CardCeilings ceilings;
  ceilings.copy = per_second(2, [&] { driver.CopyWithin(stream, to, from, size); });
  ceilings.to_card = per_second(1, [&] { driver.CopyToDevice(stream, to, host.data(), size); });
  ceilings.from_card = per_second(1, [&] { driver.CopyToHost(stream, host.data(), from, size); });
  ceilings.round_trip = bench.SecondsOf([&] {
    driver.CopyWithin(stream, to, from, 1);
    bench.Finish();
  });
  return ceilings;
}

double MeasureProduct(DType type, int64_t side) {
  Bench bench;
  const Bits bits = BitsOf(type);
  const int64_t elements = side * side;
  const DevicePointer x = NewMatrix(bench, bits, elements), y = NewMatrix(bench, bits, elements);
  const DevicePointer out = bench.Allocate(static_cast<size_t>(elements) * bits.bytes);
  cublasHandle_t library = nullptr;
  CheckBlas(cublasCreate(&library));
  CheckBlas(cublasSetStream(library, static_cast<CudaStream&>(bench.stream()).handle));
  const float one = 1, zero = 0;
  const auto n = static_cast<int>(side);
  const double seconds = bench.SecondsOf([&] {
    CheckBlas(cublasGemmStridedBatchedEx(library, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, x, bits.element, n, elements,
                                         y, bits.element, n, elements, &zero, out, bits.element, n, elements, 1,
                                         CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  });
  CheckBlas(cublasDestroy(library));
  return seconds;
}

}  // namespace plumb::fast::GPU_NAMESPACE
