#include "spec/ops/op_def.h"

namespace plumb::topics {
std::span<const OpRow> StateStubResource() {
  static const OpRow rows[] = {
      {.signature = "StubResourceHandleOp() -> (resource: resource<Stub>) stateful",
       .attrs = "container: string = ''; shared_name: string = ''",
       .doc = "A handle to an object that holds nothing: TensorFlow tries its resources with it.",
       .shape = "-> []",
       .samples = {"; m = ResourceCreateOp: this"}},
      {.signature = "ResourceCreateOp(resource: resource<Stub>) -> () stateful",
       .doc = "Makes the object that the handle names; ALREADY_EXISTS where it is there.",
       .shape = "? ->",
       .samples = {"h = StubResourceHandleOp: ; h"}},
  };
  return rows;
}

}  // namespace plumb::topics
