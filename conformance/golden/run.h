// Replays the recorded cases of a folder.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/golden/worker.h"
#include "conformance/report/ledger.h"

namespace plumb::conformance {

struct GoldenOptions {
  std::string folder;  // of *.golden.gz files
  std::vector<std::string> backends;
  WorkerOptions worker;
  int jobs = 1;  // processes at a time
};

// All files, sorted by name, each on all backends; failures in the ledger become deviations. `on_file` hears of each as
// soon as it is done. Throws kNotFound when the folder has no such file.
std::vector<FileResults> RunGolden(const GoldenOptions& options, Ledger* ledger,
                                   const std::function<void(const FileResults&)>& on_file);

}  // namespace plumb::conformance
