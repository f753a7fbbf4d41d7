#include <algorithm>
#include <cstring>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// The bytes of words of 2, 4 or 8, each word turned round.
template <class Word, Word (*turn)(Word)>
void TurnWords(char* bytes, int64_t length) {
  for (int64_t at = 0; at < length; at += static_cast<int64_t>(sizeof(Word))) {
    Word word;
    std::memcpy(&word, bytes + at, sizeof(Word));
    word = turn(word);
    std::memcpy(bytes + at, &word, sizeof(Word));
  }
}
uint16_t Turned16(uint16_t word) { return __builtin_bswap16(word); }
uint32_t Turned32(uint32_t word) { return __builtin_bswap32(word); }
uint64_t Turned64(uint64_t word) { return __builtin_bswap64(word); }

class RawKernel : public Kernel {
 public:
  explicit RawKernel(const Node& node) : type_(OutputType(node, 0)), size_(static_cast<int64_t>(ElementSize(type_))) {
    const int64_t parts = IsComplex(type_) ? 2 : 1;
    turned_ = GetAttr<bool>(node.attrs, "little_endian") ? 1 : size_ / parts;
  }

 protected:
  // `length` bytes of each string of the input, zeros behind those that are shorter.
  void Decode(KernelContext& context, int64_t length) const {
    const Tensor& input = context.input(0);
    Dims dims(input.shape());
    dims.Append(length / size_);
    char* const bytes = static_cast<char*>(context.AllocateOutput(0, type_, dims.ToShape()).mutable_raw());
    const std::string* strings = input.data<std::string>().data();
    if (length == 0) return;
    context.pool().ParallelFor(input.elements(), GrainFor(length), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        char* const to = bytes + i * length;
        const int64_t given = std::min(length, static_cast<int64_t>(strings[i].size()));
        std::memcpy(to, strings[i].data(), static_cast<size_t>(given));
        std::memset(to + given, 0, static_cast<size_t>(length - given));
        Turn(to, length);
        if (type_ == DType::kBool) std::transform(to, to + length, to, [](char c) { return c != 0 ? '\1' : '\0'; });
      }
    });
  }

  const DType type_;
  const int64_t size_;

 private:
  void Turn(char* bytes, int64_t length) const {
    if (turned_ == 2) TurnWords<uint16_t, Turned16>(bytes, length);
    if (turned_ == 4) TurnWords<uint32_t, Turned32>(bytes, length);
    if (turned_ == 8) TurnWords<uint64_t, Turned64>(bytes, length);
  }

  int64_t turned_;  // so many bytes are turned round; 1: none
};

class DecodeRawKernel : public RawKernel {
 public:
  using RawKernel::RawKernel;

  void Run(KernelContext& context) override {
    const auto strings = context.input(0).data<std::string>();
    const size_t length = strings.empty() ? 0 : strings[0].size();
    for (const std::string& text : strings) {
      Require(text.size() == length, "all strings must have one length, not ", length, " and ", text.size());
    }
    Require(static_cast<int64_t>(length) % size_ == 0, length, " bytes are no multiple of ", size_);
    Decode(context, static_cast<int64_t>(length));
  }
};

class DecodePaddedRawKernel : public RawKernel {
 public:
  using RawKernel::RawKernel;

  void Run(KernelContext& context) override {
    const Tensor& fixed = context.input(1);
    Require(fixed.rank() == 0, "fixed_length must be a scalar, not of shape ", Printed(fixed.shape()));
    const int64_t length = IntAt(fixed, 0);
    Require(length > 0 && length % size_ == 0, "fixed_length must be a positive multiple of ", size_, ", not ", length);
    Decode(context, length);
  }
};

constexpr KernelRow kRows[] = {
    {"DecodeRaw", Make<DecodeRawKernel>},
    {"DecodePaddedRaw", Make<DecodePaddedRawKernel>},
};

}  // namespace

std::span<const KernelRow> ParsingRaw() { return kRows; }

}  // namespace plumb::fast::cpu
