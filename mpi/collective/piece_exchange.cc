#include "mpi/collective/piece_exchange.h"

#include <cstring>
#include <utility>

#include "fastpath/cpu/lib/collective/met.h"
#include "fastpath/device/kernel.h"
#include "mpi/collective/chain_reduce.h"
#include "mpi/collective/direct_exchange.h"
#include "mpi/collective/tree_reduce.h"

namespace plumb::dist {

Brought::Brought(const CollectiveMember& of, Tensor brings) : member(of), input(std::move(brings)) {
  if (member.kind == CollectiveKind::kBroadcast && member.sends) {
    result = input;
    return;
  }
  const bool gathers = member.kind == CollectiveKind::kGather;
  result = fast::Allocate(member.dtype, gathers ? fast::cpu::GatheredShape(member) : member.shape);
  to = static_cast<char*>(result.mutable_raw());
}

PieceExchange::PieceExchange(Brought& brought, int position, int members)
    : brought_(brought), member_(brought.member), position_(position), members_(members) {}

void PieceExchange::RequirePiece(bool is_expected, int from, int chunk) const {
  Require(is_expected, "a piece of ", MeetingName(member_), " (chunk ", chunk, ") comes from its member ", from, " of ",
          members_, ", which does not send it, or sends it twice");
}

void PieceExchange::RequireBytes(size_t bytes, size_t wanted) const {
  Require(bytes == wanted, "a piece of ", MeetingName(member_), " has ", bytes, " bytes in place of ", wanted);
}

Payload PieceExchange::PartOf(const Tensor& tensor, const Range& range) {
  Payload payload = PayloadOf(tensor);
  payload.data = static_cast<const char*>(payload.data) + range.begin;
  payload.bytes = range.bytes();
  return payload;
}

Place PieceExchange::PlaceAt(const Range& range) const {
  return {brought_.to + range.begin, std::make_shared<Tensor>(brought_.result)};
}

void PieceExchange::PutInto(const Place& place, const Payload& payload) {
  if (!payload.is_placed || payload.data != place.data) std::memcpy(place.data, payload.data, payload.bytes);
}

std::unique_ptr<PieceExchange> NewExchange(Way way, Brought& brought, int position, std::span<const int> hosts) {
  const auto members = static_cast<int>(hosts.size());
  switch (way) {
    case Way::kRing:
      return std::make_unique<ChainReduce>(brought, position, AlongMembers(members));
    case Way::kHosts:
      return std::make_unique<ChainReduce>(brought, position, HostRuns(hosts));
    case Way::kTree:
      return std::make_unique<TreeReduce>(brought, position, members);
    case Way::kAllToAll:
    case Way::kRoom:
      break;
  }
  return std::make_unique<DirectExchange>(brought, position, members);
}

}  // namespace plumb::dist
