// A session on the reference: the contract of spec/session/session.h, and runs that keep bounds and derivatives.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "reference/step/program.h"
#include "reference/world/live_world.h"
#include "reference/world/partial_runs.h"
#include "spec/core/thread_annotations.h"
#include "spec/graph/graph.h"
#include "spec/session/session.h"

namespace plumb::reference {

// Steps of one session that overlap are steps of one world (rule S3).
class ReferenceSession : public Session, public SavedSession {
 public:
  // For oracles: where a node asks to run does not change what it means.
  ReferenceSession() { options_.allow_soft_placement = true; }
  explicit ReferenceSession(const SessionOptions& options) : options_(options) {}
  // With kernels in the place of the reference's own.
  explicit ReferenceSession(KernelFinder find_kernel) : ReferenceSession() { find_kernel_ = find_kernel; }

  using Session::Run;
  Status Extend(const GraphDef& graph) override;
  Status Run(const RunOptions& options, std::span<const Feed> feeds, std::span<const std::string> fetches,
             std::span<const std::string> targets, std::vector<Tensor>* outputs, RunMetadata* metadata) override;
  Status MakeCallable(std::span<const std::string> feed_names, std::span<const std::string> fetches,
                      std::span<const std::string> targets, std::unique_ptr<Callable>* callable) override;
  Status PartialRunSetup(std::span<const std::string> feeds, std::span<const std::string> fetches,
                         std::span<const std::string> targets, std::string* handle) override;
  Status PartialRun(const std::string& handle, std::span<const Feed> feeds, std::span<const std::string> fetches,
                    std::vector<Tensor>* outputs) override;
  Status Reset(std::span<const std::string> containers) override;
  Status Close() override;
  Status Save(SavedState* state) override;
  Status Restore(const SavedState& state) override;

  // Run, with bounds and derivatives in and out. The step and those under way are all there will be, as in RunTogether.
  Status RunValues(std::span<const ValueFeed> feeds, std::span<const std::string> fetches,
                   std::span<const std::string> targets, std::vector<Value>* outputs, const Mode& mode);
  // Starts these steps in this order and runs them beside each other, as `driver` chooses: outcome i is that of request
  // i. When nothing can move any more, the steps that are left end at once with kDeadlineExceeded, and `stuck` says who
  // waited for what.
  Together RunTogether(std::span<const StepRequest> requests, Driver& driver, const Mode& mode = {});

 private:
  // A program for the graph as it is now.
  std::shared_ptr<const Program> Resolve(const StepRequest& request, const Mode& mode);
  std::shared_ptr<const Graph> CurrentGraph();
  void CheckOpen() const;

  SessionOptions options_;
  KernelFinder find_kernel_ = FindKernel;
  Mutex mutex_;
  GraphDef def_ PLUMB_GUARDED_BY(mutex_);
  std::shared_ptr<const Graph> graph_ PLUMB_GUARDED_BY(mutex_);  // steps that still run on an older one keep it
  LiveWorld world_;
  PartialRuns partial_runs_{world_};
};

}  // namespace plumb::reference

namespace plumb {

std::unique_ptr<Session> NewReferenceSession(const SessionOptions& options);

}  // namespace plumb
