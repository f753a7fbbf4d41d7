#include "mpi/transport/open_mpi/outbox.h"

#include <cstring>
#include <utility>

namespace plumb::dist {

bool Outbox::Launch(Kind kind, Outgoing message) {
  auto flying = std::make_unique<Flying>();
  flying->message = std::move(message);
  const auto& [to, head, payload, sent] = flying->message;
  const Envelope envelope{kind, 0, head.size(), payload.bytes};
  auto& bytes = flying->envelope;
  const auto append = [&bytes](const void* data, size_t count) {
    const auto* first = static_cast<const char*>(data);
    bytes.insert(bytes.end(), first, first + count);
  };
  const bool is_whole = HoldsAll(envelope);
  append(&envelope, sizeof envelope);
  if (HoldsHead(envelope)) append(head.data(), head.size());
  if (is_whole) append(payload.data, payload.bytes);
  flying->requests.Send(bytes.data(), bytes.size(), to, kEnvelopeTag, comm_);
  if (!HoldsHead(envelope)) flying->requests.Send(head.data(), head.size(), to, kHeadTag, comm_);
  if (!is_whole) flying->requests.Send(payload.data, payload.bytes, to, kPayloadTag, comm_);
  RingFor(to);
  const bool is_copied = is_whole && payload.bytes != 0;
  bytes_ += payload.bytes;
  ++count_;
  flying_[to].push_back(std::move(flying));
  return is_copied;
}

bool Outbox::Progress(std::vector<Ended>& ended) {
  const size_t before = count_;
  for (size_t to = 0; count_ != 0 && to < flying_.size(); ++to) {
    auto& line = flying_[to];
    while (!line.empty() && line.front()->requests.Done()) {
      Outgoing& message = line.front()->message;
      bytes_ -= message.payload.bytes;
      --count_;
      if (message.sent) ended.push_back({std::move(message.sent), {}});
      line.pop_front();
      RingFor(static_cast<int>(to));
    }
  }
  return count_ != before;
}

void Outbox::Abandon(int rank, const Status& status, std::vector<Ended>& ended) {
  for (auto& flying : flying_[rank]) {
    bytes_ -= flying->message.payload.bytes;
    --count_;
    if (flying->message.sent) ended.push_back({std::move(flying->message.sent), status});
    flying.release();
  }
  flying_[rank].clear();
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
