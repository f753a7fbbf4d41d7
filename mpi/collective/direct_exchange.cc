#include "mpi/collective/direct_exchange.h"

#include <cstring>
#include <utility>

#include "fastpath/cpu/lib/collective/met.h"

namespace plumb::dist {
namespace {

constexpr int64_t kLargestForKeeper = 32 * 1024;  // bytes

}  // namespace

bool GoesToKeeper(const CollectiveMember& member) {
  return member.shape.elements() <= kLargestForKeeper / static_cast<int64_t>(ElementSize(member.dtype));
}

DirectExchange::DirectExchange(Brought& brought, int position, int members)
    : PieceExchange(brought, position, members), has_result_(static_cast<size_t>(members)) {
  if (member_.kind == CollectiveKind::kReduce) {
    parts_.resize(static_cast<size_t>(members));
    parts_[position] = PartOf(brought.input, RangeOf(position));
    parts_missing_ = members - 1;
    results_missing_ = members;  // the own one too
  } else if (member_.kind == CollectiveKind::kGather) {
    std::memcpy(brought.to + RangeOf(position).begin, brought.input.raw(), brought.input.bytes());
    results_missing_ = members - 1;
  } else {
    results_missing_ = member_.sends ? 0 : 1;
  }
}

DirectExchange::Range DirectExchange::RangeOf(int from) const {
  const auto size = static_cast<int64_t>(ElementSize(member_.dtype));
  const int64_t elements = member_.shape.elements();
  if (member_.kind == CollectiveKind::kBroadcast) return {0, static_cast<size_t>(elements * size)};
  if (member_.kind == CollectiveKind::kGather) {
    return {static_cast<size_t>(from * elements * size), static_cast<size_t>((from + 1) * elements * size)};
  }
  // Quotient and rest apart, so that no product overflows.
  const auto bound = [&](int64_t i) { return elements / members_ * i + elements % members_ * i / members_; };
  return {static_cast<size_t>(bound(from) * size), static_cast<size_t>(bound(from + 1) * size)};
}

DirectExchange::Next DirectExchange::First() {
  Next next;
  const bool reduces = member_.kind == CollectiveKind::kReduce;
  if (reduces && parts_missing_ == 0) next.merges.push_back(0);
  if (!member_.BringsInput()) return next;
  for (int to = 0; to < members_; ++to) {
    if (to == position_) continue;
    next.pieces.push_back({to, !reduces, 0, reduces ? PartOf(brought_.input, RangeOf(to)) : PayloadOf(brought_.input)});
  }
  return next;
}

void DirectExchange::Check(int from, int chunk, size_t bytes, const Range& range) const {
  RequirePiece(from >= 0 && from < members_ && from != position_ && chunk == 0, from, chunk);
  RequireBytes(bytes, range.bytes());
}

Place DirectExchange::PlaceOfResult(int from, int chunk, size_t bytes) const {
  const Range range = RangeOf(from);
  Check(from, chunk, bytes, range);
  RequirePiece(!has_result_[from], from, chunk);
  Require(brought_.to != nullptr, "a result comes to the sender of ", MeetingName(member_));
  return PlaceAt(range);
}

Place DirectExchange::PlaceFor(int from, bool is_result, int chunk, size_t bytes) {
  if (is_result) return PlaceOfResult(from, chunk, bytes);
  CheckPart(from, chunk, bytes);
  return NewPlace(bytes);
}

void DirectExchange::CheckPart(int from, int chunk, size_t bytes) const {
  Require(member_.kind == CollectiveKind::kReduce, "nothing is merged in ", MeetingName(member_));
  Check(from, chunk, bytes, RangeOf(position_));
  RequirePiece(!parts_.empty() && parts_[from].data == nullptr, from, chunk);
}

DirectExchange::Next DirectExchange::Take(int from, bool is_result, int chunk, Payload payload) {
  if (is_result) {
    PutInto(PlaceOfResult(from, chunk, payload.bytes), payload);
    has_result_[from] = true;
    --results_missing_;
    return {};
  }
  CheckPart(from, chunk, payload.bytes);
  parts_[from] = std::move(payload);
  if (--parts_missing_ > 0) return {};
  return {{}, {0}};
}

void DirectExchange::Merge(int, fast::ThreadPool& pool) {
  const Range own = RangeOf(position_);
  std::vector<const void*> parts;
  for (const Payload& part : parts_) parts.push_back(part.data);
  const auto elements = static_cast<int64_t>(own.bytes() / ElementSize(member_.dtype));
  fast::cpu::MergeInOrder(pool, member_, parts, brought_.to + own.begin, elements);
}

DirectExchange::Next DirectExchange::Merged(int) {
  parts_.clear();
  --results_missing_;
  Next next;
  for (int to = 0; to < members_; ++to) {
    if (to != position_) next.pieces.push_back({to, true, 0, PartOf(brought_.result, RangeOf(position_))});
  }
  return next;
}

}  // namespace plumb::dist
