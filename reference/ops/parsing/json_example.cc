#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/type_resolver_util.h>

#include <memory>

#include "reference/kernel/op_context.h"
#include "spec/proto/example.pb.h"

namespace plumb::reference {
namespace {

namespace protobuf = google::protobuf;
constexpr char kTypes[] = "type.plumb";

// Fields are written in the order in which the text has them.
std::string BytesOf(protobuf::util::TypeResolver& types, const std::string& json) {
  std::string bytes;
  const auto status = protobuf::util::JsonToBinaryString(
      &types, std::string(kTypes) + "/" + pb::Example::descriptor()->full_name(), json, &bytes);
  Require(status.ok(), "the text is no Example in JSON: ", std::string(status.message()));
  return bytes;
}

void DecodeJsonExample(OpContext& c) {
  const std::unique_ptr<protobuf::util::TypeResolver> types(
      protobuf::util::NewTypeResolverForDescriptorPool(kTypes, protobuf::DescriptorPool::generated_pool()));
  Tensor decoded = c.tensor(0).Clone();
  for (std::string& text : decoded.mutable_data<std::string>()) text = BytesOf(*types, text);
  c.Output(0, std::move(decoded));
}

constexpr KernelRow kRows[] = {
    {"DecodeJSONExample", DecodeJsonExample},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ParsingJsonExample() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
