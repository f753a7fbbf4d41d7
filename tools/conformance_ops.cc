// `plumb conformance ops`: every op and type, a backend against the reference.
#include <cstdio>

#include "backends/library/library.h"
#include "conformance/suites/ops.h"
#include "spec/formats/file.h"
#include "tools/conformance.h"

namespace plumb::tools {
namespace {

using conformance::Coverage;
using conformance::FileResults;
using conformance::OpResult;
using conformance::Outcome;
using conformance::Totals;

constexpr int kRounds = 3;

class OpsSuite : public Command {
 public:
  const char* name() const override { return "ops"; }
  const char* help() const override {
    return "Compares a backend with the reference on every op and type, with inputs drawn from the catalogue.";
  }
  void Declare(Options& options) override {
    options.Option("--backend", &backend_, "the backend to compare: reference, cpu, sim or the path of a library");
    options.Option("--device", &device_,
                   "pass only what ran on this device of it, by its traces (default: /device:SIM:0 of sim, else any)");
    options.Option("--filter", &ops_.filter, "only these ops: Conv2D, 'Max*', 'Add/T=float32'");
    options.Option("--seed", &seed_, "of the inputs");
    options.Option("--rounds", &ops_.rounds, "seeds per op and type");
    options.Option("--timeout", &timeout_, "seconds that an op may take on one choice of types");
    options.Option("--report", &report_, "write the results to this JSON file");
    options.Flag("--elsewhere", &elsewhere_, "list the ops that ran on other devices only, and on which");
    options.Flag("-v,--verbose", &verbose_, "also say what was not compared or not drawn, and why");
    floor_.Declare(options);
  }
  int Run() override {
    ops_.seed = static_cast<uint64_t>(seed_);
    ops_.silence = std::chrono::seconds(timeout_);
    std::printf("%-36s %-30s %-12s %6s %9s %9s %12s %6s\n", "op", "type", "outcome", "cases", "compared", "sharp",
                "error/bound", "bias");
    conformance::Backend backend = conformance::FindBackend(backend_);
    if (!device_.empty()) backend.device = device_;
    const auto results = RunOps(backend, ops_, [&](const OpResult& result) { Print(result); });
    std::vector<FileResults> files = {{"ops", backend_, {}}};
    for (const OpResult& result : results) files[0].cases.push_back(ToCase(result, backend));
    const conformance::CoverageByKind coverage = {
        {"ops", OpsPassed(results)}, {"attributes", AttributesDrawn(results)}, {"choices", ChoicesTaken(results)}};
    PrintCoverage("values of attributes", "drawn", coverage[1].second);
    PrintCoverage("sides of sizes that choose a path", "taken", coverage[2].second);
    const Totals totals = TotalsOf(files);
    PrintTotals(totals, backend, coverage[0].second);
    if (!report_.empty()) WriteFile(report_, ReportJson(files, coverage));
    conformance::Summary summary = Summarize(files, {backend_});
    if (ops_.filter.empty() && device_.empty() && !library::IsLibrary(backend_)) {
      conformance::Reached reached{{{"passed", totals.passed}}};
      for (const auto& [kind, of_kind] : coverage) {
        reached.names[kind].insert(of_kind.covered.begin(), of_kind.covered.end());
      }
      floor_.Hold({{FloorName(), reached}}, &summary);
    } else {
      floor_.Skip();
    }
    return Finish(summary);
  }

 private:
  // More seeds reach more, so such runs have the same floor; with fewer, a run has its own if any (Floor::HeldTo).
  std::string FloorName() const {
    return "ops " + backend_ + (ops_.rounds < kRounds ? " --rounds " + std::to_string(ops_.rounds) : "");
  }

  void Print(const OpResult& result) const {
    const bool is_quiet =
        result.outcome == Outcome::kUnsupported || (result.outcome == Outcome::kElsewhere && !elsewhere_);
    if (is_quiet && !verbose_) return;
    std::printf("%-36s %-30s %-12s %6d %9ld %9ld %12.3g %6.1f\n", result.op.c_str(), result.type.c_str(),
                std::string(OutcomeName(result.outcome)).c_str(), result.cases, result.compared, result.sharp,
                result.worst, result.bias);
    const bool told = result.outcome == Outcome::kFailed || result.outcome == Outcome::kElsewhere ||
                      (verbose_ && !result.detail.empty());
    if (told) {
      PrintFailure({result.op, backend_, result.outcome, result.gate, result.detail, 0, result.reproduce});
    }
    std::fflush(stdout);
  }

  static void PrintCoverage(const char* what, const char* done, const Coverage& coverage) {
    std::printf("%s: %zu %s, %zu refused by both sides, %zu not\n", what, coverage.covered.size(), done,
                coverage.refused.size(), coverage.missing.size());
    for (const std::string& name : coverage.refused) std::printf("  refused by both sides: %s\n", name.c_str());
    for (const std::string& name : coverage.missing) std::printf("  not %s: %s\n", done, name.c_str());
  }

  static void PrintTotals(const Totals& totals, const conformance::Backend& backend, const Coverage& ops) {
    if (!backend.device.empty()) {
      std::printf("on %s: %zu ops (%ld choices of types); elsewhere only: %zu ops (%ld); --elsewhere lists them\n",
                  backend.device.c_str(), ops.covered.size(), totals.passed, ops.missing.size(), totals.elsewhere);
    }
    std::printf("%ld passed, %ld failed, %ld unsupported", totals.passed, totals.failed, totals.unsupported);
    if (!backend.device.empty()) std::printf(", %ld elsewhere", totals.elsewhere);
    std::printf("\n");
  }

  conformance::OpsOptions ops_{.filter = "", .seed = 1, .rounds = kRounds};
  std::string backend_ = "cpu", device_;
  int seed_ = 1, timeout_ = 120;
  std::string report_;
  FloorFile floor_;
  bool elsewhere_ = false, verbose_ = false;
};

}  // namespace

Command& OpsSuiteCommand() {
  static OpsSuite command;
  return command;
}

}  // namespace plumb::tools
