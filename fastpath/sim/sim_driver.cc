#include "fastpath/sim/sim_driver.h"

#include <chrono>
#include <cstring>
#include <deque>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "fastpath/sim/sim_memory.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast {
namespace {

class SimEvent : public Driver::Event {
 public:
  void Happen() {
    MutexLock lock(mutex_);
    has_happened_ = true;
    happened_.NotifyAll();
  }
  void Await() {
    MutexLock lock(mutex_);
    while (!has_happened_) happened_.Wait(mutex_);
  }
  bool has_happened() const {
    MutexLock lock(mutex_);
    return has_happened_;
  }

 private:
  mutable Mutex mutex_;
  CondVar happened_;
  bool has_happened_ PLUMB_GUARDED_BY(mutex_) = false;
};

// Sometimes late, rarely failing, as the seed says.
class Weather {
 public:
  Weather(uint64_t seed, int failures_per_thousand) : random_(seed), failures_(failures_per_thousand) {}

  // Before a piece of work.
  Status Pass() {
    constexpr int kOneIn = 8, kLongest = 150;
    if (random_() % kOneIn == 0) std::this_thread::sleep_for(std::chrono::microseconds(random_() % kLongest));
    if (static_cast<int>(random_() % 1000) >= failures_) return OkStatus();
    return Status(Code::kUnavailable, "a simulated device failed, as it was told to");
  }

 private:
  std::mt19937_64 random_;
  const int failures_;
};

// A thread that does one thing after the other. It begins with the first of them.
class SimStream : public Driver::Stream {
 public:
  // `is_work`: it may be late, it may fail, and it is left out when the stream is spoilt.
  struct Item {
    std::function<Status(const Status&)> run;
    bool is_work;
  };

  SimStream(int device, Weather weather) : device_(device), weather_(weather) {}
  ~SimStream() override {
    Stop();
    if (thread_.joinable()) thread_.join();
  }

  int device() const { return device_; }

  void Push(Item item) {
    MutexLock lock(mutex_);
    items_.push_back(std::move(item));
    if (!thread_.joinable()) thread_ = std::thread([this] { ThreadMain(); });
    changed_.NotifyAll();
  }

 private:
  void Stop() {
    MutexLock lock(mutex_);
    stop_ = true;
    changed_.NotifyAll();
  }
  void ThreadMain() {
    Status first_failure;
    for (;;) {
      Item item;
      {
        MutexLock lock(mutex_);
        while (items_.empty() && !stop_) changed_.Wait(mutex_);
        if (items_.empty()) return;
        item = std::move(items_.front());
        items_.pop_front();
      }
      if (item.is_work && first_failure.ok()) first_failure = weather_.Pass();
      if (item.is_work && !first_failure.ok()) continue;
      const Status status = item.run(first_failure);
      if (first_failure.ok()) first_failure = status;
    }
  }

  const int device_;
  Weather weather_;  // of the stream's thread
  Mutex mutex_;
  CondVar changed_;
  std::deque<Item> items_ PLUMB_GUARDED_BY(mutex_);
  bool stop_ PLUMB_GUARDED_BY(mutex_) = false;
  std::thread thread_;  // started under the lock, joined by the last holder
};

class ThreadDriver : public SimDriver {
 public:
  explicit ThreadDriver(const SimOptions& options) : options_(options) {
    for (int i = 0; i < options.devices; ++i) memories_.push_back(std::make_unique<SimMemory>(options.memory));
  }

  int devices() const override { return options_.devices; }
  DevicePointer Allocate(int device, size_t bytes) override { return memories_[device]->Allocate(bytes); }
  void Free(int device, DevicePointer memory) override { memories_[device]->Free(memory); }
  std::shared_ptr<Stream> NewStream(int device) override {
    const uint64_t number = next_stream_.fetch_add(1, std::memory_order_relaxed);
    return std::make_shared<SimStream>(device,
                                       Weather(options_.seed * 1000003 + number, options_.failures_per_thousand));
  }

  void CopyToDevice(Stream& stream, DevicePointer to, const void* from, size_t bytes) override {
    Do(stream, [=, &memory = MemoryOf(stream)] { std::memcpy(memory.Follow(to), from, bytes); });
  }
  void CopyToHost(Stream& stream, void* to, DevicePointer from, size_t bytes) override {
    Do(stream, [=, &memory = MemoryOf(stream)] { std::memcpy(to, memory.Follow(from), bytes); });
  }
  void CopyWithin(Stream& stream, DevicePointer to, DevicePointer from, size_t bytes) override {
    Do(stream, [=, &memory = MemoryOf(stream)] { std::memcpy(memory.Follow(to), memory.Follow(from), bytes); });
  }
  void CopyFromPeer(Stream& stream, DevicePointer to, int peer, DevicePointer from, size_t bytes) override {
    Do(stream, [=, &memory = MemoryOf(stream), &other = *memories_[peer]] {
      std::memcpy(memory.Follow(to), other.Follow(from), bytes);
    });
  }
  void Launch(Stream& stream, Work work) override {
    SimMemory& memory = MemoryOf(stream);
    Of(stream).Push({[work = std::move(work), &memory](const Status&) {
                       return work([&memory](DevicePointer place) { return memory.Follow(place); });
                     },
                     true});
  }
  void Notify(Stream& stream, std::function<void(const Status&)> callback) override {
    Of(stream).Push({[callback = std::move(callback)](const Status& status) {
                       callback(status);
                       return OkStatus();
                     },
                     false});
  }

  std::shared_ptr<Event> Record(Stream& stream) override {
    auto event = std::make_shared<SimEvent>();
    Of(stream).Push({[event](const Status&) {
                       event->Happen();
                       return OkStatus();
                     },
                     false});
    return event;
  }
  void Wait(Stream& stream, const std::shared_ptr<Event>& event) override {
    Of(stream).Push({[event](const Status&) {
                       static_cast<SimEvent&>(*event).Await();
                       return OkStatus();
                     },
                     false});
  }
  bool HasHappened(const Event& event) override { return static_cast<const SimEvent&>(event).has_happened(); }

  Status Synchronize(Stream& stream) override {
    const auto reached = std::make_shared<SimEvent>();
    const auto outcome = std::make_shared<Status>();
    Notify(stream, [reached, outcome](const Status& status) {
      *outcome = status;
      reached->Happen();
    });
    reached->Await();
    return *outcome;
  }

 private:
  static SimStream& Of(Stream& stream) { return static_cast<SimStream&>(stream); }
  SimMemory& MemoryOf(Stream& stream) { return *memories_[Of(stream).device()]; }
  void Do(Stream& stream, std::function<void()> work) {
    Of(stream).Push({[work = std::move(work)](const Status&) {
                       work();
                       return OkStatus();
                     },
                     true});
  }

  const SimOptions options_;
  std::vector<std::unique_ptr<SimMemory>> memories_;
  std::atomic<uint64_t> next_stream_{0};
};

}  // namespace

std::shared_ptr<SimDriver> NewSimDriver(const SimOptions& options) {
  Require(options.devices <= kMaxSimDevices, "there are at most ", kMaxSimDevices, " simulated devices, not ",
          options.devices);
  return std::make_shared<ThreadDriver>(options);
}

}  // namespace plumb::fast
