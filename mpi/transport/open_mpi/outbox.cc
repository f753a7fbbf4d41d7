#include "mpi/transport/open_mpi/outbox.h"

#include <cstring>
#include <utility>

namespace plumb::dist {

bool Outbox::Launch(Kind kind, Outgoing message, std::vector<Ended>& ended) {
  const int to = message.to;
  const Payload& payload = message.payload;
  const Envelope envelope{kind, 0, message.head.size(), payload.bytes};
  const bool is_whole = HoldsAll(envelope);
  const bool is_copied = is_whole && payload.bytes != 0;
  envelope_.clear();
  const auto append = [this](const void* data, size_t count) {
    const auto* first = static_cast<const char*>(data);
    envelope_.insert(envelope_.end(), first, first + count);
  };
  append(&envelope, sizeof envelope);
  if (HoldsHead(envelope)) append(message.head.data(), message.head.size());
  if (is_whole) append(payload.data, payload.bytes);
  Requests requests;
  requests.Send(envelope_.data(), envelope_.size(), to, kEnvelopeTag, comm_);
  // Most are on their way at once, and of those nothing is kept. Tell() calls `sent`.
  const bool is_gone = is_whole && flying_[to].empty() && requests.Done();
  if (is_gone) {
    if (message.sent) ended.push_back({std::move(message.sent), {}});
    RingFor(to);
    return is_copied;
  }
  auto flying = std::make_unique<Flying>(Flying{std::move(message), std::move(envelope_), std::move(requests)});
  const Outgoing& kept = flying->message;
  if (!HoldsHead(envelope)) flying->requests.Send(kept.head.data(), kept.head.size(), to, kHeadTag, comm_);
  if (!is_whole) flying->requests.Send(kept.payload.data, kept.payload.bytes, to, kPayloadTag, comm_);
  RingFor(to);
  bytes_ += kept.payload.bytes;
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
