#include "fastpath/gpu/runtime/captured_work.h"

#include "fastpath/gpu/runtime/cuda_driver.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// What was captured, until it is ready.
class Graph {
 public:
  explicit Graph(cudaStream_t stream) { Check(cudaStreamEndCapture(stream, &handle_), "to capture work"); }
  ~Graph() { static_cast<void>(cudaGraphDestroy(handle_)); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  size_t NumPieces() const {
    size_t pieces = 0;
    Check(cudaGraphGetNodes(handle_, nullptr, &pieces), "to count captured work");
    return pieces;
  }
  cudaGraphExec_t MakeReady() const {
    cudaGraphExec_t exec = nullptr;
    Check(cudaGraphInstantiateWithFlags(&exec, handle_, 0), "to make captured work ready");
    return exec;
  }

 private:
  cudaGraph_t handle_ = nullptr;
};

}  // namespace

// What other threads do with the device goes on undisturbed.
void CapturedWork::Begin(cudaStream_t stream) {
  Check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "to begin to capture work");
}

std::unique_ptr<CapturedWork> CapturedWork::End(cudaStream_t stream) {
  const Graph graph(stream);
  const size_t pieces = graph.NumPieces();
  cudaGraphExec_t const exec = pieces == 0 ? nullptr : graph.MakeReady();
  return std::unique_ptr<CapturedWork>(new CapturedWork(exec, pieces));
}

CapturedWork::~CapturedWork() {
  if (exec_ != nullptr) static_cast<void>(cudaGraphExecDestroy(exec_));
}

void CapturedWork::Launch(cudaStream_t stream) const {
  if (exec_ != nullptr) Check(cudaGraphLaunch(exec_, stream), "to launch captured work");
}

}  // namespace plumb::fast::GPU_NAMESPACE
