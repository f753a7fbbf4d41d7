// What softmax and the losses made of it share.
#pragma once

#include <span>

#include "reference/numbers/element.h"
#include "reference/numbers/sum.h"

namespace plumb::reference {

// A row of logits is shifted so that its largest is zero. The shift cancels in every result, so it is an exact number
// here, whatever the error of the logit it was taken from.
struct ShiftedRow {
  Real largest;
  Real sum_of_exps;
};
inline ShiftedRow Shift(std::span<const Real> row) {
  double largest = -INFINITY;
  for (const Real x : row) largest = x.v > largest || std::isnan(x.v) ? x.v : largest;
  Sum sum;
  for (const Real x : row) sum.Add(Exp(x - Real(largest)));
  return {largest, sum.Result()};
}

}  // namespace plumb::reference
