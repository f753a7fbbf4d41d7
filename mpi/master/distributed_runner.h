// Steps whose parts lie on several ranks: the host's part runs here, the others where they are registered.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "fastpath/execute/executor.h"
#include "mpi/collective/rank_exchange.h"
#include "mpi/master/master.h"
#include "mpi/worker/attendant.h"

namespace plumb::dist {

class DistributedRunner : public fast::StepRunner {
 public:
  // `members`: collective ops of the host's part, which `exchange` hears of. `attendant`: for clients that wait.
  // `forget`: called in the end, with the other parts, which nobody starts any more.
  using Forget = std::function<void(const std::vector<RemotePart>& parts)>;
  DistributedRunner(std::shared_ptr<fast::Executor> host, std::vector<RemotePart> others, Master& master,
                    std::vector<CollectiveMember> members, RankExchange& exchange, Attendant& attendant, Forget forget)
      : host_(std::move(host)),
        others_(std::move(others)),
        master_(master),
        members_(std::move(members)),
        exchange_(exchange),
        attendant_(attendant),
        forget_(std::move(forget)) {}
  ~DistributedRunner() override;

  // What fails in one part stops the others; the step's status is that of the first to fail.
  Status Run(const RunOptions& options, std::span<const Tensor> feeds, std::vector<Tensor>* outputs,
             RunMetadata* metadata) override;
  // Calls stay on the rank that makes them.
  void RunInside(fast::AsyncContext&, fast::AsyncKernel::Done) override {
    throw Internal("a call was spread over ranks");
  }
  void CancelAll(const Status& status) override { host_->CancelAll(status); }  // which stops the others

 private:
  Status RunPresent(const RunOptions& options, std::span<const Tensor> feeds, std::vector<Tensor>* outputs,
                    RunMetadata* metadata);
  // Of a step that cannot run.
  Status FailStep(const Status& status, const std::shared_ptr<OwnStep>& step);
  Status RunStep(const RunOptions& options, std::span<const Tensor> feeds, std::vector<Tensor>* outputs,
                 RunMetadata* metadata, const std::shared_ptr<OwnStep>& step);
  // What ran elsewhere too, by the clock of this rank.
  void AddTraces(RunMetadata& metadata, OwnStep& step);

  const std::shared_ptr<fast::Executor> host_;
  const std::vector<RemotePart> others_;
  Master& master_;
  const std::vector<CollectiveMember> members_;
  RankExchange& exchange_;
  Attendant& attendant_;
  const Forget forget_;
  std::atomic<int64_t> took_ns_{0};  // the last step; 0: there was none
};

}  // namespace plumb::dist
