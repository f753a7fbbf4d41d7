// What is on its way in. Of one thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "mpi/transport/open_mpi/process.h"
#include "mpi/transport/open_mpi/wire.h"
#include "mpi/transport/transport.h"

namespace plumb::dist {

class Inbox {
 public:
  // `uses_chutes`: for envelopes of ranks that have some.
  Inbox(const MpiProcess& process, MPI_Comm comm, bool uses_chutes);

  // Called with a rank of which something came, a pulse at least.
  std::function<void(int from)> heard;
  // A rank has said goodbye, and all that it sent before has arrived.
  std::function<void(int from)> left;
  // For counters: a payload was copied out of its envelope.
  std::function<void(size_t bytes)> copied;

  // Takes what has come to `receiver`; returns whether there was any. Where all is in the chutes, MPI itself is asked
  // only now and then, or when the look is `thorough`: before a sleep.
  bool Poll(Receiver& receiver, bool thorough);
  // Whether something has been announced that is not here yet.
  bool is_waiting() const { return waiting_ != 0; }
  // Of payloads on their way.
  size_t bytes() const { return bytes_; }
  int64_t arrived() const { return arrived_; }
  // Nothing more is taken from this rank.
  void Abandon(int rank);
  // Nothing more is taken from anybody.
  void Close();

 private:
  struct Incoming {
    Envelope envelope;
    std::string head;
    Place place;
    Requests head_requests;
    Requests payload_requests;
    bool is_refused = false;
  };

  bool PollChutes(Receiver& receiver);
  bool PollMpi(Receiver& receiver);
  // An envelope has one small message or several, or a large one, or small ones before it.
  void Open(int from, std::string_view bytes, Receiver& receiver);
  // One of them; `head` and `payload` are what the envelope holds of it.
  void Take(int from, const Envelope& envelope, std::string_view head, std::string_view payload, Receiver& receiver);
  void Deliver(int from, const Envelope& envelope, std::string_view head, const Place& place, bool is_refused,
               Receiver& receiver);
  // Moves on those of this rank: gives the next its place, delivers the first.
  bool Advance(int from, Receiver& receiver);

  static constexpr int kSlots = 32;
  static constexpr int kLooksWithoutMpi = 127;  // in a row
  const MpiProcess& process_;
  const MPI_Comm comm_;
  std::vector<Chute*> chutes_;            // by rank; null: its envelopes come by MPI
  std::atomic<uint64_t>* const mail_;     // of this rank's bell
  bool hears_by_mpi_ = false;             // envelopes of somebody
  int looks_ = 0;                         // at the chutes alone
  std::vector<std::vector<char>> slots_;  // receives stand ready in each, in turn
  std::vector<MPI_Request> ready_;        // by slot
  int next_ = 0;
  std::vector<std::deque<Incoming>> incoming_;  // by rank, in the order of their envelopes
  std::vector<size_t> placed_;                  // by rank, how many of the first have their places
  int waiting_ = 0;
  size_t bytes_ = 0;
  std::vector<bool> is_abandoned_;  // by rank
  int64_t arrived_ = 0;
};

}  // namespace plumb::dist
