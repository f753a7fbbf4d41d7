// Where the Sends and Recvs of one step meet on one rank. What is sent to a device of another rank leaves here, and
// what comes from there arrives here (rules W30–W32).
//
// Receivers that may be closed are closed when no rank has anything left to do and nothing is on its way: each rank
// says how it stands, and the master puts that together (master/quiescence.h).
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "fastpath/device/rendezvous.h"
#include "mpi/protocol/messages.h"
#include "mpi/protocol/post.h"

namespace plumb::dist {

// The ranks of all devices, by their full names.
class Routes {
 public:
  Routes(const std::vector<std::pair<std::string, int>>& devices, int own)
      : ranks_(devices.begin(), devices.end()), own_(own) {}
  // Where the device lies: on this rank where it is none of the cluster.
  int RankOf(const std::string& device) const;
  int own() const { return own_; }

 private:
  const std::unordered_map<std::string, int> ranks_;
  const int own_;
};

// Sends a value to the part of the step on that rank.
Status SendValue(Post& post, StepName step, int rank, const fast::RendezvousKey& key, const fast::Message& message);

// What leaves a rank.
class StepOutlet {
 public:
  virtual ~StepOutlet() = default;
  virtual Status SendAway(StepName step, int rank, const fast::RendezvousKey& key, const fast::Message& message) = 0;
  // The step has failed here, before anybody said so.
  virtual void StepFailed(StepName step, const Status& status) = 0;
};

class StepRendezvous : public fast::LocalRendezvous {
 public:
  StepRendezvous(StepName name, const Routes& routes, Transport& transport, StepOutlet& outlet)
      : LocalRendezvous(1), name_(name), routes_(routes), transport_(transport), outlet_(outlet) {}

  Status Send(const fast::Channel& channel, const fast::RendezvousKey& key, fast::Message message) override;
  void HoldBack() override { transport_.HoldBack(); }
  void LetGo() override { transport_.LetGo(); }
  // W32: from here; others learn of the first one.
  void Abort(const Status& status) override;
  // Others know already.
  void KnowFailure() { is_known_.store(true, std::memory_order_release); }

  // From another rank.
  void Deliver(int from, const fast::RendezvousKey& key, fast::Message message);
  // F28: aliases that a fetch reads when the step is over are read when this part of it is.
  void SendAliases();

  Standing Stand();
  // Closes receivers that may be closed, if nothing has stirred since it stood so.
  void CloseIfUnstirred(int64_t stirred);

 protected:
  void WhenIdle() override {}  // the master decides

 private:
  struct KeptAlias {
    int rank;
    fast::RendezvousKey key;
    fast::Message message;
  };
  // One more of or for a rank.
  static void Count(std::vector<int64_t>& by_rank, int rank);

  const StepName name_;
  const Routes& routes_;
  Transport& transport_;
  StepOutlet& outlet_;
  std::atomic<bool> is_known_{false};
  Mutex mutex_;
  // While the lock is held and this is idle, it stays so. Its counts go as far as the last rank that has one.
  Standing standing_ PLUMB_GUARDED_BY(mutex_);
  std::vector<KeptAlias> aliases_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::dist
