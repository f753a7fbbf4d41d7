#include "fastpath/execute/step_inside.h"

#include <exception>
#include <utility>

#include "fastpath/device/caught.h"
#include "fastpath/execute/executor.h"

namespace plumb::fast {
namespace {

Status StoppedAround() { return Status(Code::kCancelled, "the step around the call was stopped"); }

}  // namespace

StepInside::StepInside(AsyncContext& call, AsyncKernel::Done done, size_t parts, ThreadPool& pool)
    : call_(call),
      done_(std::move(done)),
      parts_(std::make_shared<StepParts>(parts, pool, &call.step().step_resources)),
      running_(parts) {
  for (int i = 0; i < call.num_inputs(); ++i) {
    if (MustBeCopied(call.input(i).dtype())) call.Unalias(i);
    feeds_.push_back(call.input(i));
  }
}

std::shared_ptr<StepInside> StepInside::Begin(AsyncContext& call, AsyncKernel::Done done, size_t parts,
                                              ThreadPool& pool) {
  const std::shared_ptr<StepInside> inside(new StepInside(call, std::move(done), parts, pool));
  const std::shared_ptr<StepParts>& all = inside->parts_;
  if (call.ParkAround([all] { return all->Waits(); }, [all] { all->Fail(StoppedAround()); })) return inside;
  inside->done_(StoppedAround());
  return nullptr;
}

PartitionRun StepInside::RunOf(int64_t step_id, Device* device) const {
  PartitionRun run;
  run.step_id = step_id;
  run.rendezvous = parts_->rendezvous();
  run.cancellation = &parts_->cancellation();
  run.parts = parts_;
  run.device = device;
  return run;
}

void StepInside::EndPart(const Status& status) {
  parts_->Fail(status);
  if (running_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  Status outcome = parts_->outcome();
  if (outcome.ok()) outcome = SetOutputs();
  if (!outcome.ok()) call_.SetErrorIsInside();
  done_(outcome);
}

// Here no part writes to a variable any more, of which an output may be an alias (rules F28, F29).
Status StepInside::SetOutputs() {
  try {
    for (size_t i = 0; i < outputs_.size(); ++i) {
      call_.SetOutput(static_cast<int>(i), outputs_[i].is_alias() ? CopyOf(outputs_[i]) : std::move(outputs_[i]));
    }
  } catch (const std::exception&) {
    return CaughtStatus();
  }
  return OkStatus();
}

}  // namespace plumb::fast
