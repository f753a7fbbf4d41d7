// All to all (rules CO3–CO5): what is reduced is cut into as many chunks as there are members, each of which merges one
// for all; what is gathered or broadcast goes from those who have it to all others.
#pragma once

#include <vector>

#include "mpi/collective/piece_exchange.h"

namespace plumb::dist {

class DirectExchange final : public PieceExchange {
 public:
  DirectExchange(Brought& brought, int position, int members);

  Next First() override;
  Place PlaceFor(int from, bool is_result, int chunk, size_t bytes) override;
  Next Take(int from, bool is_result, int chunk, Payload payload) override;
  void Merge(int chunk, fast::ThreadPool& pool) override;
  Next Merged(int chunk) override;
  bool IsOver() const override { return results_missing_ == 0; }

 private:
  // Which part of the result the member at `from` sends.
  Range RangeOf(int from) const;
  void Check(int from, int chunk, size_t bytes, const Range& range) const;
  void CheckPart(int from, int chunk, size_t bytes) const;
  Place PlaceOfResult(int from, int chunk, size_t bytes) const;

  std::vector<Payload> parts_;    // of the own chunk, by position
  std::vector<bool> has_result_;  // by position
  int parts_missing_ = 0;
  int results_missing_ = 0;
};

// Whether what such a member brings goes to the keeper of its meeting, which computes for all.
bool GoesToKeeper(const CollectiveMember& member);

}  // namespace plumb::dist
