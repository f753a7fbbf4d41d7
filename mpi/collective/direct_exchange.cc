#include "mpi/collective/direct_exchange.h"

#include <cstring>
#include <utility>

#include "fastpath/device/kernel.h"

namespace plumb::dist {
namespace {

constexpr int64_t kLargestForKeeper = 32 * 1024;  // bytes

}  // namespace

bool GoesToKeeper(const CollectiveMember& member) {
  return member.shape.elements() <= kLargestForKeeper / static_cast<int64_t>(ElementSize(member.dtype));
}

DirectExchange::DirectExchange(const CollectiveMember& member, Tensor input)
    : member_(member), input_(std::move(input)) {
  if (member.kind == CollectiveKind::kBroadcast && member.sends) {
    result_ = input_;
    return;
  }
  const bool gathers = member.kind == CollectiveKind::kGather;
  result_ = fast::Allocate(member.dtype, gathers ? fast::cpu::GatheredShape(member) : member.shape);
  to_ = static_cast<char*>(result_.mutable_raw());
}

bool DirectExchange::Begin(int position, int members) {
  position_ = position;
  members_ = members;
  if (member_.kind == CollectiveKind::kReduce) {
    parts_.resize(static_cast<size_t>(members));
    parts_[position] = PartOf(input_, RangeOf(position));
    parts_missing_ = members - 1;
    results_missing_ = members;  // the own one too
  } else if (member_.kind == CollectiveKind::kGather) {
    const Range own = RangeOf(position);
    std::memcpy(to_ + own.begin, input_.raw(), input_.bytes());
    results_missing_ = members - 1;
  } else {
    results_missing_ = member_.sends ? 0 : 1;
  }
  return member_.kind == CollectiveKind::kReduce && parts_missing_ == 0;
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

Payload DirectExchange::PartOf(const Tensor& tensor, const Range& range) const {
  Payload payload = PayloadOf(tensor);
  payload.data = static_cast<const char*>(payload.data) + range.begin;
  payload.bytes = range.end - range.begin;
  return payload;
}

std::vector<DirectExchange::Outgoing> DirectExchange::First() const {
  std::vector<Outgoing> pieces;
  if (!member_.BringsInput()) return pieces;
  const bool reduces = member_.kind == CollectiveKind::kReduce;
  for (int to = 0; to < members_; ++to) {
    if (to != position_) pieces.push_back({to, !reduces, reduces ? PartOf(input_, RangeOf(to)) : PayloadOf(input_)});
  }
  return pieces;
}

void DirectExchange::Check(int from, size_t bytes, const Range& range) const {
  Require(from >= 0 && from < members_ && from != position_, "a piece of ", MeetingName(member_),
          " comes from its member ", from, " of ", members_);
  Require(bytes == range.end - range.begin, "a piece of ", MeetingName(member_), " has ", bytes, " bytes in place of ",
          range.end - range.begin);
}

Place DirectExchange::PlaceOfResult(int from, size_t bytes) {
  const Range range = RangeOf(from);
  Check(from, bytes, range);
  Require(to_ != nullptr, "a result comes to the sender of ", MeetingName(member_));
  return {to_ + range.begin, std::make_shared<Tensor>(result_)};
}

bool DirectExchange::Take(int from, bool is_result, Payload payload) {
  if (is_result) {
    const Place place = PlaceOfResult(from, payload.bytes);
    if (!payload.is_placed || payload.data != place.data) std::memcpy(place.data, payload.data, payload.bytes);
    --results_missing_;
    return false;
  }
  Require(member_.kind == CollectiveKind::kReduce, "nothing is merged in ", MeetingName(member_));
  Check(from, payload.bytes, RangeOf(position_));
  Require(parts_[from].data == nullptr, "a piece of ", MeetingName(member_), " comes twice");
  parts_[from] = std::move(payload);
  return --parts_missing_ == 0;
}

void DirectExchange::Merge(fast::ThreadPool& pool) {
  const Range own = RangeOf(position_);
  std::vector<const void*> parts;
  for (const Payload& part : parts_) parts.push_back(part.data);
  const auto elements = static_cast<int64_t>((own.end - own.begin) / ElementSize(member_.dtype));
  fast::cpu::MergeInOrder(pool, member_, parts, to_ + own.begin, elements);
}

std::vector<DirectExchange::Outgoing> DirectExchange::Merged() {
  parts_.clear();
  --results_missing_;
  std::vector<Outgoing> pieces;
  for (int to = 0; to < members_; ++to) {
    if (to != position_) pieces.push_back({to, true, PartOf(result_, RangeOf(position_))});
  }
  return pieces;
}

}  // namespace plumb::dist
