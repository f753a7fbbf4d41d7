// Copies between the host's memory and a device's by way of pinned blocks: the stream of copies goes on by itself, and
// nobody waits on the host for what an event can order. What is larger than a block goes in pieces, through two blocks
// in turn. Where the driver has no block, the stream copies from and to the host's memory as it is.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "fastpath/accelerator/copy_log.h"
#include "fastpath/accelerator/driver.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast {

// A stream that copies are queued on, and its number in traces.
struct CopyStream {
  std::shared_ptr<Driver::Stream> stream;
  int number = 0;
};

// Thread-safe.
class Staging {
 public:
  using Done = std::function<void(const Status&)>;
  static constexpr size_t kPiece = size_t{1} << 20;

  Staging(std::shared_ptr<Driver> driver, CopyStream to_device, CopyStream to_host, CopyLog& log);
  ~Staging() { Await(); }

  // `done` is called once, perhaps at once: then `from` is needed no more, and what `reader` is given from then on
  // comes behind the copy. Both memories are kept until then.
  void CopyIn(DevicePointer to, const void* from, size_t bytes, Driver::Stream& reader, Done done);
  // The same at once, and whether: not for more than one piece, nor where no block is left. Throws what failed.
  bool CopyInAtOnce(DevicePointer to, const void* from, size_t bytes, Driver::Stream& reader);
  // `done` is called when the value is there.
  void CopyOut(void* to, DevicePointer from, size_t bytes, Done done);
  // Returns when all that began has been answered.
  void Await();

 private:
  class Job;

  void Begin();
  void End();
  void FeedAll(DevicePointer to, const void* from, size_t bytes, const std::vector<std::shared_ptr<char>>& blocks,
               Driver::Stream& reader, Done done);
  // The blocks that a copy of so many bytes goes through; none for a copy that is not staged.
  std::vector<std::shared_ptr<char>> TakeBlocks(size_t bytes);
  void Feed(const std::shared_ptr<Job>& job, const std::shared_ptr<char>& block);
  void Drain(const std::shared_ptr<Job>& job, const std::shared_ptr<char>& block);

  const std::shared_ptr<Driver> driver_;
  const CopyStream to_device_, to_host_;
  CopyLog& log_;
  Mutex mutex_;
  CondVar ended_;
  int open_ PLUMB_GUARDED_BY(mutex_) = 0;
};

}  // namespace plumb::fast
