#include "reference/kernel/op_context.h"
#include "spec/formats/inflate.h"

namespace plumb::reference {
namespace {

void CheckCompression(const Node& node) {
  const auto& type = GetAttr<std::string>(node.attrs, "compression_type");
  Require(type.empty() || type == "ZLIB" || type == "GZIP", "compression_type must be '', 'ZLIB' or 'GZIP', not '",
          type, "'");
}

void DecodeCompressed(OpContext& c) {
  const Compression compression = ParseCompression(c.attr<std::string>("compression_type"));
  Tensor decoded = c.tensor(0).Clone();
  for (std::string& text : decoded.mutable_data<std::string>()) text = InflatePrefix(text, compression);
  c.Output(0, std::move(decoded));
}

constexpr KernelRow kRows[] = {
    {"DecodeCompressed", DecodeCompressed, CheckCompression},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ParsingCompressed() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
