// Steps that lie on several devices: one executor for each partition, which meet at a rendezvous (rule W20).
#pragma once

#include <memory>
#include <vector>

#include "fastpath/execute/executor.h"

namespace plumb::fast {

class PartitionedExecutor : public StepRunner {
 public:
  struct Part {
    std::shared_ptr<Executor> executor;
    Device* device;
  };
  // The first part is the host's, and has the feeds and fetches of the request.
  PartitionedExecutor(std::vector<Part> parts, StepEnvironment& environment)
      : parts_(std::move(parts)), environment_(environment) {}

  // What fails in one part stops the others; the step's status is that of the first to fail.
  Status Run(const RunOptions& options, std::span<const Tensor> feeds, std::vector<Tensor>* outputs,
             RunMetadata* metadata) override;
  void RunInside(AsyncContext& call, AsyncKernel::Done done) override;
  void CancelAll(const Status& status) override { parts_[0].executor->CancelAll(status); }  // which stops the others

 private:
  const std::vector<Part> parts_;
  StepEnvironment& environment_;
};

// What runs the plans of a step, the host's first: an executor for each, or the only one by itself.
std::shared_ptr<StepRunner> NewRunner(const std::vector<std::shared_ptr<const Plan>>& plans, const DeviceSet& devices,
                                      StepEnvironment& environment);

}  // namespace plumb::fast
