// When kernels ran on the device in steps that someone watched, by events of their stream, for the traces of steps.
#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gpu_language.h"
#include "spec/core/thread_annotations.h"
#include "spec/session/session.h"

namespace plumb::fast::GPU_NAMESPACE {

// Thread-safe. The current device of whoever calls is the log's. What the runtime refuses here is not told: a card that
// has failed fails the step itself, and then there are no times of it.
class KernelLog {
  struct Steps;
  struct Record;

 public:
  KernelLog();
  ~KernelLog();
  KernelLog(const KernelLog&) = delete;
  KernelLog& operator=(const KernelLog&) = delete;

  // Waits for the stream once, to learn what its time is on the host's clock.
  void Begin(int64_t step_id, cudaStream_t stream);
  // Waits for what was queued for the step. "NODE:OP", as TensorFlow names kernels in the lines of streams, with times
  // of the device in nanoseconds since the epoch.
  std::vector<NodeStats> End(int64_t step_id);

  // What is queued on the stream while it lives is this node's.
  class Work {
   public:
    Work(KernelLog& log, int64_t step_id, const std::string& node, const std::string& op, cudaStream_t stream);
    ~Work();
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

   private:
    KernelLog& log_;
    const int64_t step_id_;
    const cudaStream_t stream_;
    std::unique_ptr<Record> record_;  // null: no one watches
  };

 private:
  void Keep(int64_t step_id, Record record) PLUMB_EXCLUDES(mutex_);

  std::atomic<int> watchers_{0};
  Mutex mutex_;
  std::map<int64_t, std::unique_ptr<Steps>> steps_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast::GPU_NAMESPACE
