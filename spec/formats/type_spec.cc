#include "spec/formats/type_spec.h"

#include "spec/core/status.h"
#include "spec/proto/type_spec.pb.h"

namespace plumb {

int TypeSpecClass(const std::string& metadata) {
  pb::CompositeTensorVariantMetadata message;
  Require(message.ParseFromString(metadata), "the metadata of a value made of several tensors are no such message");
  return message.type_spec_proto().type_spec_class();
}

std::string TypeSpecClassName(int type_class) {
  const std::string name =
      pb::TypeSpecProto::TypeSpecClass_Name(static_cast<pb::TypeSpecProto::TypeSpecClass>(type_class));
  return name.empty() ? std::to_string(type_class) : name;
}

}  // namespace plumb
