#include "conformance/golden/run.h"

#include <poll.h>

#include <algorithm>
#include <filesystem>
#include <list>

#include "conformance/golden/opening.h"
#include "spec/files/file_pattern.h"

namespace plumb::conformance {
namespace {

constexpr std::string_view kSuffix = ".golden.gz";

std::vector<std::string> GoldenFiles(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string path = entry.path().string();
    if (path.ends_with(kSuffix)) paths.push_back(path);
  }
  if (paths.empty()) throw NotFound("no *", kSuffix, " files in ", folder, error ? ": " + error.message() : "");
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string BaseName(const std::string& path) {
  const size_t start = path.rfind('/') + 1;
  return path.substr(start, path.size() - start - kSuffix.size());
}

// Waits until a process has something to say or has run out of time, and lets each worker see to it.
void Wait(std::list<FileWorker>& workers) {
  std::vector<pollfd> waits;
  auto deadline = Clock::time_point::max();
  for (const FileWorker& worker : workers) {
    waits.push_back({worker.fd(), POLLIN, 0});
    deadline = std::min(deadline, worker.deadline());
  }
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  poll(waits.data(), waits.size(), static_cast<int>(std::clamp<int64_t>(left + 1, 1, 1000)));
  size_t i = 0;
  for (FileWorker& worker : workers) {
    if (waits[i++].revents != 0) worker.OnInput();
    if (!worker.done()) worker.OnTime(Clock::now());
  }
}

std::string CommandFor(const GoldenOptions& options, const CaseResult& result) {
  return CommandLine(
      {"conformance", "golden", options.folder, "--backend", result.backend, "--filter", LiteralPattern(result.name)});
}

}  // namespace

std::vector<FileResults> RunGolden(const GoldenOptions& options, Ledger* ledger,
                                   const std::function<void(const FileResults&)>& on_file) {
  std::vector<std::pair<std::string, std::string>> todo;  // file and backend, the first one last
  const std::vector<std::string> paths = GoldenFiles(options.folder);
  std::vector<std::string> backends;
  std::vector<FileResults> all;
  for (const std::string& backend : options.backends) {
    const auto failed = FailureToOpen(FindBackend(backend), options.worker.case_timeout);
    if (!failed) {
      backends.push_back(backend);
      continue;
    }
    all.push_back({failed->name, backend, {*failed}});
    on_file(all.back());
  }
  for (const std::string& path : paths) {
    for (const std::string& backend : backends) todo.emplace_back(path, backend);
  }
  std::reverse(todo.begin(), todo.end());

  std::list<FileWorker> workers;
  while (!todo.empty() || !workers.empty()) {
    while (!todo.empty() && static_cast<int>(workers.size()) < std::max(1, options.jobs)) {
      workers.emplace_back(todo.back().first, FindBackend(todo.back().second), options.worker);
      todo.pop_back();
    }
    Wait(workers);
    for (auto worker = workers.begin(); worker != workers.end();) {
      if (!worker->done()) {
        ++worker;
        continue;
      }
      FileResults file{BaseName(worker->path()), worker->backend(), worker->results()};
      for (CaseResult& result : file.cases) {
        ledger->Apply(&result);
        if (result.outcome == Outcome::kFailed) result.reproduce = CommandFor(options, result);
      }
      on_file(file);
      all.push_back(std::move(file));
      worker = workers.erase(worker);
    }
  }
  return all;
}

}  // namespace plumb::conformance
