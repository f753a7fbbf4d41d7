#include "mpi/transport/open_mpi/outbox.h"

#include <cstring>
#include <utility>

namespace plumb::dist {

Outbox::Outbox(const MpiProcess& process, MPI_Comm comm, bool uses_chutes)
    : process_(process), comm_(comm), chutes_(process.size()), flying_(process.size()), open_(process.size()) {
  for (int to = 0; uses_chutes && to < process.size(); ++to) chutes_[to] = process.ChuteTo(to);
}

bool Outbox::Launch(Kind kind, Outgoing message, std::vector<Ended>& ended) {
  const int to = message.to;
  const Payload& payload = message.payload;
  const Envelope envelope{kind, 0, message.head.size(), payload.bytes};
  const bool is_whole = HoldsAll(envelope);
  const bool is_copied = is_whole && payload.bytes != 0;
  const size_t bytes =
      sizeof envelope + (HoldsHead(envelope) ? envelope.head_bytes : 0) + (is_whole ? payload.bytes : 0);
  Open& open = open_[to];
  if (open.envelope.size() + bytes > kSlotBytes) Depart(to, {to, {}, {}, nullptr}, ended);
  if (open.envelope.empty()) opened_.push_back(to);
  const auto append = [&open](const void* data, size_t count) {
    const auto* first = static_cast<const char*>(data);
    open.envelope.insert(open.envelope.end(), first, first + count);
  };
  append(&envelope, sizeof envelope);
  if (HoldsHead(envelope)) append(message.head.data(), message.head.size());
  if (is_copied) append(payload.data, payload.bytes);
  if (message.sent) open.sent.push_back(std::exchange(message.sent, nullptr));
  if (!is_whole) Depart(to, std::move(message), ended);
  return is_copied;
}

void Outbox::Flush(std::vector<Ended>& ended) {
  for (const int to : opened_) Depart(to, {to, {}, {}, nullptr}, ended);
  opened_.clear();
}

void Outbox::Depart(int to, Outgoing large, std::vector<Ended>& ended) {
  Open& open = open_[to];
  if (open.envelope.empty()) return;
  const bool has_chute = chutes_[to] != nullptr;
  const bool others_wait = !flying_[to].empty() && flying_[to].back()->waits_for_room;
  const bool is_put = has_chute && !others_wait && PutInChute(to, open.envelope);
  if (!has_chute) first_.Send(open.envelope.data(), open.envelope.size(), to, kEnvelopeTag, comm_);
  // Most are on their way at once, and of those nothing is kept. Tell() calls `sent`.
  const bool is_whole = HoldsAll({Kind::kMessage, 0, large.head.size(), large.payload.bytes});
  if (is_whole && (has_chute ? is_put : flying_[to].empty() && first_.Done())) {
    End(open.sent, {}, ended);
    open.envelope.clear();
    return RingFor(to);
  }
  auto flying = std::make_unique<Flying>(
      Flying{std::exchange(open, {}), std::move(large), std::exchange(first_, {}), has_chute && !is_put});
  if (!flying->waits_for_room) SendLarge(to, *flying);
  RingFor(to);
  bytes_ += flying->large.payload.bytes;
  ++count_;
  flying_[to].push_back(std::move(flying));
}

bool Outbox::PutInChute(int to, const std::vector<char>& envelope) {
  if (!chutes_[to]->Put({envelope.data(), envelope.size()})) return false;
  process_.BellOf(to)->mail.fetch_or(process_.mail_bit(), std::memory_order_seq_cst);
  return true;
}

void Outbox::SendLarge(int to, Flying& flying) {
  const Outgoing& large = flying.large;
  const Envelope last{Kind::kMessage, 0, large.head.size(), large.payload.bytes};
  if (!HoldsHead(last)) flying.requests.Send(large.head.data(), large.head.size(), to, kHeadTag, comm_);
  if (!HoldsAll(last)) flying.requests.Send(large.payload.data, large.payload.bytes, to, kPayloadTag, comm_);
}

void Outbox::End(std::vector<Sent>& sent, const Status& status, std::vector<Ended>& ended) {
  for (Sent& each : sent) ended.push_back({std::move(each), status});
  sent.clear();
}

bool Outbox::Progress(std::vector<Ended>& ended) {
  const size_t before = count_;
  for (size_t to = 0; count_ != 0 && to < flying_.size(); ++to) {
    auto& line = flying_[to];
    while (!line.empty()) {
      Flying& first = *line.front();
      if (first.waits_for_room && PutInChute(static_cast<int>(to), first.open.envelope)) {
        first.waits_for_room = false;
        SendLarge(static_cast<int>(to), first);
        RingFor(static_cast<int>(to));
      }
      if (first.waits_for_room || !first.requests.Done()) break;
      bytes_ -= first.large.payload.bytes;
      --count_;
      End(line.front()->open.sent, {}, ended);
      line.pop_front();
      RingFor(static_cast<int>(to));
    }
  }
  return count_ != before;
}

void Outbox::Abandon(int rank, const Status& status, std::vector<Ended>& ended) {
  for (auto& flying : flying_[rank]) {
    bytes_ -= flying->large.payload.bytes;
    --count_;
    End(flying->open.sent, status, ended);
    flying.release();
  }
  flying_[rank].clear();
  open_[rank].envelope.clear();
  End(open_[rank].sent, status, ended);
}

void Outbox::RingAll() {
  for (size_t to = 0; count_ != 0 && to < flying_.size(); ++to) {
    if (!flying_[to].empty()) RingFor(static_cast<int>(to));
  }
}

void Outbox::RingFor(int rank) {
  if (Bell* bell = process_.BellOf(rank); bell != nullptr) Ring(*bell);
}

}  // namespace plumb::dist
