// Which copies an accelerator made while someone was watching, for the traces of steps.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "fastpath/accelerator/driver.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast {

// The kinds of copies, as TensorFlow's traces call them.
inline constexpr std::string_view kCopyToDevice = "MEMCPYHtoD", kCopyToHost = "MEMCPYDtoH",
                                  kCopyFromPeer = "MEMCPYPtoP";

// Times in nanoseconds since the epoch, as the host learns of them.
struct CopyRecord {
  std::string_view kind;
  int stream = 0;  // its number among those of the device
  size_t bytes = 0;
  int64_t asked_ns = 0, start_ns = 0, end_ns = 0;
};

// Thread-safe. A copy is for no step in particular: every step that is traced meanwhile has it, as with TensorFlow.
class CopyLog {
 public:
  void Begin(int64_t step_id);
  // What was queued since, when it has ended.
  std::vector<CopyRecord> End(int64_t step_id);

  // A copy that is queued on the stream next. It has ended when the last holder of what is returned lets go; null where
  // no one watches.
  using Watch = std::shared_ptr<void>;
  Watch Queue(Driver& driver, Driver::Stream& stream, std::string_view kind, int number, size_t bytes);

 private:
  void SetEnded(CopyRecord& copy);

  std::atomic<int> watchers_{0};
  Mutex mutex_;
  CondVar ended_;
  std::map<int64_t, std::vector<std::shared_ptr<CopyRecord>>> copies_ PLUMB_GUARDED_BY(mutex_);  // by step
};

}  // namespace plumb::fast
