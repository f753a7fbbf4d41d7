// What is on its way out. Of one thread.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "mpi/transport/open_mpi/process.h"
#include "mpi/transport/open_mpi/wire.h"
#include "mpi/transport/transport.h"

namespace plumb::dist {

struct Outgoing {
  int to;
  std::string head;
  Payload payload;
  Sent sent;
};

// A `sent` that is to be called.
struct Ended {
  Sent sent;
  Status status;
};

class Outbox {
 public:
  // `uses_chutes`: for envelopes to ranks that have some.
  Outbox(const MpiProcess& process, MPI_Comm comm, bool uses_chutes);

  // True when the payload was copied into the envelope. What is small stays in its rank's envelope until that is full,
  // until something large goes with it, or until Flush. What has ended at once is appended.
  bool Launch(Kind kind, Outgoing message, std::vector<Ended>& ended);
  void Flush(std::vector<Ended>& ended);
  // Appends those that have ended; returns whether there were any.
  bool Progress(std::vector<Ended>& ended);
  // Those to this rank have failed. MPI may still read them, so they are kept for ever.
  void Abandon(int rank, const Status& status, std::vector<Ended>& ended);
  bool empty() const { return count_ == 0; }  // after Flush
  // Of payloads on their way.
  size_t bytes() const { return bytes_; }
  // Wakes those who are to take something.
  void RingAll();

 private:
  // What waits to go to a rank.
  struct Open {
    std::vector<char> envelope;
    std::vector<Sent> sent;  // of the messages in there
  };
  // On its way: an envelope, and behind it the large message that it ends with.
  struct Flying {
    Open open;
    Outgoing large;
    Requests requests;
    bool waits_for_room = false;  // in the chute; nothing of it is on its way yet
  };
  // Sends the rank's envelope, if there is anything in it.
  void Depart(int to, Outgoing large, std::vector<Ended>& ended);
  // False where the chute has no room now.
  bool PutInChute(int to, const std::vector<char>& envelope);
  // What follows the envelope.
  void SendLarge(int to, Flying& flying);
  static void End(std::vector<Sent>& sent, const Status& status, std::vector<Ended>& ended);
  void RingFor(int rank);

  const MpiProcess& process_;
  const MPI_Comm comm_;
  std::vector<Chute*> chutes_;                               // by rank; null: envelopes go by MPI
  std::vector<std::deque<std::unique_ptr<Flying>>> flying_;  // by rank, in order: only the first is asked after
  std::vector<Open> open_;                                   // by rank
  std::vector<int> opened_;                                  // ranks whose envelopes may have something in them
  Requests first_;                                           // of the envelope that departs
  size_t count_ = 0;
  size_t bytes_ = 0;
};

}  // namespace plumb::dist
