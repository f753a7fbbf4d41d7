// A large tensor on its way between the members of a meeting (rules CO3–CO5): which pieces a member sends, and what
// becomes of those that come. Messages and locks are the owner's business.
#pragma once

#include <vector>

#include "fastpath/cpu/lib/collective/met.h"
#include "mpi/transport/transport.h"

namespace plumb::dist {

class DirectExchange {
 public:
  // `input` is set where the member brings one. Throws kResourceExhausted where there is no room for the result.
  DirectExchange(const CollectiveMember& member, Tensor input);

  // All have come; this member is at `position` among `members`, in the order of CO3. True: it is time to Merge.
  bool Begin(int position, int members);
  bool has_begun() const { return position_ >= 0; }
  int position() const { return position_; }

  struct Outgoing {
    int to;  // position
    bool is_result;
    Payload payload;
  };
  // What this member sends first.
  std::vector<Outgoing> First() const;
  // Where the payload of a result from the member at `from` belongs; throws kInvalidArgument for one that does not fit.
  Place PlaceOfResult(int from, size_t bytes);
  // A piece has come from the member at `from`; throws as PlaceOfResult. True: all parts of the own chunk are there,
  // and it is time to Merge.
  bool Take(int from, bool is_result, Payload payload);
  // Merges the own chunk. Nothing else of this object is touched meanwhile but PlaceOfResult and Take of results.
  void Merge(fast::ThreadPool& pool);
  // Of the own chunk, when it is merged.
  std::vector<Outgoing> Merged();

  bool IsOver() const { return has_begun() && results_missing_ == 0; }
  const Tensor& input() const { return input_; }
  const Tensor& result() const { return result_; }
  // Of the result that is reduced.
  void* to() const { return to_; }

 private:
  struct Range {
    size_t begin, end;  // in bytes
  };
  // Which part of the result the member at `from` sends.
  Range RangeOf(int from) const;
  void Check(int from, size_t bytes, const Range& range) const;
  Payload PartOf(const Tensor& tensor, const Range& range) const;

  const CollectiveMember member_;
  const Tensor input_;
  Tensor result_;
  char* to_ = nullptr;  // the memory of the result, where it is not the input
  int position_ = -1;
  int members_ = 0;
  std::vector<Payload> parts_;  // of the own chunk, by position
  int parts_missing_ = 0;
  int results_missing_ = 0;
};

// Whether what such a member brings goes to the keeper of its meeting, which computes for all.
bool GoesToKeeper(const CollectiveMember& member);

}  // namespace plumb::dist
