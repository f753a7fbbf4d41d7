#include "mpi/collective/chain_reduce.h"

#include <utility>

#include "fastpath/cpu/lib/collective/met.h"
#include "fastpath/cpu/lib/half_convert.h"

namespace plumb::dist {

std::vector<HostRun> AlongMembers(int members) {
  std::vector<HostRun> links;
  for (int member = 0; member < members; ++member) links.push_back({member, 1});
  return links;
}

ChainReduce::ChainReduce(Brought& brought, int position, std::vector<HostRun> links)
    : PieceExchange(brought, position, links.back().first + links.back().members),
      links_(std::move(links)),
      size_(ElementSize(member_.dtype)),
      computed_size_(ElementSize(fast::cpu::ComputeType(member_.dtype))),
      cut_(member_.shape.elements(), static_cast<int64_t>(size_)),
      chunks_(static_cast<size_t>(cut_.count())),
      results_missing_(cut_.count()) {
  while (position >= links_[link_].first + links_[link_].members) ++link_;
  for (int chunk = 0; chunk < cut_.count(); ++chunk) {
    if (!IsMine(chunk)) continue;
    Chunk& own = chunks_[chunk];
    own.parts.resize(static_cast<size_t>(links_[link_].members));
    own.parts[position_ - links_[link_].first] = PartOf(brought.input, RangeOf(chunk));
    own.missing = links_[link_].members - (IsFirst() ? 1 : 0);
  }
}

ChainReduce::Range ChainReduce::RangeOf(int chunk, size_t element_size) const {
  return {static_cast<size_t>(cut_.begin(chunk)) * element_size,
          static_cast<size_t>(cut_.begin(chunk + 1)) * element_size};
}

ChainReduce::Next ChainReduce::First() {
  Next next;
  for (int chunk = 0; chunk < cut_.count(); ++chunk) {
    if (!IsMine(chunk)) {
      next.pieces.push_back({MergerOf(link_, chunk), false, chunk, PartOf(brought_.input, RangeOf(chunk))});
    } else if (chunks_[chunk].missing == 0 && IsFirst() && chunks_[chunk].parts.size() == 1 &&
               size_ == computed_size_) {
      next.pieces.push_back({MergerOf(1, chunk), false, chunk, std::exchange(chunks_[chunk].parts, {})[0]});
    } else if (chunks_[chunk].missing == 0) {
      next.merges.push_back(chunk);
    }
  }
  return next;
}

int ChainReduce::SenderOfResult(int chunk) const {
  if (!IsMine(chunk)) return MergerOf(link_, chunk);
  if (IsLast()) return -1;
  return MergerOf(IsFirst() ? static_cast<int>(links_.size()) - 1 : link_ - 1, chunk);
}

void ChainReduce::Check(int from, bool is_result, int chunk, size_t bytes) const {
  RequirePiece(chunk >= 0 && chunk < cut_.count(), from, chunk);
  const Chunk& known = chunks_[chunk];
  if (is_result) {
    RequirePiece(from >= 0 && from == SenderOfResult(chunk) && !known.has_result, from, chunk);
    return RequireBytes(bytes, RangeOf(chunk).bytes());
  }
  const int of_link = from - links_[link_].first;
  const bool is_part = IsMine(chunk) && of_link >= 0 && of_link < static_cast<int>(known.parts.size()) &&
                       known.parts[of_link].data == nullptr;
  const bool is_before =
      IsMine(chunk) && !IsFirst() && from == MergerOf(link_ - 1, chunk) && known.before.data == nullptr;
  RequirePiece(known.missing > 0 && (is_part || is_before), from, chunk);
  RequireBytes(bytes, RangeOf(chunk, is_part ? size_ : computed_size_).bytes());
}

Place ChainReduce::PlaceFor(int from, bool is_result, int chunk, size_t bytes) {
  Check(from, is_result, chunk, bytes);
  return is_result ? PlaceAt(RangeOf(chunk)) : NewPlace(bytes);
}

ChainReduce::Next ChainReduce::Take(int from, bool is_result, int chunk, Payload payload) {
  Check(from, is_result, chunk, payload.bytes);
  Next next;
  Chunk& known = chunks_[chunk];
  if (is_result) {
    PutInto(PlaceAt(RangeOf(chunk)), payload);
    known.has_result = true;
    --results_missing_;
    PassOnResult(chunk, next);
    return next;
  }
  const bool is_part = from >= links_[link_].first;
  (is_part ? known.parts[from - links_[link_].first] : known.before) = std::move(payload);
  if (--known.missing == 0) next.merges.push_back(chunk);
  return next;
}

void ChainReduce::Merge(int chunk, fast::ThreadPool& pool) {
  Chunk& known = chunks_[chunk];
  std::vector<const void*> parts;
  for (const Payload& part : known.parts) parts.push_back(part.data);
  void* out = brought_.to + RangeOf(chunk).begin;
  if (!IsLast()) {
    // What came into a place of its own is this member's to change.
    known.sum = known.before.is_placed
                    ? Place{const_cast<void*>(known.before.data), std::const_pointer_cast<void>(known.before.owner)}
                    : NewPlace(RangeOf(chunk, computed_size_).bytes());
    out = known.sum.data;
  }
  const auto how = IsLast() ? fast::cpu::MergePart::kToTheEnd : fast::cpu::MergePart::kToSomewhere;
  fast::cpu::MergeInOrder(pool, member_, how, known.before.data, parts, out, cut_.size(chunk));
}

ChainReduce::Next ChainReduce::Merged(int chunk) {
  Next next;
  Chunk& known = chunks_[chunk];
  known.parts.clear();
  known.before = {};
  if (IsLast()) {
    known.has_result = true;
    --results_missing_;
    PassOnResult(chunk, next);
    return next;
  }
  const Place sum = std::exchange(known.sum, {});
  next.pieces.push_back(
      {MergerOf(link_ + 1, chunk), false, chunk, {sum.data, RangeOf(chunk, computed_size_).bytes(), sum.owner}});
  return next;
}

void ChainReduce::PassOnResult(int chunk, Next& next) const {
  if (!IsMine(chunk)) return;
  const auto send = [&](int to) { next.pieces.push_back({to, true, chunk, PartOf(brought_.result, RangeOf(chunk))}); };
  const auto links = static_cast<int>(links_.size());
  if (IsLast() && links > 1) send(MergerOf(0, chunk));
  if (link_ + 2 < links) send(MergerOf(link_ + 1, chunk));
  for (int other = links_[link_].first; other < links_[link_].first + links_[link_].members; ++other) {
    if (other != position_) send(other);
  }
}

}  // namespace plumb::dist
