// Judges the cases of one file in a forked process: a crash or a hang costs one case, and the rest go on.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/golden/judge.h"
#include "conformance/process/forked.h"
#include "spec/files/temporary_folder.h"

namespace plumb::conformance {

using Clock = std::chrono::steady_clock;

struct WorkerOptions {
  std::string filter;  // of case names, with * and ?; empty: all
  std::chrono::milliseconds case_timeout{120'000};
};

// The calling process must have one thread when a worker starts or restarts.
class FileWorker {
 public:
  FileWorker(std::string path, Backend backend, WorkerOptions options);
  FileWorker(const FileWorker&) = delete;
  FileWorker& operator=(const FileWorker&) = delete;

  const std::string& path() const { return path_; }
  const std::string& backend() const { return backend_.name; }
  bool done() const { return done_; }
  const std::vector<CaseResult>& results() const { return results_; }

  // What to wait for while not done: input on fd(), until deadline().
  int fd() const { return process_->fd(); }
  Clock::time_point deadline() const { return deadline_; }
  // Reads what the process has written; to be called when fd() is readable or closed.
  void OnInput();
  // Kills the process when its case has taken too long.
  void OnTime(Clock::time_point now);

 private:
  void Start();
  void OnMessage(const std::string& line);
  void OnExit();
  void FailCase(const std::string& why);

  const std::string path_;
  const Backend backend_;
  const WorkerOptions options_;
  TemporaryFolder folder_;  // of the cases' files
  std::unique_ptr<ForkedProcess> process_;
  bool done_ = false;
  bool timed_out_ = false;
  int64_t next_case_ = 0;  // the first that has no result yet
  std::optional<std::string> current_;
  Clock::time_point deadline_;
  std::vector<CaseResult> results_;
};

}  // namespace plumb::conformance
