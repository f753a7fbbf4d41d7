#include "fastpath/gpu/runtime/cuda_driver.h"

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "fastpath/gpu/runtime/events.h"
#include "fastpath/gpu/runtime/forget_driver.h"
#include "fastpath/gpu/runtime/pinned.h"
#include "fastpath/gpu/runtime/pool.h"
#include "fastpath/gpu/runtime/watcher.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

void Choose(int device) { Check(cudaSetDevice(device), "to choose a GPU"); }

// The device that this thread has chosen, for a while: memory is let go in the middle of work for another device.
class Choice {
 public:
  explicit Choice(int device) : before_(device) {
    static_cast<void>(cudaGetDevice(&before_));
    Choose(device);
  }
  ~Choice() { static_cast<void>(cudaSetDevice(before_)); }
  Choice(const Choice&) = delete;
  Choice& operator=(const Choice&) = delete;

 private:
  int before_;
};

// A stream of the runtime.
class OwnedStream {
 public:
  explicit OwnedStream(int device) {
    Choose(device);
    Check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), "to make a stream");
  }
  ~OwnedStream() { cudaStreamDestroy(handle_); }
  OwnedStream(const OwnedStream&) = delete;
  OwnedStream& operator=(const OwnedStream&) = delete;
  cudaStream_t handle() const { return handle_; }

 private:
  cudaStream_t handle_ = nullptr;
};

// One that answers when it has come so far: who has it with others waits for none of their answers.
class WatchedStream : public CudaStream {
 public:
  WatchedStream(int number, std::shared_ptr<OwnedStream> stream) : watcher(number), stream_(std::move(stream)) {
    device = number;
    handle = stream_->handle();
  }
  ~WatchedStream() override { cudaStreamSynchronize(handle); }

  Watcher watcher;

 private:
  const std::shared_ptr<OwnedStream> stream_;
};

class CapturingStream : public CudaStream {
 public:
  explicit CapturingStream(int number) : stream_(number) {
    device = number;
    handle = stream_.handle();
  }

 private:
  const OwnedStream stream_;
};

class RuntimeDriver : public Driver {
 public:
  explicit RuntimeDriver(int devices) {
    for (int i = 0; i < devices; ++i) {
      pools_.push_back(std::make_unique<Pool>(i, [this, i] { AwaitWorkOf(i); }));
      events_.push_back(std::make_shared<EventPool>());
    }
  }

  int devices() const override { return static_cast<int>(pools_.size()); }
  DevicePointer Allocate(int device, size_t bytes) override { return pools_[device]->Allocate(bytes); }
  void Free(int device, DevicePointer memory) override { pools_[device]->Free(memory); }
  bool gives_out_early() const override { return true; }
  std::shared_ptr<char> TakePinned(size_t bytes) override { return pinned_->Take(bytes); }
  std::shared_ptr<Stream> KernelStream(int device) override {
    MutexLock lock(streams_mutex_);
    std::weak_ptr<OwnedStream>& known = kernels_[device];
    std::shared_ptr<OwnedStream> stream = known.lock();
    if (stream == nullptr) known = stream = std::make_shared<OwnedStream>(device);
    return Watched(device, std::move(stream));
  }
  std::shared_ptr<Stream> NewStream(int device) override {
    auto stream = std::make_shared<OwnedStream>(device);
    MutexLock lock(streams_mutex_);
    return Watched(device, std::move(stream));
  }

  void CopyToDevice(Stream& stream, DevicePointer to, const void* from, size_t bytes) override {
    Copy(stream, to, from, bytes, cudaMemcpyHostToDevice, "to copy to a GPU");
  }
  void CopyToHost(Stream& stream, void* to, DevicePointer from, size_t bytes) override {
    Copy(stream, to, from, bytes, cudaMemcpyDeviceToHost, "to copy from a GPU");
  }
  void CopyWithin(Stream& stream, DevicePointer to, DevicePointer from, size_t bytes) override {
    Copy(stream, to, from, bytes, cudaMemcpyDeviceToDevice, "to copy on a GPU");
  }
  void CopyFromPeer(Stream& stream, DevicePointer to, int peer, DevicePointer from, size_t bytes) override {
    if (bytes == 0) return;
    const CudaStream& own = Of(stream);
    Choose(own.device);
    Check(cudaMemcpyPeerAsync(to, own.device, from, peer, bytes, own.handle), "to copy between GPUs");
  }
  void Notify(Stream& stream, std::function<void(const Status&)> callback) override {
    auto& own = static_cast<WatchedStream&>(stream);
    std::shared_ptr<CudaEvent> event;
    try {
      Choose(own.device);
      event = events_[static_cast<size_t>(own.device)]->Record(own.handle);
    } catch (const Error& error) {
      return callback(error.status());  // the device is lost
    }
    own.watcher.Await(std::move(event), std::move(callback));
  }

  std::shared_ptr<Event> Record(Stream& stream) override {
    const CudaStream& own = Of(stream);
    const Choice choice(own.device);
    return events_[static_cast<size_t>(own.device)]->Record(own.handle);
  }
  void Wait(Stream& stream, const std::shared_ptr<Event>& event) override {
    Choose(Of(stream).device);
    Check(cudaStreamWaitEvent(Of(stream).handle, static_cast<const CudaEvent&>(*event).handle(), 0),
          "to wait for an event");
  }
  bool HasHappened(const Event& event) override { return static_cast<const CudaEvent&>(event).Query() == cudaSuccess; }

  Status Synchronize(Stream& stream) override {
    return StatusOf(cudaStreamSynchronize(Of(stream).handle), "the work on a GPU");
  }

 private:
  std::shared_ptr<Stream> Watched(int device, std::shared_ptr<OwnedStream> stream) PLUMB_REQUIRES(streams_mutex_) {
    auto watched = std::make_shared<WatchedStream>(device, std::move(stream));
    std::erase_if(streams_, [](const auto& other) { return other.expired(); });
    streams_.push_back(watched);
    return watched;
  }
  static CudaStream& Of(Stream& stream) { return static_cast<CudaStream&>(stream); }

  static void Copy(Stream& stream, void* to, const void* from, size_t bytes, cudaMemcpyKind kind, const char* what) {
    if (bytes == 0) return;
    Choose(Of(stream).device);
    Check(cudaMemcpyAsync(to, from, bytes, kind, Of(stream).handle), what);
  }

  // Of all streams but those that capture, which do nothing and must not be waited for. To wait for the device as a
  // whole is refused while there are such.
  void AwaitWorkOf(int device) {
    std::vector<std::shared_ptr<WatchedStream>> streams;
    {
      MutexLock lock(streams_mutex_);
      for (const auto& weak : streams_) {
        auto stream = weak.lock();
        if (stream != nullptr && stream->device == device) streams.push_back(std::move(stream));
      }
    }
    for (const auto& stream : streams) {
      Check(cudaStreamSynchronize(stream->handle), "to wait for the work on a GPU");
    }
  }

  Mutex streams_mutex_;
  std::map<int, std::weak_ptr<OwnedStream>> kernels_ PLUMB_GUARDED_BY(streams_mutex_);  // by device
  std::vector<std::weak_ptr<WatchedStream>> streams_ PLUMB_GUARDED_BY(streams_mutex_);
  std::vector<std::unique_ptr<Pool>> pools_;
  std::vector<std::shared_ptr<EventPool>> events_;  // by device
  const std::shared_ptr<PinnedPool> pinned_ = std::make_shared<PinnedPool>();
};

}  // namespace

Status StatusOf(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return OkStatus();
  const Code code = error == cudaErrorMemoryAllocation                                   ? Code::kResourceExhausted
                    : error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver ? Code::kUnavailable
                                                                                         : Code::kInternal;
  return Status(code,
                Str("the CUDA runtime refused ", what, ": ", cudaGetErrorName(error), ", ", cudaGetErrorString(error)));
}

// The runtime remembers an error until it is asked for the last one. Who catches what is thrown here goes on, and the
// next launch, which asks, would be blamed for it.
void Check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  throw Error(StatusOf(error, what));
}

std::shared_ptr<Driver> NewCudaDriver() {
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (error == cudaErrorInsufficientDriver) {
    int driver = 0, runtime = 0;
    static_cast<void>(cudaDriverGetVersion(&driver));  // 0 where there is none
    Check(cudaRuntimeGetVersion(&runtime), "to say its version");
    throw Error(Code::kUnavailable, Str("no GPU can be used: the driver ",
                                        driver == 0 ? "is not installed" : Str("is for CUDA ", driver / 1000),
                                        "; CUDA ", runtime / 1000, " is needed"));
  }
  if (error == cudaErrorNoDevice || (error == cudaSuccess && devices == 0)) {
    throw Error(Code::kUnavailable, "no GPU can be used: the driver finds no card");
  }
  if (error != cudaSuccess) {  // such as of a machine whose services for its cards are not up yet
    static_cast<void>(cudaGetLastError());
    throw Error(Code::kUnavailable, Str("no GPU can be used: the CUDA runtime says ", cudaGetErrorName(error), ", ",
                                        cudaGetErrorString(error)));
  }
  return std::make_shared<RuntimeDriver>(devices);
}

namespace {

struct DriverOfProcess {
  Mutex mutex;
  std::shared_ptr<Driver> driver PLUMB_GUARDED_BY(mutex);

  static DriverOfProcess& Get() {
    static DriverOfProcess process;
    return process;
  }
};

}  // namespace

std::shared_ptr<CudaStream> NewCapturingStream(int device) { return std::make_shared<CapturingStream>(device); }

std::shared_ptr<Driver> CudaDriver() {
  DriverOfProcess& process = DriverOfProcess::Get();
  MutexLock lock(process.mutex);
  if (process.driver == nullptr) process.driver = NewCudaDriver();
  return process.driver;
}

void ForgetCudaDriver() {
  DriverOfProcess& process = DriverOfProcess::Get();
  MutexLock lock(process.mutex);
  process.driver.reset();
}

}  // namespace plumb::fast::GPU_NAMESPACE
