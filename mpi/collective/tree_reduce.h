// A tensor that is reduced along trees (rule CO3), a binomial one for each chunk, whose root is another member each
// time. Inputs are gathered on the way to the root, which alone has all that the members' order begins with, and
// merges; the result spreads along the same tree. Each chunk is two messages for each member but its root, and twice as
// many steps on its way as the number of members has binary digits. All to all has fewer bytes to send, and more
// messages.
#pragma once

#include <vector>

#include "mpi/collective/piece_exchange.h"

namespace plumb::dist {

class TreeReduce final : public PieceExchange {
 public:
  TreeReduce(Brought& brought, int position, int members);

  Next First() override;
  Place PlaceFor(int from, bool is_result, int chunk, size_t bytes) override;
  Next Take(int from, bool is_result, int chunk, Payload payload) override;
  void Merge(int chunk, fast::ThreadPool& pool) override;
  Next Merged(int chunk) override;
  bool IsOver() const override { return results_missing_ == 0; }

 private:
  struct Chunk {
    Place gathered;              // inputs of this member and of all below it, where there are any below
    std::vector<bool> has_come;  // of those just below, by their position
    int missing = 0;             // of the same
    bool has_result = false;
  };
  // Members are numbered from the root of the chunk's tree on; their numbers' lowest bits say how they hang together.
  int NumberOf(int position, int chunk) const;
  int PositionOf(int number, int chunk) const;
  // How many members the tree has from this one down.
  int Below(int number) const;
  std::vector<int> Children(int number) const;
  int Parent(int number) const { return number & (number - 1); }

  Range RangeOf(int chunk) const;
  void Check(int from, bool is_result, int chunk, size_t bytes) const;
  // Where a child's inputs lie among those that are gathered.
  Place PlaceOfInputs(int child, int chunk);
  Payload Gathered(int chunk) const;
  void PassOnResult(int chunk, Next& next) const;

  const size_t size_;
  const Chunks cut_;
  std::vector<Chunk> chunks_;
  int results_missing_;
};

}  // namespace plumb::dist
