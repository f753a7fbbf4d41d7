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
    options.Option("--filter", &ops_.filter, "only these ops: Conv2D, 'Max*', 'Add/T=float32'");
    options.Option("--seed", &seed_, "of the inputs");
    options.Option("--rounds", &ops_.rounds, "seeds per op and type");
    options.Option("--timeout", &timeout_, "seconds that an op may take on one choice of types");
    options.Option("--report", &report_, "write the results to this JSON file");
    options.Flag("-v,--verbose", &verbose_, "also say what was not compared or not drawn, and why");
    floor_.Declare(options);
  }
  int Run() override {
    ops_.seed = static_cast<uint64_t>(seed_);
    ops_.silence = std::chrono::seconds(timeout_);
    std::printf("%-36s %-30s %-12s %6s %9s %9s %12s %6s\n", "op", "type", "outcome", "cases", "compared", "sharp",
                "error/bound", "bias");
    const conformance::Backend backend = conformance::FindBackend(backend_);
    const auto results = RunOps(backend, ops_, [&](const OpResult& result) { Print(result); });
    std::vector<FileResults> files = {{"ops", backend_, {}}};
    for (const OpResult& result : results) files[0].cases.push_back(ToCase(result, backend));
    const Totals totals = TotalsOf(files);
    const Coverage attributes = AttributesDrawn(results);
    PrintCoverage("values of attributes", attributes);
    for (const OpResult& result : results) {
      for (const std::string& name : result.refused) {
        std::printf("  refused by both sides: %s %s\n", result.op.c_str(), name.c_str());
      }
    }
    const Coverage choices = ChoicesTaken(results);
    PrintCoverage("sides of sizes that choose a path", choices);
    std::printf("%ld passed, %ld failed, %ld unsupported\n", totals.passed, totals.failed, totals.unsupported);
    if (!report_.empty()) WriteFile(report_, ReportJson(files, {{"attributes", attributes}, {"choices", choices}}));
    conformance::Summary summary = Summarize(files, {backend_});
    if (ops_.filter.empty() && ops_.rounds >= kRounds && !library::IsLibrary(backend_)) {
      floor_.Hold({{"ops " + backend_,
                    {{"passed", totals.passed},
                     {"attributes", static_cast<int64_t>(attributes.covered.size())},
                     {"choices", static_cast<int64_t>(choices.covered.size())}}}},
                  &summary);
    } else {
      floor_.Skip();
    }
    return Finish(summary);
  }

 private:
  void Print(const OpResult& result) const {
    if (result.outcome == Outcome::kUnsupported && !verbose_) return;
    std::printf("%-36s %-30s %-12s %6d %9ld %9ld %12.3g %6.1f\n", result.op.c_str(), result.type.c_str(),
                std::string(OutcomeName(result.outcome)).c_str(), result.cases, result.compared, result.sharp,
                result.worst, result.bias);
    const bool told = result.outcome == Outcome::kFailed || (verbose_ && !result.detail.empty());
    if (told) {
      PrintFailure({result.op, backend_, result.outcome, result.gate, result.detail, 0, result.reproduce});
    }
    std::fflush(stdout);
  }

  void PrintCoverage(const char* what, const Coverage& coverage) const {
    std::printf("%s: %zu drawn, %zu not\n", what, coverage.covered.size(), coverage.missing.size());
    for (const std::string& name : coverage.missing) std::printf("  not drawn: %s\n", name.c_str());
  }

  conformance::OpsOptions ops_{.filter = "", .seed = 1, .rounds = kRounds};
  std::string backend_ = "cpu";
  int seed_ = 1, timeout_ = 120;
  std::string report_;
  FloorFile floor_;
  bool verbose_ = false;
};

}  // namespace

Command& OpsSuiteCommand() {
  static OpsSuite command;
  return command;
}

}  // namespace plumb::tools
