// A tensor that is reduced along a chain (rule CO3), chunk by chunk, so that all links of the chain work at once. A
// link is a host: the members that follow each other there hand a chunk's inputs to one of them, which takes turns, and
// that one merges them into what the links before have come to. The last link has the result; it goes on from there to
// the first one, and along the chain again. So sums are those of the members' order, and between two hosts every
// element passes twice at most, however many members they have.
//
// Links of one member each make a ring. Its traffic is that of the ring whose chunks begin at each member in turn,
// which would add in another order for each chunk.
#pragma once

#include <vector>

#include "mpi/collective/piece_exchange.h"

namespace plumb::dist {

// A link for each member.
std::vector<HostRun> AlongMembers(int members);

class ChainReduce final : public PieceExchange {
 public:
  // `links`: of all members in their order; at least two members.
  ChainReduce(Brought& brought, int position, std::vector<HostRun> links);

  Next First() override;
  Place PlaceFor(int from, bool is_result, int chunk, size_t bytes) override;
  Next Take(int from, bool is_result, int chunk, Payload payload) override;
  void Merge(int chunk, fast::ThreadPool& pool) override;
  Next Merged(int chunk) override;
  bool IsOver() const override { return results_missing_ == 0; }

 private:
  // A chunk that is on its way; the member merges it where it is the one of its link that does.
  struct Chunk {
    std::vector<Payload> parts;  // of the link's members
    Payload before;              // what the links before have come to, of the type that is computed in
    Place sum;                   // the same with this link
    int missing = 0;             // parts, and what comes from before
    bool has_result = false;
  };
  // The member that merges a chunk on a link.
  int MergerOf(int link, int chunk) const { return links_[link].first + chunk % links_[link].members; }
  bool IsMine(int chunk) const { return MergerOf(link_, chunk) == position_; }
  bool IsFirst() const { return link_ == 0; }
  bool IsLast() const { return link_ + 1 == static_cast<int>(links_.size()); }
  // From whom the result of a chunk comes; negative where this member makes it.
  int SenderOfResult(int chunk) const;
  Range RangeOf(int chunk, size_t element_size) const;
  Range RangeOf(int chunk) const { return RangeOf(chunk, size_); }
  void Check(int from, bool is_result, int chunk, size_t bytes) const;
  // To the others of the link, and to the next one.
  void PassOnResult(int chunk, Next& next) const;

  const std::vector<HostRun> links_;
  int link_ = 0;  // that this member is of
  const size_t size_, computed_size_;
  const Chunks cut_;
  std::vector<Chunk> chunks_;
  int results_missing_;
};

}  // namespace plumb::dist
