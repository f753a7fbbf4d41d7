// Which instruction sets this machine has, in the place of Highway's library, of which there is no archive.
#include <hwy/targets.h>

namespace hwy {
namespace {

int64_t Detect() {
  __builtin_cpu_init();
  int64_t targets = HWY_STATIC_TARGET;
  if (!__builtin_cpu_supports("ssse3")) return targets;
  targets |= HWY_SSSE3;
  const bool has_aes = __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul");
  if (!has_aes || !__builtin_cpu_supports("sse4.1") || !__builtin_cpu_supports("sse4.2")) return targets;
  targets |= HWY_SSE4;
  // x86-64-v3 names all that AVX2 is taken to come with: FMA, BMI, BMI2, LZCNT and F16C; v4 the five parts of AVX-512.
  if (!__builtin_cpu_supports("x86-64-v3")) return targets;
  targets |= HWY_AVX2;
  if (!__builtin_cpu_supports("x86-64-v4")) return targets;
  targets |= HWY_AVX3;
  const bool has_more = __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("vpclmulqdq") &&
                        __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
                        __builtin_cpu_supports("vaes") && __builtin_cpu_supports("avx512bitalg") &&
                        __builtin_cpu_supports("avx512vpopcntdq");
  return has_more ? targets | HWY_AVX3_DL : targets;
}

}  // namespace

int64_t SupportedTargets() {
  static const int64_t targets = Detect();
  return targets;
}

ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

}  // namespace hwy
