#include "mpi/collective/meeting_rooms.h"

#include <algorithm>

namespace plumb::dist {

bool MeetingRooms::AreFor(const std::vector<Met::Seat>& seats) const {
  return std::all_of(seats.begin(), seats.end(),
                     [&](const auto& seat) { return post_.AreaOf(seat.rank).bytes >= kRooms * MeetingRoom::kBytes; });
}

int MeetingRooms::Take(int members) {
  for (int room = 0; room < kRooms; ++room) {
    if (room == reserved_) {
      if (!post_.Reserve(MeetingRoom::kBytes * static_cast<size_t>(room + 1))) return -1;
      ++reserved_;
    }
    if (Of(post_.rank(), room).Take(members)) return room;
  }
  return -1;
}

MeetingRoom& MeetingRooms::Of(int rank, int room) const {
  Require(room >= 0 && room < kRooms, "rank ", rank, " has no room ", room, " for meetings in shared memory");
  return *reinterpret_cast<MeetingRoom*>(post_.AreaOf(rank).data + MeetingRoom::kBytes * static_cast<size_t>(room));
}

}  // namespace plumb::dist
