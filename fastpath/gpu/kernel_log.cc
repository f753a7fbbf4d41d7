#include "fastpath/gpu/kernel_log.h"

#include <cuda_runtime_api.h>

#include <utility>

#include "fastpath/accelerator/trace_time.h"
#include "spec/core/status.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// An event with a time.
class Mark {
 public:
  explicit Mark(cudaStream_t stream)
      : is_recorded_(cudaEventCreateWithFlags(&event_, cudaEventDefault) == cudaSuccess &&
                     cudaEventRecord(event_, stream) == cudaSuccess) {}
  ~Mark() {
    if (event_ != nullptr) static_cast<void>(cudaEventDestroy(event_));
  }
  Mark(const Mark&) = delete;
  Mark& operator=(const Mark&) = delete;

  bool Wait() const { return is_recorded_ && cudaEventSynchronize(event_) == cudaSuccess; }
  // Nanoseconds from one to the other; both have happened. Negative where the runtime does not say.
  static int64_t Between(const Mark& from, const Mark& to) {
    float milliseconds = 0;
    if (cudaEventElapsedTime(&milliseconds, from.event_, to.event_) != cudaSuccess) return -1;
    return static_cast<int64_t>(1e6 * static_cast<double>(milliseconds));
  }

 private:
  cudaEvent_t event_ = nullptr;
  const bool is_recorded_;
};

}  // namespace

struct KernelLog::Record {
  NodeStats stats;  // without the times of the device
  std::unique_ptr<Mark> begin, end;
};

// Of one step: a moment that both clocks know, and what was queued since.
struct KernelLog::Steps {
  explicit Steps(cudaStream_t stream) : moment(stream), is_known(moment.Wait()), moment_ns(TraceTime()) {}
  const Mark moment;
  const bool is_known;
  const int64_t moment_ns;
  std::vector<Record> records;
};

KernelLog::KernelLog() = default;
KernelLog::~KernelLog() = default;

void KernelLog::Begin(int64_t step_id, cudaStream_t stream) {
  auto steps = std::make_unique<Steps>(stream);
  MutexLock lock(mutex_);
  if (steps_.emplace(step_id, std::move(steps)).second) watchers_.fetch_add(1, std::memory_order_relaxed);
}

std::vector<NodeStats> KernelLog::End(int64_t step_id) {
  std::unique_ptr<Steps> steps;
  {
    MutexLock lock(mutex_);
    auto found = steps_.extract(step_id);
    if (found.empty()) return {};
    watchers_.fetch_sub(1, std::memory_order_relaxed);
    steps = std::move(found.mapped());
  }
  std::vector<NodeStats> all;
  for (Record& record : steps->records) {
    if (!steps->is_known || !record.begin->Wait() || !record.end->Wait()) continue;
    const int64_t begin = Mark::Between(steps->moment, *record.begin);
    const int64_t took = Mark::Between(*record.begin, *record.end);
    if (begin < 0 || took < 0) continue;
    record.stats.scheduled_ns = record.stats.start_ns = steps->moment_ns + begin;
    record.stats.end_ns = record.stats.start_ns + took;
    all.push_back(std::move(record.stats));
  }
  return all;
}

void KernelLog::Keep(int64_t step_id, Record record) {
  MutexLock lock(mutex_);
  const auto found = steps_.find(step_id);
  if (found != steps_.end()) found->second->records.push_back(std::move(record));
}

KernelLog::Work::Work(KernelLog& log, int64_t step_id, const std::string& node, const std::string& op,
                      cudaStream_t stream)
    : log_(log), step_id_(step_id), stream_(stream) {
  if (log.watchers_.load(std::memory_order_relaxed) == 0) return;
  record_ = std::make_unique<Record>();
  record_->stats = {Str(node, ":", op), op, 0, 0, 0, 0};
  record_->begin = std::make_unique<Mark>(stream);
}

KernelLog::Work::~Work() {
  if (record_ == nullptr) return;
  record_->end = std::make_unique<Mark>(stream_);
  log_.Keep(step_id_, std::move(*record_));
}

}  // namespace plumb::fast::GPU_NAMESPACE
