// Replays the recorded cases of a folder.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/golden/ledger.h"
#include "conformance/golden/worker.h"

namespace plumb::conformance {

struct GoldenOptions {
  std::string folder;  // of *.golden.gz files
  std::vector<std::string> backends;
  WorkerOptions worker;
  int jobs = 1;  // processes at a time
};

// The results of one file on one backend.
struct FileResults {
  std::string file;  // its name without ".golden.gz"
  std::string backend;
  std::vector<CaseResult> cases;
};

struct Totals {
  int64_t passed = 0;
  int64_t failed = 0;
  int64_t unsupported = 0;
  int64_t deviations = 0;
  void Count(const CaseResult& result);
};
Totals TotalsOf(const std::vector<FileResults>& files);

// All files, sorted by name, each on all backends; failures in the ledger become deviations. `on_file` hears of each as
// soon as it is done. Throws kNotFound when the folder has no such file.
std::vector<FileResults> RunGolden(const GoldenOptions& options, Ledger* ledger,
                                   const std::function<void(const FileResults&)>& on_file);

// {"totals": {"passed", "failed", "unsupported", "deviations"}, "cases": [{"name", "backend", "outcome", "gate",
// "detail"}]}
std::string ReportJson(const std::vector<FileResults>& files);

}  // namespace plumb::conformance
