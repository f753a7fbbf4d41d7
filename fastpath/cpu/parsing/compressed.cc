#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/device/kernel.h"
#include "spec/formats/inflate.h"

namespace plumb::fast::cpu {
namespace {

class DecodeCompressedKernel : public Kernel {
 public:
  explicit DecodeCompressedKernel(const Node& node) {
    const auto& type = GetAttr<std::string>(node.attrs, "compression_type");
    compression_ = ParseCompression(type);
    Require(type.empty() || compression_ != Compression::kNone, "strings are decoded from ",
            "'ZLIB', 'GZIP' or '', and not from '", type, "'");
  }

  void Run(KernelContext& context) override {
    const Tensor& input = context.input(0);
    if (compression_ == Compression::kNone) return context.SetOutput(0, input);
    const std::string* compressed = input.data<std::string>().data();
    std::string* decoded = context.AllocateOutput(0, DType::kString, input.shape()).mutable_data<std::string>().data();
    context.pool().ParallelFor(input.elements(), kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) decoded[i] = InflatePrefix(compressed[i], compression_);
    });
  }

 private:
  static constexpr int64_t kGrain = 16;
  Compression compression_ = Compression::kNone;
};

constexpr KernelRow kRows[] = {
    {"DecodeCompressed", Make<DecodeCompressedKernel>},
};

}  // namespace

std::span<const KernelRow> ParsingCompressed() { return kRows; }

}  // namespace plumb::fast::cpu
