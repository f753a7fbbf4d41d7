#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/type_resolver_util.h>

#include <memory>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/device/kernel.h"
#include "spec/proto/example.pb.h"

namespace plumb::fast::cpu {
namespace {

namespace protobuf = google::protobuf;

class DecodeJsonExampleKernel : public Kernel {
 public:
  explicit DecodeJsonExampleKernel(const Node&)
      : type_("plumb.type/" + pb::Example::descriptor()->full_name()),
        types_(protobuf::util::NewTypeResolverForDescriptorPool("plumb.type",
                                                                protobuf::DescriptorPool::generated_pool())) {}

  // The resolver looks types up in a pool that guards itself.
  void Run(KernelContext& context) override {
    constexpr int64_t kGrain = 16;
    const Tensor& input = context.input(0);
    const std::string* texts = input.data<std::string>().data();
    std::string* decoded = context.AllocateOutput(0, DType::kString, input.shape()).mutable_data<std::string>().data();
    context.pool().ParallelFor(input.elements(), kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) Decode(texts[i], i, decoded[i]);
    });
  }

 private:
  void Decode(const std::string& json, int64_t i, std::string& bytes) const {
    Require(json.size() <= INT32_MAX, "text ", i, " is longer than ", INT32_MAX, " bytes");
    protobuf::io::ArrayInputStream in(json.data(), static_cast<int>(json.size()));
    protobuf::io::StringOutputStream out(&bytes);
    const auto status = protobuf::util::JsonToBinaryStream(types_.get(), type_, &in, &out);
    Require(status.ok(), "text ", i, " is no Example in JSON: ", std::string(status.message()));
  }

  const std::string type_;
  const std::unique_ptr<protobuf::util::TypeResolver> types_;
};

constexpr KernelRow kRows[] = {
    {"DecodeJSONExample", Make<DecodeJsonExampleKernel>},
};

}  // namespace

std::span<const KernelRow> ParsingJsonExample() { return kRows; }

}  // namespace plumb::fast::cpu
