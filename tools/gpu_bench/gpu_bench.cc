// `plumb gpu-bench`: how fast a card is, and how much of that kernels and steps get out of it.
#include "tools/gpu_bench/gpu_bench.h"

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tools/commands.h"

namespace plumb::tools {
namespace {

constexpr double kGiga = 1e9, kTera = 1e12, kMicro = 1e6;

std::string CeilingName(Ceiling ceiling) {
  switch (ceiling) {
    case Ceiling::kCopy:
      return "a copy";
    case Ceiling::kProduct:
      return "cuBLAS";
    case Ceiling::kRoundTrip:
      return "a round trip";
  }
  return "";
}

std::string RateOf(const BenchResult& result) {
  if (result.amount == 0) return "";
  const bool is_product = result.ceiling == Ceiling::kProduct;
  const double rate = result.amount / result.seconds / (is_product ? kTera : kGiga);
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g %s", rate, is_product ? "TFLOP/s" : "GB/s");
  return text;
}

nlohmann::json ToJson(const std::string& backend, const BenchSizes& sizes, const CardCeilings& ceilings,
                      const std::vector<BenchResult>& results) {
  nlohmann::json benches = nlohmann::json::array();
  for (const BenchResult& result : results) {
    benches.push_back({{"name", result.name},
                       {"seconds", result.seconds},
                       {"amount", result.amount},
                       {"ceiling", CeilingName(result.ceiling)},
                       {"share", result.share}});
  }
  return {{"backend", backend},
          {"sizes", {{"elements", sizes.elements}, {"side", sizes.side}, {"batch", sizes.batch}}},
          {"ceilings",
           {{"copy", ceilings.copy},
            {"to_card", ceilings.to_card},
            {"from_card", ceilings.from_card},
            {"round_trip", ceilings.round_trip}}},
          {"benches", benches}};
}

void Print(const CardCeilings& ceilings) {
  std::printf("copies: %.4g GB/s within the card, read and written; %.4g GB/s to it, %.4g GB/s from it\n",
              ceilings.copy / kGiga, ceilings.to_card / kGiga, ceilings.from_card / kGiga);
  std::printf("a round trip: %.4g us\n", ceilings.round_trip * kMicro);
}

void Print(const std::vector<BenchResult>& results) {
  for (const BenchResult& result : results) {
    std::printf("%-32s %12.1f us %16s %8.1f %% of %s\n", result.name.c_str(), result.seconds * kMicro,
                RateOf(result).c_str(), result.share * 100, CeilingName(result.ceiling).c_str());
  }
}

class GpuBench : public Command {
 public:
  const char* name() const override { return "gpu-bench"; }
  const char* help() const override {
    return "Times kernels, steps and training on a GPU beside what the card can do.";
  }
  void Declare(Options& options) override {
    options.Option("--backend", &backend_, "gpu, or gpu-emulated, where the figures mean nothing");
    options.Option("--elements", &elements_, "of each operand of a kernel");
    options.Option("--side", &side_, "of the matrices of a product");
    options.Option("--batch", &batch_, "of a training step");
    options.Option("--report", &report_, "write the figures to this JSON file");
  }

  int Run() override {
    const BenchSizes sizes = {elements_, side_, batch_};
    for (const int64_t size : {sizes.elements, sizes.side / 4, sizes.batch}) {
      if (size < 1) throw InvalidArgument("sizes are positive, and --side is at least 4");
    }
    const CardCeilings ceilings = MeasureCeilings(backend_, elements_ * static_cast<int64_t>(sizeof(float)));
    Print(ceilings);
    std::vector<BenchResult> all;
    const auto add = [&](const std::vector<BenchResult>& results) {
      Print(results);
      all.insert(all.end(), results.begin(), results.end());
    };
    add(BenchKernels(backend_, sizes, ceilings));
    add(BenchProducts(backend_, sizes));
    add(BenchSteps(backend_, sizes, ceilings));
    if (!report_.empty()) {
      std::ofstream file(report_);
      file << ToJson(backend_, sizes, ceilings, all).dump(1) << "\n";
      if (!file.flush()) throw Error(Code::kUnavailable, Str(report_, " cannot be written"));
    }
    return 0;
  }

 private:
  std::string backend_ = "gpu", report_;
  int elements_ = 1 << 26, side_ = 8192, batch_ = 1024;
};

}  // namespace

Command& GpuBenchCommand() {
  static GpuBench command;
  return command;
}

}  // namespace plumb::tools
