// Graphs of the fake of cuDNN: what it refuses of them, and what time its engines take.
#include <cuda_runtime_api.h>

#include "fastpath/gpu/emulator/emulator_testing.h"
#include "fastpath/gpu/emulator/libraries/cudnn.h"
#include "fastpath/gpu/lib/dnn/cudnn_graph_abi.h"

namespace plumb::fast::emulated_gpu {
namespace {

using Ints = std::vector<int64_t>;

// One image of 2 channels, 3 rows and 4 columns, and a window of 2 by 2 for 3 channels, channels first.
class CudnnGraphTest : public EmulatorTest {
 protected:
  void SetUp() override {
    EmulatorTest::SetUp();
    before_ = InstallEmulatedCudnn({});
    EXPECT_EQ(cudnnCreate(&handle_), CUDNN_STATUS_SUCCESS);
    EXPECT_EQ(cudnnSetStream(handle_, stream_), CUDNN_STATUS_SUCCESS);
    graph_ = MakeGraph();
  }
  void TearDown() override {
    for (const auto descriptor : made_) cudnnBackendDestroyDescriptor(descriptor);
    cudnnDestroy(handle_);
    InstallEmulatedCudnn(before_);
  }

  cudnnBackendDescriptor_t New(cudnnBackendDescriptorType_t type) {
    EXPECT_EQ(cudnnBackendCreateDescriptor(type, &made_.emplace_back()), CUDNN_STATUS_SUCCESS);
    return made_.back();
  }
  template <class T>
  static cudnnStatus_t Set(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                           cudnnBackendAttributeType_t type, const std::vector<T>& values) {
    return cudnnBackendSetAttribute(descriptor, name, type, static_cast<int64_t>(values.size()), values.data());
  }
  static cudnnStatus_t Set(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name, const Ints& values) {
    return Set(descriptor, name, CUDNN_TYPE_INT64, values);
  }
  static cudnnStatus_t SetObject(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                                 cudnnBackendDescriptor_t object) {
    return Set(descriptor, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, std::vector{object});
  }

  cudnnBackendDescriptor_t Tensor(int64_t name, const Ints& sizes, const Ints& strides) {
    cudnnBackendDescriptor_t const tensor = New(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    Set(tensor, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, std::vector{CUDNN_DATA_FLOAT});
    Set(tensor, CUDNN_ATTR_TENSOR_DIMENSIONS, sizes);
    Set(tensor, CUDNN_ATTR_TENSOR_STRIDES, strides);
    Set(tensor, CUDNN_ATTR_TENSOR_UNIQUE_ID, {name});
    Set(tensor, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, {16});
    EXPECT_EQ(cudnnBackendFinalize(tensor), CUDNN_STATUS_SUCCESS);
    return tensor;
  }
  cudnnBackendDescriptor_t MakeGraph() {
    cudnnBackendDescriptor_t const slid = New(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
    Set(slid, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, {2});
    Set(slid, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, std::vector{CUDNN_DATA_FLOAT});
    Set(slid, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, std::vector{CUDNN_CROSS_CORRELATION});
    for (const auto name : {CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS}) {
      Set(slid, name, {0, 0});
    }
    for (const auto name : {CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES}) {
      Set(slid, name, {1, 1});
    }
    EXPECT_EQ(cudnnBackendFinalize(slid), CUDNN_STATUS_SUCCESS);
    cudnnBackendDescriptor_t const operation = New(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
    Set(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_TYPE_FLOAT, std::vector{1.0F});
    Set(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, CUDNN_TYPE_FLOAT, std::vector{0.0F});
    SetObject(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, slid);
    SetObject(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, Tensor(1, {1, 2, 3, 4}, {24, 12, 4, 1}));
    SetObject(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, Tensor(2, {3, 2, 2, 2}, {8, 4, 2, 1}));
    SetObject(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, Tensor(3, {1, 3, 2, 3}, {18, 6, 3, 1}));
    EXPECT_EQ(cudnnBackendFinalize(operation), CUDNN_STATUS_SUCCESS);
    cudnnBackendDescriptor_t const graph = New(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    Set(graph, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, std::vector{handle_});
    SetObject(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, operation);
    EXPECT_EQ(cudnnBackendFinalize(graph), CUDNN_STATUS_SUCCESS);
    return graph;
  }
  // The heuristics of a mode, not finalized.
  cudnnBackendDescriptor_t Heuristics(cudnnBackendHeurMode_t mode) {
    cudnnBackendDescriptor_t const heuristics = New(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    SetObject(heuristics, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph_);
    Set(heuristics, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, std::vector{mode});
    return heuristics;
  }
  // The plan of the last resort: one engine, which needs no workspace and takes 150 microseconds.
  cudnnBackendDescriptor_t Plan() {
    cudnnBackendDescriptor_t const heuristics = Heuristics(CUDNN_HEUR_MODE_FALLBACK);
    EXPECT_EQ(cudnnBackendFinalize(heuristics), CUDNN_STATUS_SUCCESS);
    cudnnBackendDescriptor_t config = New(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    int64_t count = 0;
    EXPECT_EQ(cudnnBackendGetAttribute(heuristics, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1,
                                       &count, &config),
              CUDNN_STATUS_SUCCESS);
    EXPECT_EQ(count, 1);
    cudnnBackendDescriptor_t const plan = New(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    Set(plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, std::vector{handle_});
    SetObject(plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, config);
    EXPECT_EQ(cudnnBackendFinalize(plan), CUDNN_STATUS_SUCCESS);
    return plan;
  }
  cudnnStatus_t Execute(cudnnBackendDescriptor_t plan, float* x, float* w, float* y) {
    cudnnBackendDescriptor_t const pack = New(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
    Set(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, {1, 2, 3});
    Set(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, std::vector<void*>{x, w, y});
    Set(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, std::vector<void*>{nullptr});
    EXPECT_EQ(cudnnBackendFinalize(pack), CUDNN_STATUS_SUCCESS);
    return cudnnBackendExecute(handle_, plan, pack);
  }

  EmulatedCudnn before_;
  cudnnHandle_t handle_ = nullptr;
  std::vector<cudnnBackendDescriptor_t> made_;
  cudnnBackendDescriptor_t graph_ = nullptr;
};

std::vector<float> Counted(int count) {
  std::vector<float> values;
  for (int i = 0; i < count; ++i) values.push_back(static_cast<float>(i));
  return values;
}

// The first sum, as an algorithm's (cudnn_test.cc); and by the stream's clock one microsecond more than the engine
// takes.
TEST_F(CudnnGraphTest, AddsUpProductsInItsTime) {
  const auto x = ToDevice(Counted(24)), w = ToDevice(Counted(24)), y = NewArray<float>(18);
  cudaEvent_t begin = nullptr, end = nullptr, untimed = nullptr;
  ASSERT_EQ(cudaEventCreateWithFlags(&begin, cudaEventDefault), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&end, cudaEventDefault), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming), cudaSuccess);
  float milliseconds = 0;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, begin, end), cudaErrorInvalidResourceHandle);  // not recorded
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  cudaEventRecord(begin, stream_);
  EXPECT_EQ(Execute(Plan(), x.data, w.data, y.data), CUDNN_STATUS_SUCCESS);
  cudaEventRecord(end, stream_);
  cudaEventRecord(untimed, stream_);
  EXPECT_EQ(ToHost(y).front(), 352.F);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, begin, end), cudaSuccess);
  EXPECT_EQ(milliseconds, 151.F / 1000);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, begin, untimed), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventElapsedTime(nullptr, begin, end), cudaErrorInvalidValue);
}

TEST_F(CudnnGraphTest, RefusesWhatIsNotWhole) {
  cudnnBackendDescriptor_t const tensor = New(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  EXPECT_EQ(cudnnBackendFinalize(tensor), CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(Set(tensor, CUDNN_ATTR_CONVOLUTION_DILATIONS, {1, 1}), CUDNN_STATUS_BAD_PARAM);  // it has no such thing
  cudnnBackendDescriptor_t const operation = New(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
  EXPECT_EQ(SetObject(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, tensor), CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(Set(graph_, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, std::vector{handle_}),
            CUDNN_STATUS_BAD_PARAM);  // it is whole already
  int64_t count = 0, number = 0;
  EXPECT_EQ(cudnnBackendGetAttribute(tensor, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &count, &number),
            CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(cudnnBackendDestroyDescriptor(nullptr), CUDNN_STATUS_BAD_PARAM);
}

TEST_F(CudnnGraphTest, HoldsItsTensorsToTheirAlignment) {
  const auto x = ToDevice(Counted(25)), w = ToDevice(Counted(24)), y = NewArray<float>(18);
  EXPECT_EQ(Execute(Plan(), x.data + 1, w.data, y.data), CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(Execute(Plan(), x.data, w.data, nullptr), CUDNN_STATUS_BAD_PARAM);
}

TEST_F(CudnnGraphTest, ChoosesNothingWhileAStreamCaptures) {
  cudnnBackendDescriptor_t const heuristics = Heuristics(CUDNN_HEUR_MODE_A);
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudnnBackendFinalize(heuristics), CUDNN_STATUS_INTERNAL_ERROR);
}

}  // namespace
}  // namespace plumb::fast::emulated_gpu
