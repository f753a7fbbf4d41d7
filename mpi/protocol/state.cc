#include "mpi/protocol/state.h"

#include <utility>
#include <vector>

#include "fastpath/device/variable_buffer.h"
#include "mpi/protocol/messages.h"

namespace plumb::dist {
namespace {

struct Entry {
  std::string name;
  Value value;
  std::string elements;
  static void Travel(auto& self, auto& io) { io(self.name, self.value.dtype, self.value.dims, self.elements); }
};

}  // namespace

std::string EncodeState(const SavedState& state) {
  std::vector<Entry> entries;
  for (const auto& [name, tensor] : state) {
    Entry& entry = entries.emplace_back();
    entry.name = name;
    const Payload payload = PayloadOf(entry.value, tensor);
    entry.elements.assign(static_cast<const char*>(payload.data), payload.bytes);
  }
  Writer writer;
  writer(entries);
  return writer.Take();
}

SavedState DecodeState(std::string_view bytes) {
  std::vector<Entry> entries;
  Reader reader(bytes);
  reader(entries);
  reader.End();
  SavedState state;
  for (Entry& entry : entries) {
    const Payload payload = PayloadOf(std::move(entry.elements));
    state.insert_or_assign(std::move(entry.name), fast::CopyOf(TensorOf(entry.value, payload)));
  }
  return state;
}

}  // namespace plumb::dist
