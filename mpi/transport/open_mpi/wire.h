// How a message looks on the wire: an envelope of at most kSlotBytes, which holds the head and the payload too where
// they fit; else they follow as they lie in memory, each under its own tag. Messages that are sent together share one
// envelope, one after the other; only of the last something may follow.
#pragma once

#include <mpi.h>

#include <vector>

#include "mpi/transport/envelope.h"

namespace plumb::dist {

enum Tag : int { kEnvelopeTag = 1, kHeadTag = 2, kPayloadTag = 3 };

// Requests that belong together.
class Requests {
 public:
  // Any number of bytes: in pieces that MPI can count.
  void Send(const void* data, size_t bytes, int to, Tag tag, MPI_Comm comm);
  void Receive(void* data, size_t bytes, int from, Tag tag, MPI_Comm comm);
  // Whether all have ended; moves them on.
  bool Done();
  // Whether none is known to be on its way.
  bool empty() const { return requests_.empty(); }

 private:
  std::vector<MPI_Request> requests_;
};

}  // namespace plumb::dist
