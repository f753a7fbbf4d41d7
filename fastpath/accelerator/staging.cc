#include "fastpath/accelerator/staging.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace plumb::fast {

// One copy, which goes piece by piece. Each of its blocks takes the next piece when it has brought one.
class Staging::Job {
 public:
  struct Piece {
    size_t begin = 0, bytes = 0;
  };

  Job(char* host, DevicePointer device, size_t bytes, int blocks, Done done)
      : host(host), device(device), bytes_(bytes), blocks_(blocks), done_(std::move(done)) {}

  // None where all have been taken, or a piece has failed.
  std::optional<Piece> Next() {
    MutexLock lock(mutex_);
    if (next_ == bytes_ || !failure_.ok()) return std::nullopt;
    const Piece piece = {next_, std::min(kPiece, bytes_ - next_)};
    next_ += piece.bytes;
    return piece;
  }
  bool HasNext() {
    MutexLock lock(mutex_);
    return next_ < bytes_ && failure_.ok();
  }
  void Fail(const Status& status) {
    MutexLock lock(mutex_);
    if (failure_.ok()) failure_ = status;
  }
  // A block has brought its last piece. Answers with the last block; whether it was that.
  bool EndBlock(const std::function<void()>& before_success) {
    Status status;
    Done done;
    {
      MutexLock lock(mutex_);
      if (--blocks_ > 0) return false;
      status = failure_;
      done = std::move(done_);
    }
    try {
      if (status.ok()) before_success();
    } catch (const Error& error) {
      status = error.status();
    }
    done(status);
    return true;
  }

  char* const host;
  const DevicePointer device;
  Driver::Stream* reader = nullptr;  // of a copy to the device

 private:
  const size_t bytes_;
  Mutex mutex_;
  size_t next_ PLUMB_GUARDED_BY(mutex_) = 0;
  int blocks_ PLUMB_GUARDED_BY(mutex_);
  Status failure_ PLUMB_GUARDED_BY(mutex_);
  Done done_ PLUMB_GUARDED_BY(mutex_);
};

Staging::Staging(std::shared_ptr<Driver> driver, CopyStream to_device, CopyStream to_host, CopyLog& log)
    : driver_(std::move(driver)), to_device_(std::move(to_device)), to_host_(std::move(to_host)), log_(log) {}

void Staging::Begin() {
  MutexLock lock(mutex_);
  ++open_;
}

void Staging::End() {
  MutexLock lock(mutex_);
  if (--open_ == 0) ended_.NotifyAll();
}

void Staging::Await() {
  MutexLock lock(mutex_);
  while (open_ > 0) ended_.Wait(mutex_);
}

std::vector<std::shared_ptr<char>> Staging::TakeBlocks(size_t bytes) {
  std::vector<std::shared_ptr<char>> blocks;
  if (bytes == 0) return blocks;
  blocks.push_back(driver_->TakePinned(std::min(bytes, kPiece)));
  if (blocks[0] == nullptr) return {};
  if (bytes <= kPiece) return blocks;
  if (std::shared_ptr<char> second = driver_->TakePinned(kPiece); second != nullptr) blocks.push_back(second);
  return blocks;
}

void Staging::CopyIn(DevicePointer to, const void* from, size_t bytes, Driver::Stream& reader, Done done) {
  const std::vector<std::shared_ptr<char>> blocks = TakeBlocks(bytes);
  if (blocks.empty()) {
    CopyLog::Watch watch = log_.Queue(*driver_, *to_device_.stream, kCopyToDevice, to_device_.number, bytes);
    driver_->CopyToDevice(*to_device_.stream, to, from, bytes);
    return driver_->Notify(*to_device_.stream,
                           [watch = std::move(watch), done = std::move(done)](const Status& status) mutable {
                             watch.reset();
                             done(status);
                           });
  }
  FeedAll(to, from, bytes, blocks, reader, std::move(done));
}

bool Staging::CopyInAtOnce(DevicePointer to, const void* from, size_t bytes, Driver::Stream& reader) {
  if (bytes > kPiece) return false;
  const std::vector<std::shared_ptr<char>> blocks = TakeBlocks(bytes);
  if (blocks.empty()) return bytes == 0;
  Status copied;
  FeedAll(to, from, bytes, blocks, reader, [&copied](const Status& status) { copied = status; });
  if (!copied.ok()) throw Error(copied);
  return true;
}

void Staging::FeedAll(DevicePointer to, const void* from, size_t bytes,
                      const std::vector<std::shared_ptr<char>>& blocks, Driver::Stream& reader, Done done) {
  auto* const host = static_cast<char*>(const_cast<void*>(from));  // NOLINT: it is read alone
  const auto job = std::make_shared<Job>(host, to, bytes, static_cast<int>(blocks.size()), std::move(done));
  job->reader = &reader;
  Begin();
  for (const std::shared_ptr<char>& block : blocks) Feed(job, block);
}

// The last piece that a block takes is on its way when it is queued: the event that `reader` waits for comes behind it,
// and whoever gets the memory next comes behind `reader`.
void Staging::Feed(const std::shared_ptr<Job>& job, const std::shared_ptr<char>& block) {
  bool goes_on = false;
  try {
    if (const std::optional<Job::Piece> piece = job->Next()) {
      std::memcpy(block.get(), job->host + piece->begin, piece->bytes);
      Driver::Stream& stream = *to_device_.stream;
      CopyLog::Watch watch = log_.Queue(*driver_, stream, kCopyToDevice, to_device_.number, piece->bytes);
      driver_->CopyToDevice(stream, job->device + piece->begin, block.get(), piece->bytes);
      goes_on = job->HasNext();
      const std::shared_ptr<Job> more = goes_on ? job : nullptr;  // which holds the tensor that the last piece goes to
      driver_->Notify(stream, [this, more, block, watch = std::move(watch)](const Status& status) mutable {
        watch.reset();
        if (more == nullptr) return;
        if (!status.ok()) more->Fail(status);
        Feed(more, block);
      });
    }
  } catch (const Error& error) {
    job->Fail(error.status());
  }
  if (goes_on) return;
  if (job->EndBlock([&] { driver_->Wait(*job->reader, driver_->Record(*to_device_.stream)); })) End();
}

void Staging::CopyOut(void* to, DevicePointer from, size_t bytes, Done done) {
  const std::vector<std::shared_ptr<char>> blocks = TakeBlocks(bytes);
  if (blocks.empty()) {
    CopyLog::Watch watch = log_.Queue(*driver_, *to_host_.stream, kCopyToHost, to_host_.number, bytes);
    driver_->CopyToHost(*to_host_.stream, to, from, bytes);
    return driver_->Notify(*to_host_.stream,
                           [watch = std::move(watch), done = std::move(done)](const Status& status) mutable {
                             watch.reset();
                             done(status);
                           });
  }
  const auto job =
      std::make_shared<Job>(static_cast<char*>(to), from, bytes, static_cast<int>(blocks.size()), std::move(done));
  Begin();
  for (const std::shared_ptr<char>& block : blocks) Drain(job, block);
}

void Staging::Drain(const std::shared_ptr<Job>& job, const std::shared_ptr<char>& block) {
  try {
    if (const std::optional<Job::Piece> piece = job->Next()) {
      Driver::Stream& stream = *to_host_.stream;
      CopyLog::Watch watch = log_.Queue(*driver_, stream, kCopyToHost, to_host_.number, piece->bytes);
      driver_->CopyToHost(stream, block.get(), job->device + piece->begin, piece->bytes);
      return driver_->Notify(
          stream, [this, job, block, watch = std::move(watch), piece = *piece](const Status& status) mutable {
            watch.reset();
            if (status.ok()) {
              std::memcpy(job->host + piece.begin, block.get(), piece.bytes);
            } else {
              job->Fail(status);
            }
            Drain(job, block);
          });
    }
  } catch (const Error& error) {
    job->Fail(error.status());
  }
  if (job->EndBlock([] {})) End();
}

}  // namespace plumb::fast
