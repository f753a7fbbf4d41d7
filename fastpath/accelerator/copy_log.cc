#include "fastpath/accelerator/copy_log.h"

#include <algorithm>
#include <utility>

#include "fastpath/accelerator/trace_time.h"

namespace plumb::fast {

void CopyLog::Begin(int64_t step_id) {
  MutexLock lock(mutex_);
  copies_[step_id];
  watchers_.fetch_add(1, std::memory_order_relaxed);
}

std::vector<CopyRecord> CopyLog::End(int64_t step_id) {
  MutexLock lock(mutex_);
  auto found = copies_.extract(step_id);
  if (found.empty()) return {};
  watchers_.fetch_sub(1, std::memory_order_relaxed);
  std::vector<CopyRecord> records;
  for (const std::shared_ptr<CopyRecord>& copy : found.mapped()) {
    while (copy->end_ns == 0) ended_.Wait(mutex_);
    records.push_back(*copy);
  }
  return records;
}

CopyLog::Watch CopyLog::Queue(Driver& driver, Driver::Stream& stream, std::string_view kind, int number, size_t bytes) {
  if (watchers_.load(std::memory_order_relaxed) == 0) return nullptr;
  auto copy = std::make_shared<CopyRecord>(CopyRecord{kind, number, bytes, TraceTime(), 0, 0});
  {
    MutexLock lock(mutex_);
    for (auto& [step, copies] : copies_) copies.push_back(copy);
  }
  driver.Notify(stream, [this, copy](const Status&) {
    MutexLock lock(mutex_);
    copy->start_ns = TraceTime();
  });
  return {copy.get(), [this, copy](void*) { SetEnded(*copy); }};
}

void CopyLog::SetEnded(CopyRecord& copy) {
  MutexLock lock(mutex_);
  if (copy.start_ns == 0) copy.start_ns = copy.asked_ns;
  copy.end_ns = std::max(TraceTime(), copy.start_ns);
  ended_.NotifyAll();
}

}  // namespace plumb::fast
