// The rank that keeps the meetings of some groups for all ranks: who has come, and what comes of small tensors.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "fastpath/cpu/lib/collective/meeting_book.h"
#include "mpi/collective/merge_lane.h"
#include "mpi/protocol/collective_messages.h"
#include "mpi/protocol/post.h"
#include "spec/core/thread_annotations.h"

namespace plumb::dist {

class MeetingKeeper : public std::enable_shared_from_this<MeetingKeeper> {
 public:
  // `devices`: how many each rank has.
  MeetingKeeper(Post& post, int devices) : post_(post), devices_(devices) {}

  // From the transport's thread. Join throws kInvalidArgument for what no rank sends.
  void Take(int from, const Join& join, const Payload& payload, MergeLane& lane);
  void Take(int from, const Withdraw& withdraw);
  void Take(int from, const Absent& absent);
  // Nobody comes from this rank any more: the meetings that need it are over (rule CO6).
  void Lose(int rank, const Status& status);

 private:
  struct Attempt {
    int rank;
    int64_t ticket, execution;
    Tensor input;
  };
  using Attempts = std::vector<Attempt>;

  // A meeting that has failed because a member will not come (CO6), or has not come in time (CO7): those whose
  // execution it would have been, and who have not been told yet, are told when they come.
  struct Failed {
    int64_t execution;
    std::set<std::string> devices;  // that have been told, or have failed themselves
    Status status;
  };
  using Keys = std::pair<int64_t, int64_t>;  // group_key and instance_key

  // Whether an execution is of a meeting that has failed, and how.
  Status WhyFailed(const CollectiveMember& member, int64_t execution) PLUMB_REQUIRES(mutex_);
  // For those of the group who have not been told; `member` is one of it.
  void Remember(const CollectiveMember& member, Failed failed) PLUMB_REQUIRES(mutex_);
  // Dissolves the meeting that waits for such a member.
  Attempts Dissolve(const CollectiveMember& member, Failed& failed) PLUMB_REQUIRES(mutex_);
  // CO7: what those of a meeting are told that waited for others too long.
  Status WhyLate(const CollectiveMember& late, const std::vector<fast::cpu::Seat>& seats) PLUMB_REQUIRES(mutex_);
  // The attempts of these seats, in their order.
  Attempts TakeAll(const std::vector<fast::cpu::Seat>& seats) PLUMB_REQUIRES(mutex_);
  // Why a meeting of this member cannot be completed; OK where it may be.
  Status WhyInVain(const CollectiveMember& member) const PLUMB_REQUIRES(mutex_);
  // Tells those of a meeting that is over.
  void Tell(const Attempts& attempts, const Status& status);
  // `member`: the first one of the meeting.
  void Settle(const CollectiveMember& member, const Attempts& attempts, std::vector<Tensor> inputs, MergeLane& lane);

  Post& post_;
  const int devices_;
  Mutex mutex_;
  int64_t next_ PLUMB_GUARDED_BY(mutex_) = 1;
  fast::cpu::MeetingBook book_ PLUMB_GUARDED_BY(mutex_);
  std::map<int64_t, Attempt> attempts_ PLUMB_GUARDED_BY(mutex_);               // of meetings that wait
  std::map<int64_t, CollectiveMember> members_ PLUMB_GUARDED_BY(mutex_);       // the same
  std::map<int64_t, std::set<int>> ranks_of_groups_ PLUMB_GUARDED_BY(mutex_);  // that have met, by group_key
  std::map<Keys, std::vector<Failed>> failed_ PLUMB_GUARDED_BY(mutex_);
  std::map<int, Status> lost_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::dist
