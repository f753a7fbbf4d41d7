// What the lines of fastpath/formulas become on the CPU: a struct OpF, called on vectors and on plain values alike.
#pragma once

#define PLUMB_UNARY_STRUCT(op, traits, ...) \
  struct op##F {                            \
    static constexpr int kTraits = traits;  \
    template <class V>                      \
    HWY_INLINE auto operator()(V x) const { \
      return __VA_ARGS__;                   \
    }                                       \
  };
#define PLUMB_BINARY_STRUCT(op, traits, ...)     \
  struct op##F {                                 \
    static constexpr int kTraits = traits;       \
    template <class V>                           \
    HWY_INLINE auto operator()(V x, V y) const { \
      return __VA_ARGS__;                        \
    }                                            \
  };
