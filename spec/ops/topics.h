// The topics of the catalogue. TOPIC(array, concat, ArrayConcat) is the file spec/ops/array/concat.cc, which defines
// ArrayConcat(), the rows of the ops of that topic. A new topic is one line here.
#pragma once

#include <span>

#include "spec/ops/op_def.h"

// clang-format off
#define PLUMB_OP_TOPICS(TOPIC) \
  TOPIC(array, constant, ArrayConstant) \
  TOPIC(array, placeholder, ArrayPlaceholder) \
  TOPIC(array, identity, ArrayIdentity) \
  TOPIC(array, fill, ArrayFill) \
  TOPIC(array, range, ArrayRange) \
  TOPIC(array, lin_space, ArrayLinSpace) \
  TOPIC(array, one_hot, ArrayOneHot) \
  TOPIC(array, shape, ArrayShape) \
  TOPIC(array, reshape, ArrayReshape) \
  TOPIC(array, broadcast, ArrayBroadcast) \
  TOPIC(array, concat, ArrayConcat) \
  TOPIC(array, pack, ArrayPack) \
  TOPIC(array, split, ArraySplit) \
  TOPIC(array, slice, ArraySlice) \
  TOPIC(array, strided_slice, ArrayStridedSlice) \
  TOPIC(array, pad, ArrayPad) \
  TOPIC(array, tile, ArrayTile) \
  TOPIC(array, transpose, ArrayTranspose) \
  TOPIC(array, reverse, ArrayReverse) \
  TOPIC(array, gather, ArrayGather) \
  TOPIC(array, partition, ArrayPartition) \
  TOPIC(array, unique, ArrayUnique) \
  TOPIC(array, where, ArrayWhere) \
  TOPIC(math, arithmetic, MathArithmetic) \
  TOPIC(math, no_nan, MathNoNan) \
  TOPIC(math, reciprocal, MathReciprocal) \
  TOPIC(math, elementary, MathElementary) \
  TOPIC(math, trigonometric, MathTrigonometric) \
  TOPIC(math, hyperbolic, MathHyperbolic) \
  TOPIC(math, special, MathSpecial) \
  TOPIC(math, betainc, MathBetainc) \
  TOPIC(math, rounding, MathRounding) \
  TOPIC(math, complex, MathComplex) \
  TOPIC(math, compare, MathCompare) \
  TOPIC(math, approximate, MathApproximate) \
  TOPIC(math, logical, MathLogical) \
  TOPIC(math, bitwise, MathBitwise) \
  TOPIC(math, classify, MathClassify) \
  TOPIC(math, select, MathSelect) \
  TOPIC(math, select_v2, MathSelectV2) \
  TOPIC(math, clip, MathClip) \
  TOPIC(math, cast, MathCast) \
  TOPIC(math, next_after, MathNextAfter) \
  TOPIC(math, bucketize, MathBucketize) \
  TOPIC(math, cross, MathCross) \
  TOPIC(math, add_n, MathAddN) \
  TOPIC(activation, relu, ActivationRelu) \
  TOPIC(activation, leaky_relu, ActivationLeakyRelu) \
  TOPIC(activation, elu, ActivationElu) \
  TOPIC(activation, softplus, ActivationSoftplus) \
  TOPIC(activation, sigmoid, ActivationSigmoid) \
  TOPIC(activation, tanh, ActivationTanh) \
  TOPIC(activation, softmax, ActivationSoftmax) \
  TOPIC(reduction, reduce, ReductionReduce) \
  TOPIC(reduction, arg, ReductionArg) \
  TOPIC(reduction, top_k, ReductionTopK) \
  TOPIC(reduction, cumulative, ReductionCumulative) \
  TOPIC(reduction, cumulative_logsumexp, ReductionCumulativeLogsumexp) \
  TOPIC(reduction, segment, ReductionSegment) \
  TOPIC(matrix, matmul, MatrixMatmul) \
  TOPIC(matrix, batch_matmul, MatrixBatchMatmul) \
  TOPIC(convolution, conv2d, ConvolutionConv2d) \
  TOPIC(convolution, max_pool, ConvolutionMaxPool) \
  TOPIC(convolution, avg_pool, ConvolutionAvgPool) \
  TOPIC(normalization, bias, NormalizationBias) \
  TOPIC(normalization, lrn, NormalizationLrn) \
  TOPIC(normalization, batch_norm, NormalizationBatchNorm) \
  TOPIC(loss, cross_entropy, LossCrossEntropy) \
  TOPIC(loss, l2, LossL2) \
  TOPIC(control_flow, no_op, ControlFlowNoOp) \
  TOPIC(control_flow, branch, ControlFlowBranch) \
  TOPIC(control_flow, ref_select, ControlFlowRefSelect) \
  TOPIC(control_flow, loop, ControlFlowLoop) \
  TOPIC(state, variable, StateVariable) \
  TOPIC(state, count_up_to, StateCountUpTo) \
  TOPIC(state, scatter, StateScatter) \
  TOPIC(state, resource_variable, StateResourceVariable) \
  TOPIC(state, resource_gather, StateResourceGather) \
  TOPIC(optimizer, gradient_descent, OptimizerGradientDescent) \
  TOPIC(optimizer, momentum, OptimizerMomentum) \
  TOPIC(optimizer, adagrad, OptimizerAdagrad) \
  TOPIC(optimizer, rms_prop, OptimizerRmsProp) \
  TOPIC(optimizer, adam, OptimizerAdam) \
  TOPIC(optimizer, ftrl, OptimizerFtrl) \
  TOPIC(random, uniform, RandomUniform) \
  TOPIC(random, normal, RandomNormal) \
  TOPIC(random, shuffle, RandomShuffle) \
  TOPIC(random, stateless, RandomStateless) \
  TOPIC(random, multinomial, RandomMultinomial) \
  TOPIC(random, gamma, RandomGamma) \
  TOPIC(random, gamma_grad, RandomGammaGrad) \
  TOPIC(random, poisson, RandomPoisson) \
  TOPIC(random, candidate_sampler, RandomCandidateSampler) \
  TOPIC(data_flow, stack, DataFlowStack) \
  TOPIC(data_flow, tensor_array, DataFlowTensorArray) \
  TOPIC(data_flow, queue, DataFlowQueue) \
  TOPIC(data_flow, table, DataFlowTable) \
  TOPIC(data_flow, table_text_file, DataFlowTableTextFile) \
  TOPIC(string, join, StringJoin) \
  TOPIC(string, split, StringSplit) \
  TOPIC(check, assert, CheckAssert) \
  TOPIC(check, numerics, CheckNumerics) \
  TOPIC(function, call, FunctionCall) \
  TOPIC(function, conditional, FunctionConditional) \
  TOPIC(function, while_loop, FunctionWhileLoop) \
  TOPIC(function, symbolic_gradient, FunctionSymbolicGradient) \
  TOPIC(transfer, send_recv, TransferSendRecv) \
  TOPIC(array, mirror_pad, ArrayMirrorPad) \
  TOPIC(array, roll, ArrayRoll) \
  TOPIC(array, space_to_depth, ArraySpaceToDepth) \
  TOPIC(array, space_to_batch, ArraySpaceToBatch) \
  TOPIC(array, data_format, ArrayDataFormat) \
  TOPIC(array, gather_nd, ArrayGatherNd) \
  TOPIC(array, scatter_nd, ArrayScatterNd) \
  TOPIC(array, sorted, ArraySorted) \
  TOPIC(array, unravel_index, ArrayUnravelIndex) \
  TOPIC(array, diag, ArrayDiag) \
  TOPIC(array, band_part, ArrayBandPart) \
  TOPIC(array, matrix_diag, ArrayMatrixDiag) \
  TOPIC(state, scatter_nd, StateScatterNd) \
  TOPIC(optimizer, adadelta, OptimizerAdadelta) \
  TOPIC(optimizer, adagrad_da, OptimizerAdagradDa) \
  TOPIC(optimizer, proximal_descent, OptimizerProximalDescent) \
  TOPIC(optimizer, proximal_adagrad, OptimizerProximalAdagrad) \
  TOPIC(data_flow, accumulator, DataFlowAccumulator) \
  TOPIC(data_flow, sparse_accumulator, DataFlowSparseAccumulator) \
  TOPIC(data_flow, queue_kinds, DataFlowQueueKinds) \
  TOPIC(matrix, einsum, MatrixEinsum) \
  TOPIC(linalg, determinant, LinalgDeterminant) \
  TOPIC(linalg, solve, LinalgSolve) \
  TOPIC(linalg, triangular, LinalgTriangular) \
  TOPIC(spectral, fft, SpectralFft) \
  TOPIC(spectral, real_fft, SpectralRealFft) \
  TOPIC(clustering, nearest_neighbors, ClusteringNearestNeighbors) \
  TOPIC(clustering, seeding, ClusteringSeeding) \
  TOPIC(string, base64, StringBase64) \
  TOPIC(string, format, StringFormat) \
  TOPIC(string, hash, StringHash) \
  TOPIC(string, regex, StringRegex) \
  TOPIC(string, strip, StringStrip) \
  TOPIC(string, substr, StringSubstr) \
  TOPIC(string, unicode, StringUnicode) \
  TOPIC(parsing, csv, ParsingCsv) \
  TOPIC(parsing, number, ParsingNumber) \
  TOPIC(parsing, raw, ParsingRaw)
// clang-format on

namespace plumb::topics {

#define PLUMB_DECLARE(family, topic, Rows) std::span<const OpRow> Rows();
PLUMB_OP_TOPICS(PLUMB_DECLARE)
#undef PLUMB_DECLARE

}  // namespace plumb::topics
