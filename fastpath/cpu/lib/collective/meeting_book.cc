#include "fastpath/cpu/lib/collective/meeting_book.h"

#include <algorithm>

namespace plumb::fast::cpu {

MeetingBook::Over MeetingBook::Join(int64_t ticket, const CollectiveMember& member) {
  const Keys keys = {member.group_key, member.instance_key};
  std::vector<Meeting>& meetings = meetings_[keys];
  auto meeting = std::find_if(meetings.begin(), meetings.end(), [&](const Meeting& each) {
    return std::none_of(each.begin(), each.end(),
                        [&](const Seat& seat) { return seat.member.device == member.device; });
  });
  if (meeting == meetings.end()) meeting = meetings.emplace(meetings.end());
  std::string reason;
  for (const Seat& seat : *meeting) {
    if (reason.empty()) reason = WhyNotWith(seat.member, member);
  }
  const auto is_behind = [&](const Seat& seat) { return StandsBefore(member.device, seat.member.device); };
  meeting->insert(std::find_if(meeting->begin(), meeting->end(), is_behind), {ticket, member});
  const bool is_complete = std::ssize(*meeting) == member.group_size;
  if (reason.empty() && !is_complete) return {};
  if (reason.empty()) reason = WhyIncomplete(MembersOf(*meeting));
  Over over = {reason.empty() ? OkStatus() : Status(Code::kInvalidArgument, reason), *meeting};
  Erase(keys, &*meeting);
  return over;
}

MeetingBook::Over MeetingBook::Leave(int64_t ticket) {
  Keys keys;
  const Meeting* const meeting = Find(ticket, keys);
  if (meeting == nullptr) return {};
  Over over = {OkStatus(), *meeting};
  Erase(keys, meeting);
  const auto gone =
      std::find_if(over.seats.begin(), over.seats.end(), [&](const Seat& seat) { return seat.ticket == ticket; });
  over.status = Status(Code::kCancelled, WhoHasGone(gone->member));
  over.seats.erase(gone);
  return over;
}

MeetingBook::Over MeetingBook::Expire(int64_t ticket) {
  Keys keys;
  const Meeting* const meeting = Find(ticket, keys);
  if (meeting == nullptr) return {};
  Over over = {OkStatus(), *meeting};
  Erase(keys, meeting);
  const auto late =
      std::find_if(over.seats.begin(), over.seats.end(), [&](const Seat& seat) { return seat.ticket == ticket; });
  over.status = Status(Code::kDeadlineExceeded, WhoIsThereInTime(late->member, MembersOf(over.seats)));
  return over;
}

std::string MeetingBook::Describe(int64_t ticket) const {
  Keys keys;
  const Meeting* const meeting = Find(ticket, keys);
  return meeting == nullptr ? "the others" : Str("the others: ", WhoIsThere(MembersOf(*meeting)));
}

const MeetingBook::Meeting* MeetingBook::Find(int64_t ticket, Keys& keys) const {
  for (const auto& [at, meetings] : meetings_) {
    for (const Meeting& meeting : meetings) {
      keys = at;
      if (std::any_of(meeting.begin(), meeting.end(), [&](const Seat& seat) { return seat.ticket == ticket; })) {
        return &meeting;
      }
    }
  }
  return nullptr;
}

void MeetingBook::Erase(const Keys& keys, const Meeting* meeting) {
  const auto found = meetings_.find(keys);
  found->second.erase(found->second.begin() + (meeting - found->second.data()));
  if (found->second.empty()) meetings_.erase(found);
}

std::vector<CollectiveMember> MembersOf(const std::vector<Seat>& seats) {
  std::vector<CollectiveMember> members;
  members.reserve(seats.size());
  for (const Seat& seat : seats) members.push_back(seat.member);
  return members;
}

}  // namespace plumb::fast::cpu
