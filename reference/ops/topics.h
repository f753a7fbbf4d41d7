// The topics whose ops have kernels: topics::FamilyTopic gives the rows of reference/ops/FAMILY/TOPIC.cc. A new topic
// is a new file and a line here. Switch, Merge and the ops on frames and messages have no kernels: they are rules of
// the step (reference/step/control_flow.h).
#pragma once

#include <span>

#include "reference/kernel/op_context.h"

#define PLUMB_REFERENCE_TOPICS(TOPIC) \
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
  TOPIC(ControlFlowLoop)              \
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
  TOPIC(RandomStateless)              \
  TOPIC(RandomMultinomial)            \
  TOPIC(RandomGamma)                  \
  TOPIC(RandomGammaGrad)              \
  TOPIC(RandomPoisson)                \
  TOPIC(RandomCandidateSampler)       \
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
  TOPIC(ClusteringNearestNeighbors)   \
  TOPIC(ClusteringSeeding)            \
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

namespace plumb::reference::topics {

#define PLUMB_DECLARE_TOPIC(name) std::span<const KernelRow> name();
PLUMB_REFERENCE_TOPICS(PLUMB_DECLARE_TOPIC)
#undef PLUMB_DECLARE_TOPIC

}  // namespace plumb::reference::topics
