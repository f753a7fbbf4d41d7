// A step in pieces (rules P1–P5). It runs on a thread of its own from the start; its feeds are asynchronous kernels
// that wait for their values, its fetches hand theirs over.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "fastpath/compile/graph/request.h"
#include "fastpath/compile/graph/step_graph.h"
#include "fastpath/device/async_kernel.h"
#include "fastpath/execute/executor.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast {

// Where the kernels of such a step and its client meet.
class Meeting {
 public:
  Meeting(size_t feeds, size_t fetches) : feeds_(feeds), fetches_(fetches) {}

  // The kernels.
  void AskFor(size_t feed, AsyncContext& context, AsyncKernel::Done done);
  void HandOver(size_t fetch, std::optional<Tensor> value);  // none: it is dead
  void End(Status status);                                   // the step is over

  // The client.
  void Feed(size_t feed, const Tensor& value);
  // Whether the step is over, or will be within this time.
  bool HasEnded(std::chrono::milliseconds patience);
  // Waits until all of these are there, or the step is over: then its status. `for_all`: until it is over in any case.
  // What is on a branch that was not taken has no value: its tensor is not set.
  Status Await(const std::vector<size_t>& fetches, bool for_all, std::vector<Tensor>* values);

 private:
  struct Place {
    std::optional<Tensor> value;
    AsyncContext* context = nullptr;  // of the kernel that waits
    AsyncKernel::Done done;
    bool is_stopped = false;
  };
  struct Result {
    bool is_there = false;
    std::optional<Tensor> value;
  };
  bool AreThere(const std::vector<size_t>& fetches) const PLUMB_REQUIRES(mutex_);
  void Stop(size_t feed);

  Mutex mutex_;
  CondVar changed_;
  std::vector<Place> feeds_ PLUMB_GUARDED_BY(mutex_);
  std::vector<Result> fetches_ PLUMB_GUARDED_BY(mutex_);
  std::optional<Status> end_ PLUMB_GUARDED_BY(mutex_);
};

// Puts kernels that meet the client in the place of the feeds and fetches of a step.
void ReplaceEnds(StepGraph& graph, const std::shared_ptr<Meeting>& meeting);

class StepInPieces {
 public:
  // `request` is the executor's, of a plan with such ends.
  StepInPieces(std::shared_ptr<const Graph> graph, Request request, std::shared_ptr<Meeting> meeting,
               std::shared_ptr<StepRunner> executor);
  // P5: stops the step.
  ~StepInPieces();

  // P2–P4. Sets *is_over when the step has ended: with its last piece, or by an error.
  Status RunPiece(std::span<const Feed> feeds, std::span<const std::string> fetches, std::vector<Tensor>* outputs,
                  bool* is_over);

 private:
  struct Piece {
    std::vector<size_t> feeds, fetches;
  };
  Piece Resolve(std::span<const Feed> feeds, std::span<const std::string> fetches) const PLUMB_REQUIRES(mutex_);
  void CheckComputable(const Piece& piece) const PLUMB_REQUIRES(mutex_);

  const std::shared_ptr<const Graph> graph_;
  const Request request_;
  const std::shared_ptr<Meeting> meeting_;
  const std::shared_ptr<StepRunner> executor_;
  Mutex mutex_;
  std::set<size_t> fed_ PLUMB_GUARDED_BY(mutex_), fetched_ PLUMB_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace plumb::fast
