// The rooms that ranks of one host have for meetings in shared memory.
#pragma once

#include <vector>

#include "mpi/collective/shared_reduce.h"
#include "mpi/protocol/collective_messages.h"
#include "mpi/protocol/post.h"

namespace plumb::dist {

class MeetingRooms {
 public:
  explicit MeetingRooms(Post& post) : post_(post) {}

  // Whether the ranks of such a meeting share memory. All of them say the same.
  bool AreFor(const std::vector<Met::Seat>& seats) const;
  // A room of this rank, which from now on is that of a meeting; negative where none is free, or the host has no memory
  // for one. Not thread-safe.
  int Take(int members);
  // Throws kInvalidArgument where the rank has no such room.
  MeetingRoom& Of(int rank, int room) const;

 private:
  static constexpr int kRooms = 4;
  Post& post_;
  int reserved_ = 0;
};

}  // namespace plumb::dist
