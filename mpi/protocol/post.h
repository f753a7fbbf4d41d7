// How a rank speaks to the others: messages over a transport.
#pragma once

#include <string>
#include <utility>

#include "mpi/protocol/messages.h"
#include "mpi/transport/transport.h"

namespace plumb::dist {

class Post {
 public:
  explicit Post(Transport& transport) : transport_(transport) {}

  int rank() const { return transport_.rank(); }
  int size() const { return transport_.size(); }
  // What does not arrive because its receiver is lost is told by the transport, once.
  template <class T>
  void Send(int to, const T& message, Payload payload = {}) {
    transport_.Send(to, Encode(message), std::move(payload), nullptr);
  }
  // For HeldBack.
  Transport& transport() { return transport_; }
  std::string HostOf(int rank) const { return transport_.HostOf(rank); }
  SharedArea AreaOf(int rank) const { return transport_.AreaOf(rank); }
  bool Reserve(size_t bytes) { return transport_.Reserve(bytes); }

 private:
  Transport& transport_;
};

}  // namespace plumb::dist
