// A step inside of another one: the body of a call that is compiled when it runs. It runs on the threads of the pool,
// part by part, and the call is answered when the last part has ended.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "fastpath/device/async_kernel.h"
#include "fastpath/device/device.h"
#include "fastpath/execute/step_parts.h"

namespace plumb::fast {

struct PartitionRun;  // executor.h

class StepInside {
 public:
  // Parks the call. Null: the step around is stopped already, and the call is answered.
  static std::shared_ptr<StepInside> Begin(AsyncContext& call, AsyncKernel::Done done, size_t parts, ThreadPool& pool);

  StepContext& around() { return call_.step(); }
  // How a part is to run.
  PartitionRun RunOf(int64_t step_id, Device* device) const;
  // The inputs of the call, once.
  std::vector<Tensor> TakeFeeds() { return std::move(feeds_); }
  // Where the part that has the fetches puts them.
  std::vector<Tensor>& outputs() { return outputs_; }
  // Once for each part; the last answers the call.
  void EndPart(const Status& status);

 private:
  StepInside(AsyncContext& call, AsyncKernel::Done done, size_t parts, ThreadPool& pool);
  Status SetOutputs();

  AsyncContext& call_;
  const AsyncKernel::Done done_;
  const std::shared_ptr<StepParts> parts_;
  std::atomic<size_t> running_;
  std::vector<Tensor> feeds_, outputs_;
};

}  // namespace plumb::fast
