// All ranks in one process, over links that are computed: how long each message is under way, which ones are lost and
// which rank falls silent is drawn from a seed, in virtual time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "mpi/simulation/network.h"
#include "mpi/transport/transport.h"

namespace plumb::dist {

// Who does what there is to do.
enum class Hands {
  kOwn,        // a thread of the run, as soon as anything is under way, however long that would take
  kOwnInTime,  // the same thread, when the time has come by the clock
  // The threads that attend: one of them at a time chooses, by the seed, among the next message, the ranks that have
  // work and the threads whose wait is over. Equal seeds give equal runs, where clients are programs of RunTogether.
  kOfThoseWhoWait,
};

struct SimulatedOptions {
  NetworkOptions links = {};
  int most_losses = 8;       // of one message in a row; after more, its sender is cut off
  double silence = 4;        // seconds after which a rank that is cut off is lost, and all others are for it
  double noticing = 200e-6;  // seconds, in the mean, until a rank is told that another one was killed
  Hands hands = Hands::kOwn;
  // In the hands of those who wait: when nothing is under way and no rank has work for so long by the clock, all ranks
  // are told that nothing will happen any more (kInternal).
  std::chrono::milliseconds patience{5000};
  bool shares_memory = false;
  int ranks_of_host = 0;  // each, as if they lay on several, of which each has memory of its own; 0: one host has all
};

class SimulatedWorld;

class SimulatedRun {
 public:
  SimulatedRun(int ranks, const SimulatedOptions& options);
  ~SimulatedRun();

  // One end per rank, once. Payloads go by reference, as over loopback.
  std::vector<std::unique_ptr<Transport>> TakeEnds();

  // Ends a rank as SIGKILL ends a process. Some of what it has sent still arrives. Not from a receiver.
  void Crash(int rank);
  // The same once so many messages have arrived anywhere; `then` is called afterwards, by whoever does the work.
  void CrashAfter(int64_t arrivals, int rank, std::function<void()> then = nullptr);
  // Nobody is crashed or cut off who was not so far.
  void Spare();
  // From now on nothing reaches the rank, and nothing from it anybody else; or once so many messages have arrived.
  void CutOff(int rank);
  void CutOffAfter(int64_t arrivals, int rank);

  // Runs the programs, each on a thread of its own, of which one at a time does anything: until it attends or ends. For
  // runs that are in the hands of those who wait; a program waits for others by attending alone.
  void RunTogether(const std::vector<std::function<void()>>& programs);

  double now() const;  // seconds since the beginning
  int64_t arrivals() const;
  // Of what arrived so far, where, in which order.
  uint64_t fingerprint() const;

 private:
  std::shared_ptr<SimulatedWorld> world_;
};

}  // namespace plumb::dist
