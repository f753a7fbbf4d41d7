// What every use of oneDNN here shares. Each primitive runs on the calling thread alone: our own pool spreads the work.
#pragma once

#include <omp.h>
#include <pthread.h>
#include <signal.h>

#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>

namespace plumb::fast::cpu::onednn {

// The CPU engine of the process, and this thread's stream on it.
dnnl::engine& Engine();
dnnl::stream& Stream();

// Inside this scope the calling thread's OpenMP regions have one thread.
class OneOpenMpThread {
 public:
  OneOpenMpThread() : before_(omp_get_max_threads()) {
    if (before_ != 1) omp_set_num_threads(1);
  }
  ~OneOpenMpThread() {
    if (before_ != 1) omp_set_num_threads(before_);
  }
  OneOpenMpThread(const OneOpenMpThread&) = delete;
  OneOpenMpThread& operator=(const OneOpenMpThread&) = delete;

 private:
  int before_;
};

// Inside this scope signals wait, or go to other threads. oneDNN's kernels use the stack pointer as one more register,
// so that it points into the heap: a handler's frame would be written over what lies there.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  sigset_t before_;
};

[[noreturn]] void ThrowFrom(const dnnl::error& error);

// Runs `body`, turning oneDNN's exceptions into ours.
template <class Body>
decltype(auto) Guarded(const Body& body) {
  const OneOpenMpThread scope;
  const NoSignals undisturbed;
  try {
    return body();
  } catch (const dnnl::error& error) {
    ThrowFrom(error);
  }
}

// A primitive with its memory objects, ready to run again on other data. Not to be shared between threads.
struct Prepared {
  dnnl::primitive primitive;
  std::unordered_map<int, dnnl::memory> arguments;

  void Bind(int argument, const dnnl::memory::desc& desc) {
    arguments[argument] = dnnl::memory(desc, Engine(), nullptr);
  }
  void Set(int argument, const void* data) { arguments[argument].set_data_handle(const_cast<void*>(data)); }
  void Run() { primitive.execute(Stream(), arguments); }
};

}  // namespace plumb::fast::cpu::onednn
