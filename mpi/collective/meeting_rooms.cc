#include "mpi/collective/meeting_rooms.h"

#include <algorithm>

namespace plumb::dist {
namespace {

constexpr int64_t kSmallest = 256 * 1024;  // bytes: messages are as fast below

}  // namespace

bool MeetingRooms::Suit(const CollectiveMember& member, const std::vector<Met::Seat>& seats) const {
  const auto size = static_cast<int64_t>(ElementSize(member.dtype));
  return member.kind == CollectiveKind::kReduce && seats.size() > 1 && seats.size() <= MeetingRoom::kMostMembers &&
         member.shape.elements() >= kSmallest / size && std::all_of(seats.begin(), seats.end(), [&](const auto& seat) {
           return post_.AreaOf(seat.rank).bytes >= kRooms * MeetingRoom::kBytes;
         });
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
