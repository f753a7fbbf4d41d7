// The losses of SdcaOptimizer: each with its conjugate, and the dual variable that is best for one example while all
// others stay (Shalev-Shwartz and Zhang; Ma et al. for several partitions). Labels are −1 or 1 but for the losses that
// fit numbers.
#pragma once

#include <string>

#include "reference/numbers/element.h"
#include "spec/core/status.h"

namespace plumb::reference {

// Of one example.
struct DualStep {
  Real label, weight;
  Real dual;   // now
  Real wx;     // what the weights as they are now predict
  Real scale;  // partitions · weight · |x|² / l2: how far the prediction moves with the dual variable
};

class DualLoss {
 public:
  virtual ~DualLoss() = default;
  // The label as the loss counts it; kInvalidArgument for others than it knows.
  virtual Real Label(Real label) const = 0;
  virtual Real BestDual(const DualStep& step) const = 0;
  virtual Real Primal(Real wx, Real label) const = 0;  // of weight 1
  virtual Real Slope(Real wx, Real label) const = 0;   // Primal's, in wx
  virtual Real Dual(Real dual, Real label) const = 0;
  virtual double Smoothness() const = 0;
};

// Lives as long as the program. `name` is one that the row allows.
const DualLoss& DualLossNamed(const std::string& name);

}  // namespace plumb::reference
