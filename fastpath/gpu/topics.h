// The topics of the GPU's kernels: FAMILY/TOPIC.cu gives its rows as FamilyTopic(). Switch, Merge, frame ops, Send and
// Recv are the executor's own.
#pragma once

#include <span>

#include "fastpath/gpu/gpu_context.h"

#define PLUMB_GPU_TOPICS(TOPIC)            \
  TOPIC(ArrayReshape)                      \
  TOPIC(ArrayShape)                        \
  TOPIC(ArrayTranspose)                    \
  TOPIC(ArrayFill)                         \
  TOPIC(ArrayIdentity)                     \
  TOPIC(ArrayConcat)                       \
  TOPIC(ArrayMirrorPad)                    \
  TOPIC(ArrayPack)                         \
  TOPIC(ArrayPad)                          \
  TOPIC(ArraySlice)                        \
  TOPIC(ArraySplit)                        \
  TOPIC(ArrayStridedSlice)                 \
  TOPIC(ArrayTile)                         \
  TOPIC(ArrayBroadcast)                    \
  TOPIC(ArrayDiag)                         \
  TOPIC(ArrayGather)                       \
  TOPIC(ArrayGatherNd)                     \
  TOPIC(ArrayMatrixDiag)                   \
  TOPIC(ArrayOneHot)                       \
  TOPIC(ArrayReverse)                      \
  TOPIC(ArrayBandPart)                     \
  TOPIC(ArrayBitcast)                      \
  TOPIC(ArrayInplace)                      \
  TOPIC(ArrayParallelConcat)               \
  TOPIC(ArrayScatterNd)                    \
  TOPIC(ArrayPartition)                    \
  TOPIC(ArrayRoll)                         \
  TOPIC(ArrayWhere)                        \
  TOPIC(ArrayDataFormat)                   \
  TOPIC(ArraySorted)                       \
  TOPIC(ArraySpaceToBatch)                 \
  TOPIC(ArraySpaceToDepth)                 \
  TOPIC(ArrayPatches)                      \
  TOPIC(MathArithmetic)                    \
  TOPIC(MathNoNan)                         \
  TOPIC(MathReciprocal)                    \
  TOPIC(MathElementary)                    \
  TOPIC(MathTrigonometric)                 \
  TOPIC(MathHyperbolic)                    \
  TOPIC(MathRounding)                      \
  TOPIC(MathCompare)                       \
  TOPIC(MathLogical)                       \
  TOPIC(MathBitwise)                       \
  TOPIC(MathClassify)                      \
  TOPIC(MathCast)                          \
  TOPIC(MathSelect)                        \
  TOPIC(MathSelectV2)                      \
  TOPIC(MathAddN)                          \
  TOPIC(MathClip)                          \
  TOPIC(MathBetainc)                       \
  TOPIC(MathBucketize)                     \
  TOPIC(MathSpecial)                       \
  TOPIC(MathErfinv)                        \
  TOPIC(MathBessel)                        \
  TOPIC(MathIntegrals)                     \
  TOPIC(MathIgamma)                        \
  TOPIC(MathComplex)                       \
  TOPIC(MathCross)                         \
  TOPIC(MathApproximate)                   \
  TOPIC(CheckNumerics)                     \
  TOPIC(ActivationRelu)                    \
  TOPIC(ActivationElu)                     \
  TOPIC(ActivationSoftplus)                \
  TOPIC(ActivationSigmoid)                 \
  TOPIC(ActivationTanh)                    \
  TOPIC(DataFlowOptional)                  \
  TOPIC(DataFlowStack)                     \
  TOPIC(DataFlowStage)                     \
  TOPIC(DataFlowTensorArray)               \
  TOPIC(DataFlowTensorArrayOlder)          \
  TOPIC(DataFlowTensorList)                \
  TOPIC(DataFlowTensorListPack)            \
  TOPIC(StateVariable)                     \
  TOPIC(StateTemporaryVariable)            \
  TOPIC(StateSessionTensor)                \
  TOPIC(StateResourceVariable)             \
  TOPIC(StateResourceGather)               \
  TOPIC(StateScatter)                      \
  TOPIC(StateScatterNd)                    \
  TOPIC(OptimizerGradientDescent)          \
  TOPIC(OptimizerMomentum)                 \
  TOPIC(OptimizerAdagrad)                  \
  TOPIC(OptimizerAdam)                     \
  TOPIC(OptimizerAdadelta)                 \
  TOPIC(OptimizerRmsProp)                  \
  TOPIC(OptimizerFtrl)                     \
  TOPIC(OptimizerProximalAdagrad)          \
  TOPIC(MatrixMatmul)                      \
  TOPIC(MatrixBatchMatmul)                 \
  TOPIC(MatrixEinsum)                      \
  TOPIC(ReductionReduce)                   \
  TOPIC(ReductionArg)                      \
  TOPIC(ActivationSoftmax)                 \
  TOPIC(LossCrossEntropy)                  \
  TOPIC(LossL2)                            \
  TOPIC(LossCtcLoss)                       \
  TOPIC(NormalizationBias)                 \
  TOPIC(ActivationLeakyRelu)               \
  TOPIC(RandomUniform)                     \
  TOPIC(RandomNormal)                      \
  TOPIC(RandomStateless)                   \
  TOPIC(RandomBoundedNormal)               \
  TOPIC(RandomGenerator)                   \
  TOPIC(RandomMultinomial)                 \
  TOPIC(ConvolutionConv2d)                 \
  TOPIC(ConvolutionMaxPool)                \
  TOPIC(ConvolutionMaxPoolArgmax)          \
  TOPIC(ConvolutionAvgPool)                \
  TOPIC(ConvolutionPool3d)                 \
  TOPIC(ConvolutionConv3d)                 \
  TOPIC(ConvolutionDilation)               \
  TOPIC(NormalizationBatchNorm)            \
  TOPIC(NormalizationLrn)                  \
  TOPIC(ReductionSegment)                  \
  TOPIC(ReductionSortedSegment)            \
  TOPIC(ReductionSparseSegment)            \
  TOPIC(ReductionCumulative)               \
  TOPIC(ReductionCumulativeLogsumexp)      \
  TOPIC(ReductionHistogram)                \
  TOPIC(ReductionTopK)                     \
  TOPIC(ReductionBincount)                 \
  TOPIC(ConvolutionDepthwise)              \
  TOPIC(ImageAdjust)                       \
  TOPIC(ImageColor)                        \
  TOPIC(ImageCropAndResize)                \
  TOPIC(ImageProjectiveTransform)          \
  TOPIC(ImageResizeBilinear)               \
  TOPIC(ImageResizeNearest)                \
  TOPIC(QuantizationFakeQuant)             \
  TOPIC(QuantizationQuantizeAndDequantize) \
  TOPIC(SparseMatmul)                      \
  TOPIC(SparseToDense)                     \
  TOPIC(SparseFillEmptyRows)               \
  TOPIC(SparseReorder)                     \
  TOPIC(SparseReshape)                     \
  TOPIC(SparseCsr)                         \
  TOPIC(SparseSlice)                       \
  TOPIC(SparseConcat)                      \
  TOPIC(SparseSplit)                       \
  TOPIC(ImageBoxProposals)                 \
  TOPIC(ImageNonMaxSuppression)            \
  TOPIC(ArrayUnique)                       \
  TOPIC(RnnLstmCell)                       \
  TOPIC(RnnBlockLstm)                      \
  TOPIC(RnnGruCell)                        \
  TOPIC(LinalgCholesky)                    \
  TOPIC(LinalgDeterminant)                 \
  TOPIC(LinalgEigen)                       \
  TOPIC(LinalgLu)                          \
  TOPIC(LinalgQr)                          \
  TOPIC(LinalgSolve)                       \
  TOPIC(LinalgSvd)                         \
  TOPIC(LinalgTriangular)                  \
  TOPIC(LinalgTridiagonal)                 \
  TOPIC(SpectralFft)                       \
  TOPIC(SpectralRealFft)

namespace plumb::fast::GPU_NAMESPACE {

#define PLUMB_DECLARE_TOPIC(Topic) std::span<const GpuKernelRow> Topic();
PLUMB_GPU_TOPICS(PLUMB_DECLARE_TOPIC)
#undef PLUMB_DECLARE_TOPIC

// The row of an op on GPUs, or null.
const GpuKernelRow* FindGpuKernel(std::string_view op);
// How the row's op does a node: for variants the host keeps the books, whatever is done with numbers.
ByHost HowOf(const GpuKernelRow& row, const Node& node);
bool HasKernelFor(std::string_view op);

}  // namespace plumb::fast::GPU_NAMESPACE
