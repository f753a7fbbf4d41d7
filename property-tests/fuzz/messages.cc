// Bytes of another rank → messages: a status, or messages that are written and read back unchanged.
#include <cstdlib>
#include <string>
#include <string_view>

#include "mpi/protocol/messages_testing.h"
#include "mpi/transport/envelope.h"
#include "spec/core/status.h"

namespace plumb::dist {
namespace {

void Read(std::string_view bytes) {
  while (!bytes.empty()) {
    const Opened opened = OpenEnvelope(0, bytes);
    bytes = opened.rest;
    if (opened.head.empty()) continue;
    const Payload payload{opened.payload.data(), opened.payload.size(), nullptr};
    const std::string written = Reread(opened.head, payload);
    if (Reread(written, payload) != written) std::abort();
  }
}

}  // namespace
}  // namespace plumb::dist

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    plumb::dist::Read({reinterpret_cast<const char*>(data), size});
  } catch (const plumb::Error&) {
    return 0;
  }
  return 0;
}
