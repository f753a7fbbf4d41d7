// Threads of a rank that have nothing to do but to wait for other ranks: they fetch what comes, and run what came of it
// themselves, so that a small step wakes nobody.
#pragma once

#include "fastpath/device/thread_pool.h"
#include "fastpath/execute/step_parts.h"
#include "mpi/transport/transport.h"

namespace plumb::dist {

class Attendant : public fast::Lookout {
 public:
  Attendant(Transport& transport, fast::ThreadPool& pool) : transport_(transport), pool_(pool) {}

  // Also by threads that wait for nothing of other ranks.
  bool is_always_needed() const { return transport_.HasOwnTime(); }
  void Until(const std::function<bool()>& holds) override { Attend(holds, false); }
  // For a thread that is there for nothing else: sleeps where nothing comes. Whoever makes it hold nudges the
  // transport. False: the transport needs no hands.
  bool ServeUntil(const std::function<bool()>& holds) { return Attend(holds, true); }

  // A thread that is about to wait for other ranks, and soon: they need not wake anybody for what they answer.
  class Presence {
   public:
    Presence(Attendant& attendant, bool is_soon)
        : transport_(attendant.transport_), has_come_(is_soon && transport_.Come()) {}
    ~Presence() {
      if (has_come_) transport_.Leave();
    }
    Presence(const Presence&) = delete;
    Presence& operator=(const Presence&) = delete;

   private:
    Transport& transport_;
    const bool has_come_;
  };

 private:
  bool Attend(const std::function<bool()>& holds, bool rests);

  Transport& transport_;
  fast::ThreadPool& pool_;
};

}  // namespace plumb::dist
