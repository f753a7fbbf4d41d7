#include "fastpath/cpu/lib/collective/groups.h"

#include <optional>

#include "fastpath/cpu/lib/collective/local_exchange.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast::cpu {
namespace {

// A kernel that waits at an exchange. Its answer comes from the exchange, or from the end of its step; the first
// counts.
class Attempt : public std::enable_shared_from_this<Attempt> {
 public:
  Attempt(AsyncContext& context, AsyncKernel::Done done, std::shared_ptr<CollectiveExchange> exchange)
      : exchange_(std::move(exchange)), context_(&context), done_(std::move(done)) {}

  void Begin(const CollectiveMember& member, Tensor input) {
    const auto answer = [self = shared_from_this()](const Status& status, Tensor value) {
      self->Take(status, std::move(value));
    };
    const int64_t ticket = exchange_->Join(context_->rendezvous(), member, std::move(input), context_->pool(), answer);
    bool is_stopped = false;
    {
      MutexLock lock(mutex_);
      ticket_ = ticket;
      is_begun_ = true;
      const auto stop = [self = shared_from_this()] { self->Stop(); };
      if (!answer_) is_stopped = !context_->Park(exchange_->Describe(ticket), stop);
    }
    is_stopped ? Stop() : Give();
  }

 private:
  struct Answer {
    Status status;
    Tensor value;
  };

  void Stop() {
    int64_t ticket;
    {
      MutexLock lock(mutex_);
      ticket = ticket_;
    }
    exchange_->Leave(ticket);
    Take(Status(Code::kCancelled, "the operation was cancelled"), {});
  }

  void Take(const Status& status, Tensor value) {
    {
      MutexLock lock(mutex_);
      if (!answer_) answer_ = {status, std::move(value)};
    }
    Give();
  }

  // Once there is an answer, and Begin has seen to the parking.
  void Give() {
    AsyncKernel::Done done;
    Answer answer;
    {
      MutexLock lock(mutex_);
      if (!answer_ || !is_begun_ || done_ == nullptr) return;
      done = std::exchange(done_, nullptr);
      answer = std::move(*answer_);
    }
    if (answer.status.ok()) context_->SetOutput(0, std::move(answer.value));
    done(answer.status);
  }

  const std::shared_ptr<CollectiveExchange> exchange_;
  AsyncContext* const context_;
  Mutex mutex_;
  AsyncKernel::Done done_ PLUMB_GUARDED_BY(mutex_);
  int64_t ticket_ PLUMB_GUARDED_BY(mutex_) = 0;
  bool is_begun_ PLUMB_GUARDED_BY(mutex_) = false;
  std::optional<Answer> answer_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace

CollectiveGroups::CollectiveGroups() : exchange_(std::make_shared<LocalExchange>()) {}

void Meet(AsyncContext& context, AsyncKernel::Done done, CollectiveMember member, Tensor input) {
  const auto groups = context.resources().FindOrCreate<CollectiveGroups>(kCollectiveGroups);
  member.device = FullDevice(member.device, groups->exchange()->task());
  std::make_shared<Attempt>(context, std::move(done), groups->exchange())->Begin(member, std::move(input));
}

}  // namespace plumb::fast::cpu
