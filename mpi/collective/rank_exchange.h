// The exchange of a rank: its members meet those of other ranks (rules CO1–CO6).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fastpath/cpu/lib/collective/exchange.h"
#include "mpi/collective/deadlines.h"
#include "mpi/collective/direct_exchange.h"
#include "mpi/collective/meeting_keeper.h"
#include "mpi/collective/meeting_rooms.h"
#include "mpi/collective/merge_lane.h"
#include "mpi/collective/on_the_wire.h"
#include "mpi/collective/piece_exchange.h"
#include "mpi/collective/roll.h"
#include "mpi/collective/shared_lane.h"
#include "mpi/protocol/collective_messages.h"
#include "mpi/protocol/post.h"
#include "spec/core/thread_annotations.h"

namespace plumb::dist {

class RankExchange : public fast::cpu::CollectiveExchange, public std::enable_shared_from_this<RankExchange> {
 public:
  // `task`: of this rank. `devices`: how many each rank has. `wire`: how what is reduced travels.
  RankExchange(Post& post, fast::ThreadPool& pool, std::string task, int devices, fast::Wire wire = fast::Wire::kExact)
      : task_(std::move(task)),
        wire_(wire),
        post_(post),
        pool_(pool),
        keeper_(std::make_shared<MeetingKeeper>(post, devices)),
        rooms_(post),
        merges_(pool, /*has_thread=*/!post.transport().HasOwnTime()),
        lane_(pool, /*has_thread=*/!post.transport().HasOwnTime()) {}

  std::string_view task() const override { return task_; }
  int64_t Join(const void* step, const CollectiveMember& member, Tensor input, fast::ThreadPool& pool,
               Answer answer) override;
  void Leave(int64_t ticket) override;
  std::string Describe(int64_t ticket) override;

  // A step that has members begins here and ends. Where it failed, those who wait for members that it has not brought,
  // or that waited in vain, are told (rule CO6). A step in a loop has brought a member that came once.
  void BeginStep(const void* step);
  void EndStep(const void* step, const std::vector<CollectiveMember>& members, const Status& status);

  // From the transport's thread; they throw kInvalidArgument for what no rank sends.
  Place PlaceFor(const Piece& piece, size_t bytes);
  void Take(int from, const dist::Join& join, const Payload& payload) { keeper_->Take(from, join, payload, merges_); }
  void Take(int from, const Withdraw& withdraw) { keeper_->Take(from, withdraw); }
  void Take(int from, const Absent& absent) { keeper_->Take(from, absent); }
  void Take(const Met& met, const Payload& payload);
  void Take(const Piece& piece, Payload payload);
  void Take(const Room& room);
  // No client of the rank asks for anything any more, but it still serves others.
  void TakeDeparture(int rank);
  // The rank is gone.
  void Lose(int rank, const Status& status);
  // Where the transport has its own time: goes on with what is to do in memory that ranks share, one piece at a time;
  // false where nothing is.
  bool Advance() { return lane_.Advance(); }
  // Nobody meets any more. Before the last owner lets go.
  void Stop() {
    deadlines_.Stop();
    merges_.Stop();
    lane_.Stop();
  }

 private:
  struct Attempt {
    const void* step = nullptr;  // that it is of
    CollectiveMember member;
    Answer answer;                                 // null once nobody asks any more
    std::shared_ptr<Brought> brought;              // of a large tensor
    std::shared_ptr<PieceExchange> pieces;         // of the same, once all have come, where they send each other pieces
    std::vector<Met::Seat> seats;                  // of the same, once all have come
    int position = 0;                              // among them
    Way way = Way::kAllToAll;                      // that it takes
    std::vector<std::pair<Piece, Payload>> early;  // that came before
    std::optional<int> room;                       // once the first member has said it; negative: they send pieces
    std::shared_ptr<SharedReduce> shared;          // in that room
    Deadlines::Clock::time_point deadline = Deadlines::kNever;  // CO7, until it has been late
  };
  using Attempts = std::map<int64_t, Attempt>;
  // What is done once the lock is released.
  struct Todo {
    std::vector<std::pair<Met::Seat, PieceExchange::Outgoing>> pieces;
    std::vector<int> merges;  // of these chunks
    int position = 0;
    std::vector<std::pair<Met::Seat, int>> rooms;  // who is told which
    std::shared_ptr<SharedReduce> shared;
    std::shared_ptr<Brought> held;  // what it works on
    Answer answer;
    Status status;
    Tensor result;
  };

  int KeeperOf(const CollectiveMember& member) const;
  int64_t JoinAsItIs(const void* step, const CollectiveMember& member, Tensor input, Answer answer);
  void Begin(Attempts::iterator at, const Met& met, Todo& todo) PLUMB_REQUIRES(mutex_);
  void Start(Attempts::iterator at, Todo& todo) PLUMB_REQUIRES(mutex_);
  bool StartShared(Attempt& attempt, Todo& todo) PLUMB_REQUIRES(mutex_);
  void StartPieces(Attempts::iterator at, Todo& todo) PLUMB_REQUIRES(mutex_);
  // By position, for WayOf.
  std::vector<int> HostsOf(const std::vector<Met::Seat>& seats) const;
  void EndIfOver(Attempts::iterator at, Todo& todo) PLUMB_REQUIRES(mutex_);
  static void Put(PieceExchange::Next next, const Attempt& attempt, Todo& todo);
  void Do(int64_t ticket, Todo& todo);
  void Merge(int64_t ticket, int chunk);
  // An attempt has found no memory: all of its meeting are told, who need what it would have sent.
  void Fail(int64_t ticket, const Status& status);
  void EndShared(int64_t ticket);
  // CO7: tells the keepers of attempts that have waited too long; when the next one will have.
  Deadlines::Clock::time_point EndLate();

  const std::string task_;
  const fast::Wire wire_;
  Post& post_;
  fast::ThreadPool& pool_;
  const std::shared_ptr<MeetingKeeper> keeper_;
  Mutex mutex_;
  int64_t next_ PLUMB_GUARDED_BY(mutex_) = 1;
  Attempts attempts_ PLUMB_GUARDED_BY(mutex_);
  std::map<int, Status> lost_ PLUMB_GUARDED_BY(mutex_);
  MeetingRooms rooms_ PLUMB_GUARDED_BY(mutex_);
  Roll roll_ PLUMB_GUARDED_BY(mutex_);
  MergeLane merges_;
  SharedLane lane_;
  Deadlines deadlines_{[this] { return EndLate(); }};
};

}  // namespace plumb::dist
