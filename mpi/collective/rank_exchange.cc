#include "mpi/collective/rank_exchange.h"

#include <algorithm>

#include "fastpath/cpu/lib/collective/met.h"
#include "fastpath/session/guard.h"

namespace plumb::dist {

void RankExchange::Take(const Met& met, const Payload& payload) {
  Todo todo;
  {
    MutexLock lock(mutex_);
    const auto at = attempts_.find(met.ticket);
    if (at == attempts_.end()) return;
    Attempt& attempt = at->second;
    if (met.status.ok() && !met.has_result) {
      Begin(at, met, todo);
    } else {
      todo.status = met.status;
      if (met.status.ok()) {
        const bool gathers = attempt.member.kind == CollectiveKind::kGather;
        const Shape shape = gathers ? fast::cpu::GatheredShape(attempt.member) : attempt.member.shape;
        todo.result = TensorOf(payload, attempt.member.dtype, shape);
      }
      todo.answer = std::move(attempt.answer);
      attempts_.erase(at);
    }
  }
  Do(met.ticket, todo);
}

// A large tensor: all have come.
void RankExchange::Begin(Attempts::iterator at, const Met& met, Todo& todo) {
  Attempt& attempt = at->second;
  const auto own = std::find_if(met.seats.begin(), met.seats.end(), [&](const Met::Seat& seat) {
    return seat.rank == post_.rank() && seat.ticket == met.ticket;
  });
  Require(attempt.brought != nullptr && own != met.seats.end() && attempt.seats.empty(), MeetingName(attempt.member),
          " begins on another rank without its member here");
  for (const Met::Seat& seat : met.seats) {
    Require(seat.rank >= 0 && seat.rank < post_.size(), "a member of ", MeetingName(attempt.member), " is on rank ",
            seat.rank);
    const auto lost = lost_.find(seat.rank);
    if (lost == lost_.end()) continue;
    todo.status = lost->second;
    todo.answer = std::move(attempt.answer);
    attempts_.erase(at);
    return;
  }
  attempt.seats = met.seats;
  attempt.position = static_cast<int>(own - met.seats.begin());
  CollectiveMember member = attempt.member;
  member.hint = HintOf(met.hint);
  attempt.way = WayOf(member, HostsOf(met.seats), rooms_.AreFor(met.seats));
  Start(at, todo);
}

void RankExchange::Take(const Room& room) {
  Todo todo;
  {
    MutexLock lock(mutex_);
    const auto at = attempts_.find(room.ticket);
    if (at == attempts_.end()) return;
    Attempt& attempt = at->second;
    Require(attempt.brought != nullptr && !attempt.room, MeetingName(attempt.member),
            " gets a room that it cannot use");
    attempt.room = room.room;
    if (!attempt.seats.empty()) Start(at, todo);
  }
  Do(room.ticket, todo);
}

std::vector<int> RankExchange::HostsOf(const std::vector<Met::Seat>& seats) const {
  std::map<std::string, int> numbers;
  std::vector<int> hosts;
  for (const Met::Seat& seat : seats) {
    hosts.push_back(numbers.emplace(post_.HostOf(seat.rank), static_cast<int>(numbers.size())).first->second);
  }
  return hosts;
}

// All have come; what may be missing is the first member's word where they meet.
void RankExchange::Start(Attempts::iterator at, Todo& todo) {
  if (at->second.way != Way::kRoom || !StartShared(at->second, todo)) StartPieces(at, todo);
}

// False where there is no room for them.
bool RankExchange::StartShared(Attempt& attempt, Todo& todo) {
  const auto members = static_cast<int>(attempt.seats.size());
  if (attempt.position == 0) {
    attempt.room = rooms_.Take(members);
    for (int other = 1; other < members; ++other) todo.rooms.emplace_back(attempt.seats[other], *attempt.room);
  }
  if (!attempt.room) return true;
  if (*attempt.room < 0) return false;
  MeetingRoom& room = rooms_.Of(attempt.seats[0].rank, *attempt.room);
  attempt.shared = std::make_shared<SharedReduce>(attempt.member, attempt.brought->input.raw(), attempt.brought->to,
                                                  room, attempt.position, members);
  todo.shared = attempt.shared;
  todo.held = attempt.brought;
  return true;
}

void RankExchange::StartPieces(Attempts::iterator at, Todo& todo) {
  Attempt& attempt = at->second;
  attempt.pieces = NewExchange(attempt.way, *attempt.brought, attempt.position, HostsOf(attempt.seats));
  Put(attempt.pieces->First(), attempt, todo);
  for (auto& [piece, payload] : std::exchange(attempt.early, {})) {
    Put(attempt.pieces->Take(piece.from, piece.is_result, piece.chunk, std::move(payload)), attempt, todo);
  }
  EndIfOver(at, todo);
}

Place RankExchange::PlaceFor(const Piece& piece, size_t bytes) {
  MutexLock lock(mutex_);
  const auto at = attempts_.find(piece.ticket);
  if (at == attempts_.end()) return {};
  Attempt& attempt = at->second;
  Require(attempt.brought != nullptr, "a piece comes for a small tensor of ", MeetingName(attempt.member));
  if (attempt.pieces == nullptr) return NewPlace(bytes);
  return attempt.pieces->PlaceFor(piece.from, piece.is_result, piece.chunk, bytes);
}

void RankExchange::Take(const Piece& piece, Payload payload) {
  Todo todo;
  {
    MutexLock lock(mutex_);
    const auto at = attempts_.find(piece.ticket);
    if (at == attempts_.end()) return;
    Attempt& attempt = at->second;
    Require(attempt.brought != nullptr, "a piece comes for a small tensor of ", MeetingName(attempt.member));
    if (attempt.pieces == nullptr) {
      attempt.early.emplace_back(piece, std::move(payload));
      return;
    }
    Put(attempt.pieces->Take(piece.from, piece.is_result, piece.chunk, std::move(payload)), attempt, todo);
    EndIfOver(at, todo);
  }
  Do(piece.ticket, todo);
}

void RankExchange::EndIfOver(Attempts::iterator at, Todo& todo) {
  if (!at->second.pieces->IsOver()) return;
  todo.answer = std::move(at->second.answer);
  todo.result = at->second.brought->result;
  attempts_.erase(at);
}

void RankExchange::Put(PieceExchange::Next next, const Attempt& attempt, Todo& todo) {
  todo.position = attempt.position;
  for (PieceExchange::Outgoing& piece : next.pieces) {
    const Met::Seat seat = attempt.seats[piece.to];
    todo.pieces.emplace_back(seat, std::move(piece));
  }
  todo.merges.insert(todo.merges.end(), next.merges.begin(), next.merges.end());
}

void RankExchange::Do(int64_t ticket, Todo& todo) {
  for (const auto& [seat, room] : todo.rooms) post_.Send(seat.rank, Room{seat.ticket, room});
  if (todo.shared != nullptr) {
    // Held until the lane lets go of its member, also where the attempt is lost meanwhile.
    auto end = [this, ticket, brought = std::move(todo.held)]() mutable {
      brought.reset();
      EndShared(ticket);
    };
    lane_.Add(std::move(todo.shared), std::move(end));
  }
  for (auto& [seat, piece] : todo.pieces) {
    post_.Send(seat.rank, Piece{seat.ticket, todo.position, piece.is_result, piece.chunk}, std::move(piece.payload));
  }
  for (const int chunk : todo.merges) {
    merges_.Schedule([self = shared_from_this(), ticket, chunk] { self->Merge(ticket, chunk); });
  }
  if (todo.answer) todo.answer(todo.status, std::move(todo.result));
}

void RankExchange::Merge(int64_t ticket, int chunk) {
  std::shared_ptr<Brought> brought;  // which the pieces are of
  std::shared_ptr<PieceExchange> pieces;
  {
    MutexLock lock(mutex_);
    const auto at = attempts_.find(ticket);
    if (at == attempts_.end()) return;
    brought = at->second.brought;
    pieces = at->second.pieces;
  }
  const Status merged = fast::Guard([&] {
    pieces->Merge(chunk, pool_);
    return OkStatus();
  });
  if (!merged.ok()) return Fail(ticket, merged);
  Todo todo;
  {
    MutexLock lock(mutex_);
    const auto at = attempts_.find(ticket);
    if (at == attempts_.end()) return;
    Put(pieces->Merged(chunk), at->second, todo);
    EndIfOver(at, todo);
  }
  Do(ticket, todo);
}

void RankExchange::Fail(int64_t ticket, const Status& status) {
  Answer answer;
  std::vector<Met::Seat> seats;
  {
    MutexLock lock(mutex_);
    const auto at = attempts_.find(ticket);
    if (at == attempts_.end()) return;
    answer = std::move(at->second.answer);
    seats = std::move(at->second.seats);
    attempts_.erase(at);
  }
  for (const Met::Seat& seat : seats) {
    if (seat.rank != post_.rank() || seat.ticket != ticket) post_.Send(seat.rank, Met{seat.ticket, status, false, {}});
  }
  if (answer) answer(status, {});
}

// On the lane.
void RankExchange::EndShared(int64_t ticket) {
  Todo todo;
  {
    MutexLock lock(mutex_);
    const auto at = attempts_.find(ticket);
    if (at == attempts_.end()) return;
    todo.answer = std::move(at->second.answer);
    todo.result = at->second.brought->result;
    attempts_.erase(at);
  }
  if (todo.answer) todo.answer(OkStatus(), std::move(todo.result));
}

void RankExchange::TakeDeparture(int rank) {
  keeper_->Lose(rank, Status(Code::kCancelled, Str("rank ", rank, " has left: its program has ended")));
}

void RankExchange::Lose(int rank, const Status& status) {
  keeper_->Lose(rank, status);
  std::vector<Answer> answers;
  {
    MutexLock lock(mutex_);
    lost_.emplace(rank, status);
    const auto needs_it = [&](const Attempt& attempt) {
      return KeeperOf(attempt.member) == rank || std::any_of(attempt.seats.begin(), attempt.seats.end(),
                                                             [&](const auto& seat) { return seat.rank == rank; });
    };
    for (auto at = attempts_.begin(); at != attempts_.end();) {
      const bool fails = needs_it(at->second);
      if (fails && at->second.answer) answers.push_back(std::move(at->second.answer));
      if (fails && at->second.shared != nullptr) at->second.shared->Abandon();
      at = fails ? attempts_.erase(at) : std::next(at);
    }
  }
  for (const Answer& answer : answers) answer(status, {});
}

}  // namespace plumb::dist
