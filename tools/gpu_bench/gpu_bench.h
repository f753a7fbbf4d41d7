// Benches of GPUs: kernels, steps and training through sessions, each with its share of what the card could do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backends/devices.h"

namespace plumb::tools {

struct BenchSizes {
  int64_t elements = 0;  // of the operands of a kernel that is bound by memory
  int64_t side = 0;      // of the matrices of a product
  int64_t batch = 0;     // of a training step
};

// What a bench is held against.
enum class Ceiling { kCopy, kProduct, kRoundTrip };

struct BenchResult {
  std::string name;
  double seconds = 0;  // of one kernel, or of one step
  double amount = 0;   // bytes that have to be read and written, or operations on floating-point numbers; 0 for neither
  Ceiling ceiling = Ceiling::kCopy;
  double share = 0;  // of the ceiling
};

// The figures of a backend ("gpu", "gpu-emulated"). Throws kUnavailable where it has no card, and kFailedPrecondition
// where a kernel ran elsewhere.
std::vector<BenchResult> BenchKernels(const std::string& backend, const BenchSizes& sizes,
                                      const CardCeilings& ceilings);
std::vector<BenchResult> BenchProducts(const std::string& backend, const BenchSizes& sizes);
std::vector<BenchResult> BenchSteps(const std::string& backend, const BenchSizes& sizes, const CardCeilings& ceilings);

}  // namespace plumb::tools
