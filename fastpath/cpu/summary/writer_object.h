// What a summary writer's handle leads to: an event file that the steps of a session share.
#pragma once

#include <string>

#include "fastpath/device/resources.h"
#include "spec/core/thread_annotations.h"
#include "spec/formats/event_log.h"

namespace plumb::fast::cpu {

class WriterObject final : public Resource {
 public:
  // Does nothing when the file is there.
  void Open(const std::string& folder, const std::string& suffix, int32_t max_queue, int32_t flush_millis) {
    MutexLock lock(mutex_);
    if (is_open_) return;
    log_ = EventLog(folder, suffix);
    max_queue_ = max_queue;
    flush_millis_ = flush_millis;
    is_open_ = true;
  }
  // Whether there was a file to write to.
  bool Write(int64_t step, const std::string& summary) {
    return Add([&](EventLog& log) { log.AddSummary(step, summary); });
  }
  // The same for what add(log) adds.
  template <class F>
  bool Add(const F& add) {
    MutexLock lock(mutex_);
    if (!is_open_) return false;
    add(log_);
    if (log_.waiting() > max_queue_ || log_.MillisSinceFlush() > flush_millis_) log_.Flush();
    return true;
  }
  bool Flush() {
    MutexLock lock(mutex_);
    if (is_open_) log_.Flush();
    return is_open_;
  }

  void Save(const StateWriter& writer) const override {
    MutexLock lock(mutex_);
    log_.Save(writer);
    writer.PutScalar<int64_t>("max_queue", max_queue_);
    writer.PutScalar<int64_t>("flush_millis", flush_millis_);
    writer.PutScalar<bool>("is_open", is_open_);
  }
  void Restore(const StateReader& reader) override {
    MutexLock lock(mutex_);
    log_.Restore(reader);
    max_queue_ = reader.GetScalar<int64_t>("max_queue");
    flush_millis_ = reader.GetScalar<int64_t>("flush_millis");
    is_open_ = !reader.Has("is_open") || reader.GetScalar<bool>("is_open");  // the reference keeps open ones alone
  }

 private:
  mutable Mutex mutex_;
  EventLog log_ PLUMB_GUARDED_BY(mutex_);
  int64_t max_queue_ PLUMB_GUARDED_BY(mutex_) = 0;     // events
  int64_t flush_millis_ PLUMB_GUARDED_BY(mutex_) = 0;  // milliseconds
  bool is_open_ PLUMB_GUARDED_BY(mutex_) = false;
};

}  // namespace plumb::fast::cpu
