// Which instruction sets are compiled besides the machine's baseline: AVX2 and AVX-512. Include before hwy/highway.h.
#pragma once

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
