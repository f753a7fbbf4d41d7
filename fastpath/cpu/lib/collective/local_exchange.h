// The exchange of one process: members are nodes of one step, or of several.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "fastpath/cpu/lib/collective/exchange.h"
#include "fastpath/cpu/lib/collective/meeting_book.h"
#include "fastpath/cpu/lib/state/alarm.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast::cpu {

class LocalExchange : public CollectiveExchange, public std::enable_shared_from_this<LocalExchange> {
 public:
  std::string_view task() const override { return kOneTask; }
  // The last one to come computes for all.
  int64_t Join(const void* step, const CollectiveMember& member, Tensor input, ThreadPool& pool,
               Answer answer) override;
  void Leave(int64_t ticket) override;
  std::string Describe(int64_t ticket) override;

 private:
  struct Waiting {
    Tensor input;
    Answer answer;
    Alarm limit = {};  // CO7
  };
  void Expire(int64_t ticket);
  std::vector<Waiting> Take(const std::vector<Seat>& seats) PLUMB_REQUIRES(mutex_);

  Mutex mutex_;
  int64_t next_ PLUMB_GUARDED_BY(mutex_) = 1;
  MeetingBook book_ PLUMB_GUARDED_BY(mutex_);
  std::map<int64_t, Waiting> waiting_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast::cpu
