// What the lines of a trace are, by their names (rule 9.12).
#pragma once

#include <string_view>

namespace plumb {

// kNodes: the nodes that ran on a device, or other things that are told once. kStream: what a stream of a device did,
// such as `/device:GPU:0/stream:0`, whose nodes are called `NODE:OP`. kAgain: what stands in lines of streams, too.
enum class TraceLine { kNodes, kStream, kAgain };

inline TraceLine TraceLineOf(std::string_view name) {
  const std::string_view last = name.substr(name.rfind('/') + 1);
  if (last == "stream:all" || last == "memcpy") return TraceLine::kAgain;
  return last.starts_with("stream:") ? TraceLine::kStream : TraceLine::kNodes;
}

// The node of what stands in a line of a stream.
inline std::string_view NodeOnStream(std::string_view node_and_op) {
  return node_and_op.substr(0, node_and_op.rfind(':'));
}

}  // namespace plumb
