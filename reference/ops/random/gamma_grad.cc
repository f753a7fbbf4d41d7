#include "reference/ops/lib/elementwise.h"
#include "reference/ops/random/gamma_slope.h"

namespace plumb::reference {
namespace {

constexpr KernelRow kRows[] = {
    {"RandomGammaGrad", [](OpContext& c) { Binary<Real>(c, GammaSampleSlope); }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RandomGammaGrad() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
