// What a kernel refuses because of its inputs' shapes, the shape rule refuses before the run: a rule that lets too much
// through is seen here, for kernels that succeed (shape_rules.h) do not show it.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "conformance/compare/oracle.h"
#include "conformance/suites/single_node.h"
#include "conformance/suites/wrong_inputs_testing.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/shape_test_context.h"

namespace plumb::conformance {
namespace {

constexpr uint64_t kSeed = 5;

// Ops with the inputs whose shapes a kernel refuses and the rule takes: for the values that an input holds in that
// shape, or because TensorFlow's rule leaves this to the kernel too.
constexpr std::string_view kForValues[] = {"All 0 1",
                                           "Any 0 1",
                                           "ArgMax 0",
                                           "ArgMin 0",
                                           "BroadcastArgs 0 1",
                                           "BroadcastGradientArgs 0 1",
                                           "Cumprod 0",
                                           "Cumsum 0",
                                           "CumulativeLogsumexp 0",
                                           "DecodeCSV 0 1",
                                           "EuclideanNorm 0 1",
                                           "Gather 0",
                                           "GatherNd 0 1",
                                           "GatherV2 0",
                                           "InvertPermutation 0",
                                           "Max 0 1",
                                           "Mean 0 1",
                                           "MergeSummary 0 1",
                                           "Min 0 1",
                                           "Prod 0 1",
                                           "QuantizedReshape 1",
                                           "RaggedCross 0 1",
                                           "RaggedGather 0 1 2",
                                           "RaggedTensorToSparse 0 1 2 3",
                                           "RaggedTensorToTensor 1 3 4",
                                           "ReduceJoin 1",
                                           "Reshape 1",
                                           "Roll 0",
                                           "SparseReshape 0 2",
                                           "SparseSegmentMean 0",
                                           "SparseSegmentMeanGrad 0",
                                           "SparseSegmentMeanWithNumSegments 0",
                                           "SparseSegmentSqrtN 0",
                                           "SparseSegmentSqrtNGrad 0",
                                           "SparseSegmentSqrtNWithNumSegments 0",
                                           "SparseSegmentSum 0",
                                           "SparseSegmentSumGrad 0",
                                           "SparseSegmentSumWithNumSegments 0",
                                           "StringNGrams 0 1",
                                           "Sum 0 1",
                                           "UnicodeEncode 0 1"};
constexpr std::string_view kLeftToTheKernel[] = {"AddManySparseToTensorsMap 0 1 2",
                                                 "AddSparseToTensorsMap 0 1 2",
                                                 "AdjustHue 0",
                                                 "AdjustSaturation 0",
                                                 "AllCandidateSampler 0",
                                                 "Assert 0",
                                                 "AudioSummary 0 1",
                                                 "AudioSummaryV2 0 1 2",
                                                 "AvgPool3DGrad 1",
                                                 "AvgPoolGrad 1",
                                                 "Batch 0 1",
                                                 "BatchCholesky 0",
                                                 "BatchCholeskyGrad 0 1",
                                                 "BatchMatrixBandPart 0 1 2",
                                                 "BatchMatrixDeterminant 0",
                                                 "BatchMatrixDiag 0",
                                                 "BatchMatrixDiagPart 0",
                                                 "BatchMatrixInverse 0",
                                                 "BatchMatrixSetDiag 0 1",
                                                 "BatchMatrixSolve 0 1",
                                                 "BatchMatrixSolveLs 0 1 2",
                                                 "BatchMatrixTriangularSolve 0 1",
                                                 "BatchSelfAdjointEig 0",
                                                 "BatchSelfAdjointEigV2 0",
                                                 "BatchSvd 0",
                                                 "Bincount 0 2",
                                                 "BlockLSTM 0 1 2 3 4 5 6 7",
                                                 "BlockLSTMGrad 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17",
                                                 "BlockLSTMGradV2 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17",
                                                 "BlockLSTMV2 0 1 2 3 4 5 6 7",
                                                 "CTCLoss 1",
                                                 "BoostedTreesCalculateBestGainsPerFeature 1",
                                                 "CTCLossV2 1",
                                                 "CholeskyGrad 0 1",
                                                 "ClipByValue 0 1 2",
                                                 "Conv2DBackpropFilter 0 2",
                                                 "Conv2DBackpropInput 1 2",
                                                 "Conv3DBackpropFilter 0 1 2",
                                                 "Conv3DBackpropFilterV2 0 2",
                                                 "Conv3DBackpropInput 0 1 2",
                                                 "Conv3DBackpropInputV2 1 2",
                                                 "CropAndResizeGradBoxes 0 1",
                                                 "CropAndResizeGradImage 0 1 2",
                                                 "DataFormatVecPermute 0",
                                                 "DenseBincount 0 2",
                                                 "DenseCountSparseOutput 0 1",
                                                 "DenseToSparseSetOperation 0",
                                                 "DepthwiseConv2dNativeBackpropFilter 0 2",
                                                 "DepthwiseConv2dNativeBackpropInput 1 2",
                                                 "Dilation2DBackpropFilter 0 1 2",
                                                 "Dilation2DBackpropInput 0 1 2",
                                                 "DrawBoundingBoxes 0 1",
                                                 "DrawBoundingBoxesV2 0 1 2",
                                                 "EditDistance 0 1 2 3 4 5",
                                                 "EncodeJpeg 0",
                                                 "EncodeJpegVariableQuality 0",
                                                 "EncodePng 0",
                                                 "FixedUnigramCandidateSampler 0",
                                                 "FractionalAvgPoolGrad 1 2 3",
                                                 "FusedBatchNorm 3 4",
                                                 "FusedBatchNormV2 3 4",
                                                 "FusedBatchNormV3 3 4",
                                                 "GRUBlockCell 0 1 2 3 4 5",
                                                 "GRUBlockCellGrad 0 1 2 3 4 5 6 7 8 9",
                                                 "GenerateBoundingBoxProposals 0 1 2 3",
                                                 "HistogramSummary 0",
                                                 "IRFFT 0",
                                                 "IRFFT2D 0",
                                                 "IRFFT3D 0",
                                                 "ImageProjectiveTransformV2 0 1",
                                                 "ImageProjectiveTransformV3 1 3",
                                                 "ImageSummary 0 1",
                                                 "InplaceAdd 0 1 2",
                                                 "InplaceSub 0 1 2",
                                                 "InplaceUpdate 0 1 2",
                                                 "KMC2ChainInitialization 0 1",
                                                 "KmeansPlusPlusInitialization 0 1 2 3",
                                                 "LSTMBlockCell 0 1 2 3 4 5 6 7",
                                                 "LSTMBlockCellGrad 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15",
                                                 "LearnedUnigramCandidateSampler 0",
                                                 "LogUniformCandidateSampler 0",
                                                 "MatrixBandPart 0 1 2",
                                                 "MaxPool3DGrad 0 1 2",
                                                 "MaxPool3DGradGrad 1",
                                                 "MaxPoolGrad 0 1 2",
                                                 "MaxPoolGradGrad 1",
                                                 "MaxPoolGradGradV2 1 3 4",
                                                 "MaxPoolGradV2 0 1 2 3 4",
                                                 "MaxPoolGradWithArgmax 0 1 2",
                                                 "MaxPoolV2 1 2",
                                                 "NearestNeighbors 0 1 2",
                                                 "ParameterizedTruncatedNormal 1 2 3 4",
                                                 "ParseExample 0 1 2 3 4 5",
                                                 "ParseExampleV2 0 1 2 3 4 5 6",
                                                 "ParseSequenceExample 0 1 2",
                                                 "ParseSequenceExampleV2 0 1 2 3 4 5 6 7 8 9",
                                                 "ParseSingleExample 1 2",
                                                 "ParseSingleSequenceExample 2 3 4 5 6 7",
                                                 "QuantizeAndDequantizeV4Grad 2",
                                                 "QuantizeV2 1",
                                                 "QuantizedBatchNormWithGlobalNormalization 1 2 4 5 7 8 10 11 13 14",
                                                 "QuantizedConv2D 0",
                                                 "QuantizedMul 2 3 4 5",
                                                 "RFFT 0",
                                                 "RFFT2D 0",
                                                 "RFFT3D 0",
                                                 "RaggedBincount 0 1 3",
                                                 "RequantizationRangePerChannel 0 1 2",
                                                 "RequantizePerChannel 0 1 2",
                                                 "ResizeBicubicGrad 0 1",
                                                 "ResizeBilinearGrad 0 1",
                                                 "Roll 1 2",
                                                 "ScalarSummary 0 1",
                                                 "ScaleAndTranslateGrad 0 1 2 3",
                                                 "SdcaOptimizer 0 1 2 3 4 5 6 7 8 9 10 12 13",
                                                 "SdcaOptimizerV2 0 1 2 3 4 5 6 7 8 9 10 12 13",
                                                 "SegmentMax 0 1",
                                                 "SegmentMean 0 1",
                                                 "SegmentMin 0 1",
                                                 "SegmentProd 0 1",
                                                 "SegmentSum 0 1",
                                                 "SerializeManySparse 0 1 2",
                                                 "SetSize 0 1 2",
                                                 "ShardedFilename 0 1 2",
                                                 "ShardedFilespec 0 1",
                                                 "SparseAdd 0 1 2 3 4 5 6",
                                                 "SparseAddGrad 0 1 2 3",
                                                 "SparseBincount 0 1 2 4",
                                                 "SparseCountSparseOutput 0 1 2 3",
                                                 "SparseCross 0 1 2 3 4 5 6",
                                                 "SparseCrossV2 0 1 2 3 4 5 6 7",
                                                 "SparseDenseCwiseAdd 0 1 2 3",
                                                 "SparseDenseCwiseDiv 0 1 2 3",
                                                 "SparseDenseCwiseMul 0 1 2 3",
                                                 "SparseReduceMax 0 1 2 3",
                                                 "SparseReduceMaxSparse 0 1 2 3",
                                                 "SparseReduceSum 0 1 2 3",
                                                 "SparseReduceSumSparse 0 1 2 3",
                                                 "SparseSliceGrad 0 1 2 3",
                                                 "SparseSparseMaximum 0 1 2 3 4 5",
                                                 "SparseSparseMinimum 0 1 2 3 4 5",
                                                 "SparseSplit 0 1 2 3",
                                                 "SparseTensorDenseAdd 0 1 2 3",
                                                 "SparseTensorDenseMatMul 0 1",
                                                 "SparseToDense 0 1 2 3",
                                                 "StatelessRandomBinomial 0 2 3",
                                                 "StatelessRandomGammaV2 0 2",
                                                 "StatelessRandomGammaV3 0 4",
                                                 "StatelessRandomPoisson 0 2",
                                                 "TensorStridedSliceUpdate 0 1 2 3 4",
                                                 "TensorSummaryV2 0 2",
                                                 "ThreadUnsafeUnigramCandidateSampler 0",
                                                 "TileGrad 0 1",
                                                 "Unbatch 0 1 2",
                                                 "UnbatchGrad 0 1 3",
                                                 "UniformCandidateSampler 0",
                                                 "UnsortedSegmentJoin 1",
                                                 "Where 0"};

// One and two dimensions more, one less, none, and each of them larger by one.
std::vector<Shape> Neighbours(const Shape& shape) {
  const std::vector<int64_t> dims(shape.dims().begin(), shape.dims().end());
  std::vector<std::vector<int64_t>> others(2, dims);
  others[0].insert(others[0].begin(), 1);
  others[1].insert(others[1].begin(), {2, 1});
  if (!dims.empty()) others.emplace_back(dims.begin() + 1, dims.end());
  if (dims.size() > 1) others.emplace_back();
  for (size_t i = 0; i < dims.size(); ++i) {
    others.push_back(dims);
    ++others.back()[i];
  }
  std::vector<Shape> shapes;
  for (const std::vector<int64_t>& other : others) shapes.emplace_back(other);
  return shapes;
}

// Knowing all values.
bool RuleRefuses(const OpDef& op, const SampledCase& sample) {
  std::vector<PartialShape> shapes;
  std::map<int, Tensor> values;
  for (const Tensor& input : sample.inputs) {
    values.emplace(static_cast<int>(shapes.size()), input);
    shapes.emplace_back(input.shape());
  }
  try {
    InferShapes(TestShapeContext(op, std::move(shapes), sample.attrs, std::move(values)));
    return false;
  } catch (const Error&) {
    return true;
  }
}

Status Computed(const OpDef& op, const SampledCase& sample) {
  const SingleNode program = MakeSingleNode(op, sample);
  reference::ReferenceSession session{SessionOptions{}};
  const Status loaded = session.Extend(program.graph);
  if (!loaded.ok()) return loaded;
  std::vector<Tensor> outputs;
  return session.Run(program.run.feeds, program.run.fetches, program.run.targets, &outputs);
}

bool CanTry(const OpDef& op) {
  const bool takes_objects = std::any_of(op.inputs.begin(), op.inputs.end(), [](const ArgDef& input) {
    return input.is_ref || input.type == DType::kResource || input.type == DType::kVariant;
  });
  return CanSample(op) && !takes_objects && op.strictness != Strictness::kRepeatsDeclaration;
}

// "Op 0", as "Op 0 1" lists it.
std::set<std::string> Known() {
  std::set<std::string> known;
  const auto take = [&](std::string_view line) {
    std::istringstream words{std::string(line)};
    std::string op, input;
    words >> op;
    while (words >> input) known.insert(op + " " + input);
  };
  std::for_each(std::begin(kForValues), std::end(kForValues), take);
  std::for_each(std::begin(kLeftToTheKernel), std::end(kLeftToTheKernel), take);
  return known;
}

struct Found {
  std::set<std::string> lax;
  int refused = 0;  // by both
};

void TryShapes(const OpDef& op, SampledCase sample, Found* found) {
  for (size_t i = 0; i < sample.inputs.size(); ++i) {
    const Tensor own = sample.inputs[i];
    for (const Shape& shape : Neighbours(own.shape())) {
      sample.inputs[i] = InShape(own, shape);
      const Status status = Computed(op, sample);
      if (status.code() != Code::kInvalidArgument) continue;
      if (RuleRefuses(op, sample)) {
        ++found->refused;
      } else if (found->lax.insert(Str(op.name, " ", i)).second) {
        EXPECT_TRUE(Known().contains(Str(op.name, " ", i)))
            << op.name << " lets the shape " << shape.ToString() << " of input " << i << " through, which was "
            << own.shape().ToString() << ", and its kernel says: " << status.message();
      }
    }
    sample.inputs[i] = own;
  }
}

TEST(RefusedShapes, AreRefusedByTheRuleToo) {
  Found found;
  for (const OpDef* op : AllOps()) {
    if (!CanTry(*op)) continue;
    for (const SampledCase& sample : SampleInputs(*op, {}, kSeed)) {
      const bool is_ordinary = sample.label.find("ordinary") != std::string::npos;
      if (sample.StandsAlone() && is_ordinary) TryShapes(*op, sample, &found);
    }
  }
  EXPECT_GT(found.refused, 1000);
  for (const std::string& known : Known())
    EXPECT_TRUE(found.lax.contains(known)) << known << ": the rule sees it by now";
}

}  // namespace
}  // namespace plumb::conformance
