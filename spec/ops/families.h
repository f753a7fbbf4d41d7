// The families of the catalogue, one file each. A new family is one line here and one in catalogue.cc.
#pragma once

#include <span>

#include "spec/ops/op_def.h"

namespace plumb {

std::span<const OpRow> ArrayOps();       // sources, constants, shapes
std::span<const OpRow> ArrayPieceOps();  // concatenation, slices, gathers
std::span<const OpRow> MathOps();
std::span<const OpRow> ComparisonOps();
std::span<const OpRow> ActivationOps();
std::span<const OpRow> ReductionOps();
std::span<const OpRow> MatrixOps();
std::span<const OpRow> ConvolutionOps();
std::span<const OpRow> NormalizationOps();
std::span<const OpRow> LossOps();
std::span<const OpRow> ControlFlowOps();
std::span<const OpRow> StateOps();
std::span<const OpRow> OptimizerOps();
std::span<const OpRow> RandomOps();
std::span<const OpRow> StackOps();     // stacks and tensor arrays
std::span<const OpRow> CheckOps();     // Assert, CheckNumerics
std::span<const OpRow> TransferOps();  // _Send, _Recv, _Arg, _Retval

}  // namespace plumb
