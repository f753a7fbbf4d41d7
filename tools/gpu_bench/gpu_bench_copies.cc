// How much of the copies to a GPU is hidden behind what it computes, in LeNet fed with each step.
#include <exception>
#include <thread>

#include "tools/gpu_bench/gpu_bench.h"
#include "tools/gpu_bench/gpu_bench_models.h"
#include "tools/gpu_bench/gpu_bench_program.h"

namespace plumb::tools {
namespace {

constexpr char kModel[] = "lenet";

// Of one step, where two threads take steps beside each other.
double SecondsOfTwo(BenchedModel& model) {
  return SecondsOfSteps([&](int64_t times) {
    std::exception_ptr thrown;
    std::thread beside([&] {
      try {
        for (int64_t i = 0; i < times / 2; ++i) model.Step();
      } catch (...) {
        thrown = std::current_exception();
      }
    });
    try {
      for (int64_t i = times / 2; i < times; ++i) model.Step();
    } catch (...) {
      beside.join();
      throw;
    }
    beside.join();
    if (thrown) std::rethrow_exception(thrown);
  });
}

// The step takes as much longer than one whose images lie on the card as is not hidden of their copy.
BenchResult FedStep(BenchCard& card, bool is_two_at_a_time) {
  const BenchModel& row = FindBenchModel(kModel);
  const bool is_small = card.sizes().is_small;
  BenchedModel held(card.backend(), row.Make(is_small), {.has_graphs = true});
  BenchedModel fed(card.backend(), row.Make(is_small), {.has_graphs = true, .is_fed = true});
  const int64_t bytes = fed.fed_bytes() - held.fed_bytes();
  const double copies = static_cast<double>(bytes) / MeasureCeilings(card.backend(), bytes).to_card;
  const double without = SecondsOfStep([&] { held.Step(); });
  BenchResult result = {
      .amount = static_cast<double>(bytes), .ceiling = Ceiling::kHidden, .batch = row.BatchOf(is_small)};
  result.seconds = is_two_at_a_time ? SecondsOfTwo(fed) : SecondsOfStep([&] { fed.Step(); });
  result.share = 1 - (result.seconds - without) / copies;
  result.notes = fed.Notes();
  result.notes.push_back(Str("us without feeding: ", without * 1e6, ", of the copies alone: ", copies * 1e6));
  return result;
}

}  // namespace

std::vector<Bench> CopyBenches() {
  return {{"copies", "lenet fed, one step at a time", [](BenchCard& card) { return FedStep(card, false); }},
          {"copies", "lenet fed, two steps at a time", [](BenchCard& card) { return FedStep(card, true); }}};
}

}  // namespace plumb::tools
