// Benches of GPUs: kernels, steps and training through sessions, each with its share of what the card could do.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backends/devices.h"

namespace plumb::tools {

struct BenchSizes {
  int64_t elements = 0;   // of the operands of a kernel that is bound by memory
  int64_t side = 0;       // of the matrices of a product
  bool is_small = false;  // models with their whole topology, but next to nothing to do
};

// What a bench is held against.
enum class Ceiling {
  kCopy,       // a copy within the card's memory
  kProduct,    // a product by the library of the card's maker
  kRoundTrip,  // a round trip to the card
  kHidden,     // a copy to the card of which nothing is to be seen
};

struct BenchResult {
  std::string group, name;
  double seconds = 0;  // of one kernel, or of one step
  double amount = 0;   // bytes that have to be moved, or operations on floating-point numbers; 0 for neither
  Ceiling ceiling = Ceiling::kCopy;
  double share = 0;                // of the ceiling
  int64_t batch = 0;               // of a training step
  std::vector<std::string> notes;  // what a trace shows of where it ran
  std::string error;               // why there is no figure
};

// What benches have in common. Figures of the card are measured when one asks for them.
class BenchCard {
 public:
  BenchCard(std::string backend, const BenchSizes& sizes) : backend_(std::move(backend)), sizes_(sizes) {}

  const std::string& backend() const { return backend_; }
  const BenchSizes& sizes() const { return sizes_; }
  // Throws kUnavailable where the backend ("gpu", "gpu-emulated") has no card.
  const CardCeilings& ceilings();
  bool has_ceilings() const { return ceilings_.has_value(); }
  // Operations per second of a product of float32.
  double operations();

 private:
  const std::string backend_;
  const BenchSizes sizes_;
  std::optional<CardCeilings> ceilings_;
  double operations_ = 0;
};

// Benches of one group may share a process; where one spoils the card for its process, other groups do not suffer.
struct Bench {
  std::string group, name;
  std::function<BenchResult(BenchCard& card)> run;  // may throw, kFailedPrecondition where a kernel ran elsewhere
};
std::vector<Bench> KernelBenches();
std::vector<Bench> ProductBenches();
std::vector<Bench> StepBenches();
std::vector<Bench> TrainingBenches();
std::vector<Bench> CopyBenches();
// All of them, the most telling first.
std::vector<Bench> AllBenches();

// What a bench gives, or what it throws.
BenchResult ResultOf(const Bench& bench, BenchCard& card);

}  // namespace plumb::tools
