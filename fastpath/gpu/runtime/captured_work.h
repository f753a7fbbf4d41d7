// Work that a stream was given once, to be done again and again by one launch: a CUDA graph.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>

namespace plumb::fast::GPU_NAMESPACE {

// While a stream captures, what it is given is written down and not done. The thread that captures allocates nothing
// from the runtime meanwhile and waits for nothing. The addresses that the work was given stay those that it uses.
class CapturedWork {
 public:
  // The stream's device is the current one. Throws as Check does.
  static void Begin(cudaStream_t stream);
  // The stream does what it is given again. Throws as Check does: kResourceExhausted where there is no memory to get
  // the work ready.
  static std::unique_ptr<CapturedWork> End(cudaStream_t stream);
  // It has been done wherever it was launched.
  ~CapturedWork();
  CapturedWork(const CapturedWork&) = delete;
  CapturedWork& operator=(const CapturedWork&) = delete;

  // Kernels, copies and fills.
  size_t pieces() const { return pieces_; }
  void Launch(cudaStream_t stream) const;

 private:
  CapturedWork(cudaGraphExec_t exec, size_t pieces) : exec_(exec), pieces_(pieces) {}

  const cudaGraphExec_t exec_;  // null: there is nothing to do
  const size_t pieces_;
};

}  // namespace plumb::fast::GPU_NAMESPACE
