#include <algorithm>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
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
    size_t bytes = 0;
    for (int64_t i = 0; i < input.elements(); ++i) bytes += compressed[i].size();
    const int64_t work = kWorkPerByte * static_cast<int64_t>(bytes) / std::max<int64_t>(1, input.elements());
    context.pool().ParallelFor(input.elements(), GrainFor(work), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) decoded[i] = InflatePrefix(compressed[i], compression_);
    });
  }

 private:
  static constexpr int64_t kWorkPerByte = 64;  // a byte of text from a compressed byte in some 20 ns
  Compression compression_ = Compression::kNone;
};

constexpr KernelRow kRows[] = {
    {"DecodeCompressed", Make<DecodeCompressedKernel>},
};

}  // namespace

std::span<const KernelRow> ParsingCompressed() { return kRows; }

}  // namespace plumb::fast::cpu
