// Makes a topic of elementwise ops out of its formulas, for the types that its rows declare for GPUs. The topic's file
// defines PLUMB_TOPIC, its name in topics.h, and PLUMB_FORMULAS, the file of its formulas, and includes this one.
#include <array>
#include <utility>

#include "fastpath/gpu/lib/elementwise.h"
#include "fastpath/gpu/lib/words.h"

// Where a word may refuse, it is told where to say so.
#define QuotientOf(x, y) QuotientOf(x, y, complaint)
#define RemainderOf(x, y) RemainderOf(x, y, complaint)
#define FloorOfQuotient(x, y) FloorOfQuotient(x, y, complaint)
#define TruncatedQuotient(x, y) TruncatedQuotient(x, y, complaint)
#define ModulusOf(x, y) ModulusOf(x, y, complaint)
#define PowOf(x, y) PowOf(x, y, complaint)

namespace plumb::fast::GPU_NAMESPACE {
namespace {

#define PLUMB_UNARY(op, traits, ...)                                                   \
  struct op##F {                                                                       \
    static constexpr int kTraits = traits;                                             \
    static constexpr bool kMayComplain = false;                                        \
    template <class V>                                                                 \
    PLUMB_GPU_WORD auto operator()(V x, [[maybe_unused]] Complaint& complaint) const { \
      return __VA_ARGS__;                                                              \
    }                                                                                  \
  };
#define PLUMB_BINARY(op, traits, ...)                                                       \
  struct op##F {                                                                            \
    static constexpr int kTraits = traits;                                                  \
    static constexpr bool kMayComplain = NamesComplaint(#__VA_ARGS__);                      \
    template <class V>                                                                      \
    PLUMB_GPU_WORD auto operator()(V x, V y, [[maybe_unused]] Complaint& complaint) const { \
      return __VA_ARGS__;                                                                   \
    }                                                                                       \
  };
#include PLUMB_FORMULAS

#define PLUMB_UNARY(op, ...) {#op, MakeUnary<op##F>},
#define PLUMB_BINARY(op, ...) {#op, MakeBinary<op##F>},
constexpr GpuKernelRow kRows[] = {
#include PLUMB_FORMULAS
};

}  // namespace

std::span<const GpuKernelRow> PLUMB_TOPIC() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

#undef QuotientOf
#undef RemainderOf
#undef FloorOfQuotient
#undef TruncatedQuotient
#undef ModulusOf
#undef PowOf
#undef PLUMB_TOPIC
#undef PLUMB_FORMULAS
