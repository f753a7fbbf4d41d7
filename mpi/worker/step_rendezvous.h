// Where the Sends and Recvs of one step meet on one rank. What is sent to a device of another rank leaves here, and
// what comes from there arrives here (rules W30–W32).
//
// Receivers that may be closed are closed when no rank has anything left to do and nothing is on its way: each rank
// says how it stands, and the master puts that together (master/quiescence.h).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "fastpath/device/rendezvous.h"
#include "mpi/protocol/messages.h"

namespace plumb::dist {

// The ranks of all devices, by their full names.
class Routes {
 public:
  Routes(const std::vector<std::pair<std::string, int>>& devices, int own)
      : ranks_(devices.begin(), devices.end()), own_(own) {}
  // Who receives what is sent under this key: this rank where it names no device of the cluster.
  int ReceiverOf(const std::string& key) const;
  int own() const { return own_; }

 private:
  const std::unordered_map<std::string, int> ranks_;
  const int own_;
};

class StepRendezvous : public fast::LocalRendezvous {
 public:
  // What leaves this rank.
  struct Outlet {
    std::function<Status(int rank, const std::string& key, fast::Message)> send;
    // The step has failed here, before anybody said so.
    std::function<void(const Status&)> failed;
  };
  StepRendezvous(const Routes& routes, Transport& transport, Outlet outlet);

  Status Send(const std::string& key, fast::Message message) override;
  void HoldBack() override { transport_.HoldBack(); }
  void LetGo() override { transport_.LetGo(); }
  // W32: from here; others learn of the first one.
  void Abort(const Status& status) override;
  // Others know already.
  void KnowFailure() { is_known_.store(true, std::memory_order_release); }

  // From another rank.
  void Deliver(int from, const std::string& key, fast::Message message);
  // F28: aliases that a fetch reads when the step is over are read when this part of it is.
  void SendAliases();

  Standing Stand();
  // Closes receivers that may be closed, if nothing has stirred since it stood so.
  void CloseIfUnstirred(int64_t stirred);

 protected:
  void WhenIdle() override {}  // the master decides

 private:
  Status SendAway(int rank, const std::string& key, fast::Message message);

  struct KeptAlias {
    int rank;
    std::string key;
    fast::Message message;
  };

  const Routes& routes_;
  Transport& transport_;
  const Outlet outlet_;
  std::atomic<bool> is_known_{false};
  Mutex mutex_;
  // While the lock is held and this is idle, it stays so.
  Standing standing_ PLUMB_GUARDED_BY(mutex_);
  std::vector<KeptAlias> aliases_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::dist
