#include "mpi/transport/envelope.h"

#include <cstring>

#include "spec/core/status.h"

namespace plumb::dist {

Opened OpenEnvelope(int from, std::string_view bytes) {
  Opened opened;
  Envelope& envelope = opened.envelope;
  if (bytes.size() < sizeof envelope) throw Internal("rank ", from, " sent an envelope of ", bytes.size(), " bytes");
  std::memcpy(&envelope, bytes.data(), sizeof envelope);
  bytes.remove_prefix(sizeof envelope);
  if (envelope.kind > Kind::kGoodbye) {
    throw Internal("rank ", from, " sent an envelope of the kind ", static_cast<uint32_t>(envelope.kind));
  }
  if (envelope.head_bytes > kLongestHead || envelope.payload_bytes > kLargestPayload) {
    throw Internal("rank ", from, " sent an envelope that announces ", envelope.head_bytes, " and ",
                   envelope.payload_bytes, " bytes, which is more than any rank sends");
  }
  const size_t head_bytes = HoldsHead(envelope) ? envelope.head_bytes : 0;
  const size_t payload_bytes = HoldsAll(envelope) ? envelope.payload_bytes : 0;
  const size_t inside = head_bytes + payload_bytes;
  if (bytes.size() < inside || (bytes.size() > inside && !HoldsAll(envelope))) {
    throw Internal("rank ", from, " sent an envelope that holds ", bytes.size(), " bytes where it says ", inside);
  }
  opened.head = bytes.substr(0, head_bytes);
  opened.payload = bytes.substr(head_bytes, payload_bytes);
  opened.rest = bytes.substr(inside);
  return opened;
}

}  // namespace plumb::dist
