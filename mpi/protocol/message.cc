#include "mpi/protocol/message.h"

#include "spec/core/status.h"

namespace plumb::dist {

MessageKind KindOf(std::string_view bytes) {
  Require(!bytes.empty(), "a message from another rank is empty");
  const auto kind = static_cast<unsigned char>(bytes[0]);
  Require(kind >= static_cast<unsigned char>(MessageKind::kHello) &&
              kind <= static_cast<unsigned char>(MessageKind::kFailed),
          "a message from another rank is of the kind ", static_cast<int>(kind), ", which is not known here");
  return MessageKind(kind);
}

}  // namespace plumb::dist
