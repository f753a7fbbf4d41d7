#include "mpi/master/distributed_runner.h"

#include <algorithm>
#include <chrono>

#include "absl/cleanup/cleanup.h"
#include "fastpath/execute/timed_out.h"
#include "fastpath/session/guard.h"
#include "mpi/protocol/trace.h"
#include "mpi/transport/deadline.h"
#include "mpi/worker/tracing.h"

namespace plumb::dist {
namespace {

// A step that takes no longer is waited for from its beginning.
constexpr int64_t kShortStep = 1'000'000;  // nanoseconds

// The same options without the deadline, where that is kept in the time of a simulated run.
RunOptions WithDeadline(RunOptions options, const std::shared_ptr<fast::StepParts>& parts) {
  const int64_t timeout_ms = options.timeout_ms;
  if (timeout_ms <= 0) return options;
  constexpr std::chrono::milliseconds kYear = std::chrono::hours(366 * 24);  // as good as for ever, and no overflow
  const auto late = [timeout_ms, weak = std::weak_ptr(parts)] {
    if (const auto alive = weak.lock()) alive->Fail(fast::TimedOut(timeout_ms, alive->Waits()));
  };
  if (KeepDeadline(std::min(std::chrono::milliseconds(timeout_ms), kYear), late)) options.timeout_ms = 0;
  return options;
}

bool IsTraced(const RunOptions& options, const RunMetadata* metadata) { return options.trace && metadata != nullptr; }

}  // namespace

DistributedRunner::~DistributedRunner() {
  if (!others_.empty()) forget_(others_);
}

Status DistributedRunner::Run(const RunOptions& options, std::span<const Tensor> feeds, std::vector<Tensor>* outputs,
                              RunMetadata* metadata) {
  const int64_t last = took_ns_.load(std::memory_order_relaxed);
  const Attendant::Presence presence(attendant_, last > 0 && last <= kShortStep);
  const auto began = std::chrono::steady_clock::now();
  Status status = RunPresent(options, feeds, outputs, metadata);
  const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - began;
  took_ns_.store(std::max<int64_t>(took.count(), 1), std::memory_order_relaxed);
  return status;
}

Status DistributedRunner::RunPresent(const RunOptions& options, std::span<const Tensor> feeds,
                                     std::vector<Tensor>* outputs, RunMetadata* metadata) {
  if (members_.empty()) {
    host_->CheckFeeds(feeds);
    return RunStep(options, feeds, outputs, metadata, master_.Begin(others_, IsTraced(options, metadata)));
  }
  const void* step = nullptr;
  const Status status = fast::Guard([&] {
    const Status wrong = fast::Guard([&] {
      host_->CheckFeeds(feeds);
      return OkStatus();
    });
    if (!wrong.ok() && others_.empty()) return wrong;
    const std::shared_ptr<OwnStep> own = master_.Begin(others_, IsTraced(options, metadata));
    step = own->shared_rendezvous().get();
    exchange_.BeginStep(step);
    if (!wrong.ok()) return FailStep(wrong, own);
    return RunStep(options, feeds, outputs, metadata, own);
  });
  exchange_.EndStep(step, members_, status);
  return status;
}

// It has begun elsewhere, so that the members there count it as those here do (CO6).
Status DistributedRunner::FailStep(const Status& status, const std::shared_ptr<OwnStep>& step) {
  const auto end = absl::MakeCleanup([&] { master_.End(step); });
  return step->parts()->Await(status, &attendant_);
}

Status DistributedRunner::RunStep(const RunOptions& options, std::span<const Tensor> feeds,
                                  std::vector<Tensor>* outputs, RunMetadata* metadata,
                                  const std::shared_ptr<OwnStep>& step) {
  const auto end = absl::MakeCleanup([&] { master_.End(step); });
  const fast::PartitionRun run{step->number(),
                               step->shared_rendezvous(),
                               &step->parts()->cancellation(),
                               IsTraced(options, metadata) ? metadata : nullptr,
                               step->parts(),
                               nullptr,
                               &attendant_};
  const Status status = host_->RunWith(run, WithDeadline(options, step->parts()), feeds, outputs);
  if (run.metadata != nullptr) AddTraces(*metadata, *step);
  return status.code() == Code::kDeadlineExceeded ? step->WithWaits(status) : status;
}

void DistributedRunner::AddTraces(RunMetadata& metadata, OwnStep& step) {
  MarkWaits(host_->plan(), metadata);
  Join(metadata, {});
  for (auto& traced : step.TakeTraces()) {
    const Status status = fast::Guard([&] {
      Shift(traced.second, -master_.ClockOf(traced.first).ahead_ns);
      return OkStatus();
    });
    if (status.ok()) Join(metadata, std::move(traced.second));  // where the rank is lost nobody knows its clock
  }
}

}  // namespace plumb::dist
