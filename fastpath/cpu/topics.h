// The topics of the CPU's kernels: FAMILY/TOPIC.cc gives its rows as FamilyTopic(). Switch, Merge, frame ops, Send and
// Recv are the executor's own.
#pragma once

#include <span>

#include "fastpath/device/kernel.h"

#define PLUMB_CPU_TOPICS(TOPIC)       \
  TOPIC(ArrayConstant)                \
  TOPIC(ArrayPlaceholder)             \
  TOPIC(ArrayIdentity)                \
  TOPIC(ArrayFill)                    \
  TOPIC(ArrayRange)                   \
  TOPIC(ArrayLinSpace)                \
  TOPIC(ArrayOneHot)                  \
  TOPIC(ArrayShape)                   \
  TOPIC(ArrayReshape)                 \
  TOPIC(ArrayBroadcast)               \
  TOPIC(ArrayConcat)                  \
  TOPIC(ArrayPack)                    \
  TOPIC(ArraySplit)                   \
  TOPIC(ArraySlice)                   \
  TOPIC(ArrayStridedSlice)            \
  TOPIC(ArrayPad)                     \
  TOPIC(ArrayTile)                    \
  TOPIC(ArrayTranspose)               \
  TOPIC(ArrayReverse)                 \
  TOPIC(ArrayGather)                  \
  TOPIC(ArrayPartition)               \
  TOPIC(ArrayUnique)                  \
  TOPIC(ArrayWhere)                   \
  TOPIC(MathArithmetic)               \
  TOPIC(MathNoNan)                    \
  TOPIC(MathReciprocal)               \
  TOPIC(MathElementary)               \
  TOPIC(MathTrigonometric)            \
  TOPIC(MathHyperbolic)               \
  TOPIC(MathSpecial)                  \
  TOPIC(MathBetainc)                  \
  TOPIC(MathRounding)                 \
  TOPIC(MathComplex)                  \
  TOPIC(MathCompare)                  \
  TOPIC(MathApproximate)              \
  TOPIC(MathLogical)                  \
  TOPIC(MathBitwise)                  \
  TOPIC(MathClassify)                 \
  TOPIC(MathSelect)                   \
  TOPIC(MathSelectV2)                 \
  TOPIC(MathClip)                     \
  TOPIC(MathCast)                     \
  TOPIC(MathNextAfter)                \
  TOPIC(MathBucketize)                \
  TOPIC(MathCross)                    \
  TOPIC(MathAddN)                     \
  TOPIC(ActivationRelu)               \
  TOPIC(ActivationLeakyRelu)          \
  TOPIC(ActivationElu)                \
  TOPIC(ActivationSoftplus)           \
  TOPIC(ActivationSigmoid)            \
  TOPIC(ActivationTanh)               \
  TOPIC(ActivationSoftmax)            \
  TOPIC(ReductionReduce)              \
  TOPIC(ReductionArg)                 \
  TOPIC(ReductionTopK)                \
  TOPIC(ReductionCumulative)          \
  TOPIC(ReductionCumulativeLogsumexp) \
  TOPIC(ReductionSegment)             \
  TOPIC(MatrixMatmul)                 \
  TOPIC(MatrixBatchMatmul)            \
  TOPIC(ConvolutionConv2d)            \
  TOPIC(ConvolutionMaxPool)           \
  TOPIC(ConvolutionAvgPool)           \
  TOPIC(NormalizationBias)            \
  TOPIC(NormalizationLrn)             \
  TOPIC(NormalizationBatchNorm)       \
  TOPIC(LossCrossEntropy)             \
  TOPIC(LossL2)                       \
  TOPIC(ControlFlowNoOp)              \
  TOPIC(ControlFlowRefSelect)         \
  TOPIC(StateVariable)                \
  TOPIC(StateCountUpTo)               \
  TOPIC(StateScatter)                 \
  TOPIC(StateResourceVariable)        \
  TOPIC(StateResourceGather)          \
  TOPIC(OptimizerGradientDescent)     \
  TOPIC(OptimizerMomentum)            \
  TOPIC(OptimizerAdagrad)             \
  TOPIC(OptimizerRmsProp)             \
  TOPIC(OptimizerAdam)                \
  TOPIC(OptimizerFtrl)                \
  TOPIC(RandomUniform)                \
  TOPIC(RandomNormal)                 \
  TOPIC(RandomShuffle)                \
  TOPIC(DataFlowStack)                \
  TOPIC(DataFlowTensorArray)          \
  TOPIC(DataFlowQueue)                \
  TOPIC(DataFlowTable)                \
  TOPIC(DataFlowTableTextFile)        \
  TOPIC(StringJoin)                   \
  TOPIC(StringSplit)                  \
  TOPIC(CheckAssert)                  \
  TOPIC(CheckNumerics)                \
  TOPIC(FunctionCall)                 \
  TOPIC(ArrayMirrorPad)               \
  TOPIC(ArrayRoll)                    \
  TOPIC(ArraySpaceToDepth)            \
  TOPIC(ArraySpaceToBatch)            \
  TOPIC(ArrayDataFormat)              \
  TOPIC(ArrayGatherNd)                \
  TOPIC(ArrayScatterNd)               \
  TOPIC(ArraySorted)                  \
  TOPIC(ArrayUnravelIndex)            \
  TOPIC(ArrayDiag)                    \
  TOPIC(ArrayBandPart)                \
  TOPIC(ArrayMatrixDiag)              \
  TOPIC(StateScatterNd)               \
  TOPIC(OptimizerAdadelta)            \
  TOPIC(OptimizerAdagradDa)           \
  TOPIC(OptimizerProximalDescent)     \
  TOPIC(OptimizerProximalAdagrad)     \
  TOPIC(DataFlowAccumulator)          \
  TOPIC(DataFlowSparseAccumulator)    \
  TOPIC(DataFlowQueueKinds)           \
  TOPIC(MatrixEinsum)                 \
  TOPIC(LinalgDeterminant)            \
  TOPIC(LinalgSolve)                  \
  TOPIC(LinalgTriangular)             \
  TOPIC(SpectralFft)                  \
  TOPIC(SpectralRealFft)              \
  TOPIC(StringBase64)                 \
  TOPIC(StringFormat)                 \
  TOPIC(StringHash)                   \
  TOPIC(StringRegex)                  \
  TOPIC(StringStrip)                  \
  TOPIC(StringSubstr)                 \
  TOPIC(StringUnicode)                \
  TOPIC(ParsingCsv)                   \
  TOPIC(ParsingNumber)                \
  TOPIC(ParsingRaw)

namespace plumb::fast::cpu {

#define PLUMB_DECLARE_TOPIC(Topic) std::span<const KernelRow> Topic();
PLUMB_CPU_TOPICS(PLUMB_DECLARE_TOPIC)
#undef PLUMB_DECLARE_TOPIC

}  // namespace plumb::fast::cpu
