// A large tensor on its way between the members of a meeting (rules CO3–CO5): which pieces a member sends, and what
// becomes of those that come. Messages and locks are the owner's business.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "fastpath/device/thread_pool.h"
#include "mpi/collective/ways.h"
#include "mpi/transport/transport.h"
#include "spec/core/tensor.h"
#include "spec/ops/collective_member.h"

namespace plumb::dist {

// What a member brings, where it brings something, and the memory of what comes of it.
struct Brought {
  // Throws kResourceExhausted where there is no room for the result.
  Brought(const CollectiveMember& member, Tensor input);

  const CollectiveMember member;
  const Tensor input;
  Tensor result;
  char* to = nullptr;  // the memory of the result, where it is not the input
};

class PieceExchange {
 public:
  struct Outgoing {
    int to;  // position
    bool is_result;
    int chunk;
    Payload payload;
  };
  // What is to be done next.
  struct Next {
    std::vector<Outgoing> pieces;
    std::vector<int> merges;  // chunks whose parts are all there
  };

  // For the member at `position` among `members`, in the order of CO3; all have come. `brought` outlives this.
  PieceExchange(Brought& brought, int position, int members);
  virtual ~PieceExchange() = default;
  PieceExchange(const PieceExchange&) = delete;
  PieceExchange& operator=(const PieceExchange&) = delete;

  int position() const { return position_; }

  // What this member begins with. Before all that follows.
  virtual Next First() = 0;
  // Where the payload of a piece from the member at `from` belongs; throws kInvalidArgument for one that nobody sends.
  virtual Place PlaceFor(int from, bool is_result, int chunk, size_t bytes) = 0;
  // A piece has come; throws as PlaceFor.
  virtual Next Take(int from, bool is_result, int chunk, Payload payload) = 0;
  // Of a chunk that is to be merged. Pieces of others may come meanwhile, and other chunks be merged.
  virtual void Merge(int chunk, fast::ThreadPool& pool) = 0;
  // That is done.
  virtual Next Merged(int chunk) = 0;
  // The result is there, and all that others need of this member has been given out.
  virtual bool IsOver() const = 0;

 protected:
  struct Range {
    size_t begin, end;  // in bytes
    size_t bytes() const { return end - begin; }
  };
  // Throws kInvalidArgument.
  void RequirePiece(bool is_expected, int from, int chunk) const;
  void RequireBytes(size_t bytes, size_t wanted) const;
  static Payload PartOf(const Tensor& tensor, const Range& range);
  // In the result.
  Place PlaceAt(const Range& range) const;
  // Puts a payload where it belongs, unless it came there.
  static void PutInto(const Place& place, const Payload& payload);

  Brought& brought_;
  const CollectiveMember& member_;
  const int position_, members_;
};

// `hosts`: as WayOf has them. Not for Way::kRoom.
std::unique_ptr<PieceExchange> NewExchange(Way way, Brought& brought, int position, std::span<const int> hosts);

}  // namespace plumb::dist
