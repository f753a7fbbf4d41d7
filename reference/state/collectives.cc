#include "reference/state/collectives.h"

#include <algorithm>

#include "reference/numbers/element.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

template <class N>
N Merged(MergeOp merge, N x, N y) {
  if (merge == MergeOp::kAdd) return x + y;
  if (merge == MergeOp::kMul) return x * y;
  return merge == MergeOp::kMax ? Max(x, y) : Min(x, y);
}

// CO3.
template <class N>
Value Reduced(const CollectiveMember& member, const std::vector<Value>& inputs) {
  auto result = Load<N>(inputs[0]);
  for (size_t i = 1; i < inputs.size(); ++i) {
    const Reader<N> next(inputs[i]);
    for (int64_t at = 0; at < next.size(); ++at) result[at] = Merged(member.merge, result[at], next[at]);
  }
  if (!member.divides) return Store(result);
  // What is divided is whole numbers of the type, which may have wrapped around.
  if constexpr (std::is_same_v<N, Integer>) result = Load<N>(Store(result));
  for (N& element : result.at) element = element / N(member.group_size);
  return Store(result);
}

// CO4.
Value Gathered(const CollectiveMember& member, const std::vector<Value>& inputs) {
  std::vector<int64_t> dims = member.shape.ToVector();
  dims[0] *= member.group_size;
  const int64_t each = member.shape.elements();
  Assembly all(member.dtype, Shape(std::span<const int64_t>(dims)));
  for (size_t i = 0; i < inputs.size(); ++i) all.Copy(static_cast<int64_t>(i) * each, inputs[i], 0, each);
  return all.Take();
}

// `inputs`: of those who bring one, in the order of CO3.
Value Met(const CollectiveMember& member, const std::vector<Value>& inputs) {
  if (member.kind == CollectiveKind::kBroadcast) return inputs[0];
  if (member.kind == CollectiveKind::kGather) return Gathered(member, inputs);
  Value result;
  ForKind<Real, Integer>(member.dtype,
                         [&](auto kind) { result = Reduced<typename decltype(kind)::Type>(member, inputs); });
  return result;
}

auto AttemptOf(auto& meeting, int64_t ticket) {
  return std::find_if(meeting.begin(), meeting.end(), [&](const auto& each) { return each.ticket == ticket; });
}

}  // namespace

void Collectives::Join(int64_t ticket, const CollectiveMember& member, Value input) {
  Meetings& meetings = meetings_[{member.group_key, member.instance_key}];
  const auto has_its_device = [&](const Meeting& meeting) {
    return std::any_of(meeting.begin(), meeting.end(),
                       [&](const Attempt& other) { return other.member.device == member.device; });
  };
  auto meeting = std::find_if_not(meetings.begin(), meetings.end(), has_its_device);
  if (meeting == meetings.end()) meeting = meetings.emplace(meetings.end());
  std::string mismatch;
  for (const Attempt& other : *meeting) {
    if (mismatch.empty()) mismatch = WhyNotWith(other.member, member);
  }
  const auto place = std::find_if(meeting->begin(), meeting->end(), [&](const Attempt& other) {
    return StandsBefore(member.device, other.member.device);
  });
  meeting->insert(place, {ticket, member, std::move(input)});
  if (mismatch.empty() && std::ssize(*meeting) < member.group_size) return;

  const Meeting complete = std::move(*meeting);
  meetings.erase(meeting);
  std::vector<CollectiveMember> members;
  std::vector<Value> inputs;
  for (const Attempt& attempt : complete) {
    members.push_back(attempt.member);
    if (attempt.member.BringsInput()) inputs.push_back(attempt.input);
  }
  if (mismatch.empty()) mismatch = WhyIncomplete(members);
  if (!mismatch.empty()) return End(complete, LineAnswer{Status(Code::kInvalidArgument, mismatch)});
  End(complete, LineAnswer{OkStatus(), {Met(member, inputs)}});
}

void Collectives::End(const Meeting& meeting, const LineAnswer& answer) {
  for (const Attempt& attempt : meeting) answers_[attempt.ticket] = answer;
}

std::pair<std::map<Collectives::Keys, Collectives::Meetings>::const_iterator, size_t> Collectives::Find(
    int64_t ticket) const {
  const auto has_it = [ticket](const Meeting& meeting) { return AttemptOf(meeting, ticket) != meeting.end(); };
  for (auto at = meetings_.begin(); at != meetings_.end(); ++at) {
    const auto found = std::find_if(at->second.begin(), at->second.end(), has_it);
    if (found != at->second.end()) return {at, static_cast<size_t>(found - at->second.begin())};
  }
  return {meetings_.end(), 0};
}

bool Collectives::Has(int64_t ticket) const { return IsServed(ticket) || Find(ticket).first != meetings_.end(); }

std::string Collectives::WaitsFor(int64_t ticket) const {
  const auto [at, position] = Find(ticket);
  std::vector<CollectiveMember> members;
  for (const Attempt& attempt : at->second[position]) members.push_back(attempt.member);
  return Str("the others: ", WhoIsThere(members));
}

Collectives::Meeting Collectives::Dissolve(int64_t ticket) {
  const auto [at, position] = Find(ticket);
  if (at == meetings_.end()) return {};
  Meeting dissolved = at->second[position];
  Meetings& meetings = meetings_[at->first];
  meetings.erase(meetings.begin() + static_cast<std::ptrdiff_t>(position));
  return dissolved;
}

void Collectives::Drop(int64_t ticket) {
  answers_.erase(ticket);
  Meeting dissolved = Dissolve(ticket);
  const auto gone = AttemptOf(dissolved, ticket);
  if (gone == dissolved.end()) return;
  const LineAnswer answer = {Status(Code::kCancelled, WhoHasGone(gone->member))};
  dissolved.erase(gone);
  End(dissolved, answer);
}

bool Collectives::HasLimit(int64_t ticket) const {
  const auto [at, position] = Find(ticket);
  return at != meetings_.end() && IsLimited(AttemptOf(at->second[position], ticket)->member);
}

void Collectives::Expire(int64_t ticket) {
  const Meeting over = Dissolve(ticket);
  std::vector<CollectiveMember> members;
  for (const Attempt& attempt : over) members.push_back(attempt.member);
  const CollectiveMember& late = AttemptOf(over, ticket)->member;
  End(over, LineAnswer{Status(Code::kDeadlineExceeded, WhoIsThereInTime(late, members))});
}

}  // namespace plumb::reference
