// Bytes of summaries, as TensorFlow 2.12.1 writes them.
#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

std::string Bytes(const Tensor& summary) { return summary.scalar<std::string>(); }

TEST(TensorSummary, NamesTheNode) {
  KernelHarness harness;
  const auto summary = [&](Tensor tensor) {
    return Bytes(harness.Run("foo/bar", "TensorSummary", {In(std::move(tensor))})[0].tensor);
  };
  EXPECT_EQ(summary(MakeVector<float>({1, 2})),
            std::string("\n\x1d:\x07"
                        "foo/barB\x12\x08\x01\x12\x04\x12\x02\x08\x02\"\x08\x00\x00\x80?\x00\x00\x00@",
                        31));
}

TEST(AudioSummary, AnAttributeSaysTheRate) {
  const Tensor tag = MakeScalar<std::string>("t"), sound = MakeTensor<float>({1, 2}, {0.5F, -0.5F});
  const AttrMap attrs = {{"sample_rate", 8000.5F}, {"max_outputs", 2}};
  const std::string summary = Bytes(RunKernel1("AudioSummary", {tag, sound}, attrs));
  EXPECT_EQ(summary, Bytes(RunKernel1("AudioSummaryV2", {tag, sound, MakeScalar(8000.5F)}, {{"max_outputs", 2}})));
  EXPECT_EQ(summary,
            std::string("\nS\n\tt/audio/02F\r\x00\x04\xfa"
                        "E\x10\x01\x18\x02\"0RIFF(\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00@\x1f\x00"
                        "\x00\x80>\x00\x00\x02\x00\x10\x00"
                        "data\x04\x00\x00\x00\x00@\x00\xc0*\taudio/wav",
                        85));
}

}  // namespace
}  // namespace plumb::fast::cpu
