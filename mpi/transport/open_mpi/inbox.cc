#include "mpi/transport/open_mpi/inbox.h"

#include <bit>
#include <cstring>
#include <optional>
#include <utility>

namespace plumb::dist {
namespace {

// Where the receiver wants it; nowhere when it refuses, or has no memory.
Place AskForPlace(int from, std::string_view head, size_t bytes, Receiver& receiver) {
  try {
    return receiver.PlaceFor(from, head, bytes);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

Inbox::Inbox(const MpiProcess& process, MPI_Comm comm, bool uses_chutes)
    : process_(process),
      comm_(comm),
      chutes_(process.size()),
      mail_(&process.BellOf(process.rank())->mail),
      slots_(kSlots, std::vector<char>(kSlotBytes)),
      ready_(kSlots),
      incoming_(process.size()),
      placed_(process.size()),
      is_abandoned_(process.size(), false) {
  for (int from = 0; from < process.size(); ++from) {
    if (uses_chutes) chutes_[from] = process.ChuteFrom(from);
    if (chutes_[from] == nullptr && from != process.rank()) hears_by_mpi_ = true;
  }
  for (int i = 0; i < kSlots; ++i) {
    CheckMpi(MPI_Recv_init(slots_[i].data(), kSlotBytes, MPI_BYTE, MPI_ANY_SOURCE, kEnvelopeTag, comm_, &ready_[i]),
             "MPI_Recv_init");
    CheckMpi(MPI_Start(&ready_[i]), "MPI_Start");
  }
}

bool Inbox::Poll(Receiver& receiver, bool thorough) {
  const bool any = PollChutes(receiver);
  if (!thorough && !hears_by_mpi_ && waiting_ == 0 && ++looks_ <= kLooksWithoutMpi) return any;
  looks_ = 0;
  return PollMpi(receiver) || any;
}

bool Inbox::PollChutes(Receiver& receiver) {
  if (mail_->load(std::memory_order_relaxed) == 0) return false;
  for (uint64_t mail = mail_->exchange(0, std::memory_order_seq_cst); mail != 0; mail &= mail - 1) {
    const int from = process_.RankOfMail(std::countr_zero(mail));
    if (from < 0 || chutes_[from] == nullptr) continue;
    heard(from);
    int taken = 0;
    for (auto first = chutes_[from]->First(); first; first = chutes_[from]->First()) {
      if (++taken > kSlots) {  // the others come first
        mail_->fetch_or(mail & -mail, std::memory_order_relaxed);
        break;
      }
      if (!is_abandoned_[from]) Open(from, *first, receiver);
      chutes_[from]->DropFirst();
    }
  }
  return true;
}

bool Inbox::PollMpi(Receiver& receiver) {
  bool any = false;
  for (int i = 0; i < kSlots; ++i) {
    int has_come = 0;
    MPI_Status status;
    CheckMpi(MPI_Test(&ready_[next_], &has_come, &status), "MPI_Test");
    if (has_come == 0) break;
    any = true;
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    heard(status.MPI_SOURCE);
    if (!is_abandoned_[status.MPI_SOURCE]) {
      Open(status.MPI_SOURCE, {slots_[next_].data(), static_cast<size_t>(bytes)}, receiver);
    }
    CheckMpi(MPI_Start(&ready_[next_]), "MPI_Start");
    next_ = (next_ + 1) % kSlots;
  }
  for (size_t from = 0; waiting_ != 0 && from < incoming_.size(); ++from) {
    if (!incoming_[from].empty() && Advance(static_cast<int>(from), receiver)) any = true;
  }
  return any;
}

void Inbox::Open(int from, std::string_view bytes, Receiver& receiver) {
  do {
    const Opened opened = OpenEnvelope(from, bytes);
    Take(from, opened.envelope, opened.head, opened.payload, receiver);
    bytes = opened.rest;
  } while (!bytes.empty() && !is_abandoned_[from]);
}

void Inbox::Take(int from, const Envelope& envelope, std::string_view head, std::string_view payload,
                 Receiver& receiver) {
  if (envelope.kind == Kind::kPulse) return;
  Place place;
  bool is_refused = false;
  if (!payload.empty()) {
    place = AskForPlace(from, head, payload.size(), receiver);
    is_refused = place.data == nullptr;
    if (!is_refused) {
      std::memcpy(place.data, payload.data(), payload.size());
      copied(payload.size());
    }
  }
  if (HoldsAll(envelope) && incoming_[from].empty()) {
    return Deliver(from, envelope, head, place, is_refused, receiver);
  }
  Incoming message;
  message.envelope = envelope;
  message.place = std::move(place);
  message.is_refused = is_refused;
  if (HoldsHead(envelope)) {
    message.head = head;
  } else {
    message.head.resize(envelope.head_bytes);
    message.head_requests.Receive(message.head.data(), message.head.size(), from, kHeadTag, comm_);
  }
  incoming_[from].push_back(std::move(message));
  ++waiting_;
  bytes_ += envelope.payload_bytes;
  Advance(from, receiver);
}

bool Inbox::Advance(int from, Receiver& receiver) {
  auto& queue = incoming_[from];
  bool any = false;
  for (size_t& placed = placed_[from]; placed < queue.size(); ++placed) {
    Incoming& message = queue[placed];
    if (HoldsAll(message.envelope)) continue;
    if (!message.head_requests.Done()) break;
    const size_t bytes = message.envelope.payload_bytes;
    if (bytes != 0) message.place = AskForPlace(from, message.head, bytes, receiver);
    message.is_refused = bytes != 0 && message.place.data == nullptr;
    if (message.is_refused) message.place = NewPlace(bytes);  // it has to go somewhere
    message.payload_requests.Receive(message.place.data, bytes, from, kPayloadTag, comm_);
    any = true;
  }
  while (placed_[from] != 0 && queue.front().payload_requests.Done()) {
    const Incoming message = std::move(queue.front());
    queue.pop_front();
    --placed_[from];
    --waiting_;
    bytes_ -= message.envelope.payload_bytes;
    any = true;
    heard(from);
    Deliver(from, message.envelope, message.head, message.place, message.is_refused, receiver);
  }
  return any;
}

void Inbox::Deliver(int from, const Envelope& envelope, std::string_view head, const Place& place, bool is_refused,
                    Receiver& receiver) {
  if (envelope.kind == Kind::kGoodbye) return left(from);
  if (is_refused) return;
  ++arrived_;
  receiver.Arrive(from, head, {place.data, envelope.payload_bytes, place.owner, envelope.payload_bytes != 0});
}

void Inbox::Abandon(int rank) {
  is_abandoned_[rank] = true;
  waiting_ -= static_cast<int>(incoming_[rank].size());
  // MPI may still write into their places, so those are kept for ever.
  for (Incoming& message : incoming_[rank]) {
    bytes_ -= message.envelope.payload_bytes;
    if (!message.head_requests.empty() || !message.payload_requests.empty()) new Incoming(std::move(message));
  }
  incoming_[rank].clear();
  placed_[rank] = 0;
}

void Inbox::Close() {
  for (size_t rank = 0; rank < incoming_.size(); ++rank) Abandon(static_cast<int>(rank));
  for (MPI_Request& request : ready_) {
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
  }
}

}  // namespace plumb::dist
