#include "mpi/collective/tree_reduce.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "fastpath/cpu/lib/collective/met.h"

namespace plumb::dist {

TreeReduce::TreeReduce(Brought& brought, int position, int members)
    : PieceExchange(brought, position, members),
      size_(ElementSize(member_.dtype)),
      cut_(member_.shape.elements(), static_cast<int64_t>(size_)),
      chunks_(static_cast<size_t>(cut_.count())),
      results_missing_(cut_.count()) {
  for (int chunk = 0; chunk < cut_.count(); ++chunk) {
    chunks_[chunk].missing = static_cast<int>(Children(NumberOf(position_, chunk)).size());
    chunks_[chunk].has_come.resize(static_cast<size_t>(members));
  }
}

int TreeReduce::NumberOf(int position, int chunk) const { return (position - chunk % members_ + members_) % members_; }
int TreeReduce::PositionOf(int number, int chunk) const { return (number + chunk % members_) % members_; }

int TreeReduce::Below(int number) const {
  return number == 0 ? members_ : std::min(number & -number, members_ - number);
}

std::vector<int> TreeReduce::Children(int number) const {
  std::vector<int> children;
  for (int bit = 1; bit < Below(number); bit *= 2) children.push_back(number + bit);
  return children;
}

TreeReduce::Range TreeReduce::RangeOf(int chunk) const {
  return {static_cast<size_t>(cut_.begin(chunk)) * size_, static_cast<size_t>(cut_.begin(chunk + 1)) * size_};
}

TreeReduce::Next TreeReduce::First() {
  Next next;
  for (int chunk = 0; chunk < cut_.count(); ++chunk) {
    const int number = NumberOf(position_, chunk);
    const Payload own = PartOf(brought_.input, RangeOf(chunk));
    if (chunks_[chunk].missing == 0) {
      next.pieces.push_back({PositionOf(Parent(number), chunk), false, chunk, own});
    } else {
      std::memcpy(PlaceOfInputs(number, chunk).data, own.data, own.bytes);
    }
  }
  return next;
}

void TreeReduce::Check(int from, bool is_result, int chunk, size_t bytes) const {
  RequirePiece(from >= 0 && from < members_ && chunk >= 0 && chunk < cut_.count(), from, chunk);
  const Chunk& known = chunks_[chunk];
  const int own = NumberOf(position_, chunk), number = NumberOf(from, chunk);
  const size_t each = RangeOf(chunk).bytes();
  if (is_result) {
    RequirePiece(own != 0 && number == Parent(own) && !known.has_result, from, chunk);
    return RequireBytes(bytes, each);
  }
  RequirePiece(number != 0 && number != own && Parent(number) == own && !known.has_come[from], from, chunk);
  RequireBytes(bytes, each * static_cast<size_t>(Below(number)));
}

Place TreeReduce::PlaceOfInputs(int child, int chunk) {
  Place& gathered = chunks_[chunk].gathered;
  const int own = NumberOf(position_, chunk);
  const size_t each = RangeOf(chunk).bytes();
  if (gathered.data == nullptr) gathered = NewPlace(each * static_cast<size_t>(Below(own)));
  return {static_cast<char*>(gathered.data) + each * static_cast<size_t>(child - own), gathered.owner};
}

Place TreeReduce::PlaceFor(int from, bool is_result, int chunk, size_t bytes) {
  Check(from, is_result, chunk, bytes);
  return is_result ? PlaceAt(RangeOf(chunk)) : PlaceOfInputs(NumberOf(from, chunk), chunk);
}

Payload TreeReduce::Gathered(int chunk) const {
  const Place& gathered = chunks_[chunk].gathered;
  const auto members = static_cast<size_t>(Below(NumberOf(position_, chunk)));
  return {gathered.data, members * RangeOf(chunk).bytes(), gathered.owner};
}

TreeReduce::Next TreeReduce::Take(int from, bool is_result, int chunk, Payload payload) {
  Check(from, is_result, chunk, payload.bytes);
  Next next;
  Chunk& known = chunks_[chunk];
  if (is_result) {
    PutInto(PlaceAt(RangeOf(chunk)), payload);
    known.has_result = true;
    known.gathered = {};
    --results_missing_;
    PassOnResult(chunk, next);
    return next;
  }
  PutInto(PlaceOfInputs(NumberOf(from, chunk), chunk), payload);
  known.has_come[from] = true;
  if (--known.missing > 0) return next;
  const int own = NumberOf(position_, chunk);
  if (own == 0) {
    next.merges.push_back(chunk);
  } else {
    next.pieces.push_back({PositionOf(Parent(own), chunk), false, chunk, Gathered(chunk)});
  }
  return next;
}

void TreeReduce::Merge(int chunk, fast::ThreadPool& pool) {
  const Range range = RangeOf(chunk);
  const auto* const gathered = static_cast<const char*>(chunks_[chunk].gathered.data);
  std::vector<const void*> parts;
  for (int position = 0; position < members_; ++position) {
    parts.push_back(gathered + range.bytes() * static_cast<size_t>(NumberOf(position, chunk)));
  }
  fast::cpu::MergeInOrder(pool, member_, parts, brought_.to + range.begin, cut_.size(chunk));
}

TreeReduce::Next TreeReduce::Merged(int chunk) {
  Next next;
  chunks_[chunk].gathered = {};
  chunks_[chunk].has_result = true;
  --results_missing_;
  PassOnResult(chunk, next);
  return next;
}

void TreeReduce::PassOnResult(int chunk, Next& next) const {
  for (const int child : Children(NumberOf(position_, chunk))) {
    next.pieces.push_back({PositionOf(child, chunk), true, chunk, PartOf(brought_.result, RangeOf(chunk))});
  }
}

}  // namespace plumb::dist
