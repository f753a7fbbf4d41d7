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
  Outbox(const MpiProcess& process, MPI_Comm comm) : process_(process), comm_(comm), flying_(process.size()) {}

  // True when the payload was copied into the envelope. What has ended at once is appended.
  bool Launch(Kind kind, Outgoing message, std::vector<Ended>& ended);
  // Appends those that have ended; returns whether there were any.
  bool Progress(std::vector<Ended>& ended);
  // Those to this rank have failed. MPI may still read them, so they are kept for ever.
  void Abandon(int rank, const Status& status, std::vector<Ended>& ended);
  bool empty() const { return count_ == 0; }
  // Of payloads on their way.
  size_t bytes() const { return bytes_; }
  // Wakes those who are to take something.
  void RingAll();

 private:
  void RingFor(int rank);

  struct Flying {
    Outgoing message;
    std::vector<char> envelope;
    Requests requests;
  };
  const MpiProcess& process_;
  const MPI_Comm comm_;
  std::vector<std::deque<std::unique_ptr<Flying>>> flying_;  // by rank, in order: only the first is asked after
  std::vector<char> envelope_;                               // the next one
  size_t count_ = 0;
  size_t bytes_ = 0;
};

}  // namespace plumb::dist
