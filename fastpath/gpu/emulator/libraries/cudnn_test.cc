// The fake of cuDNN: what it refuses, and what its convolutions are.
#include "fastpath/gpu/emulator/libraries/cudnn.h"

#include "fastpath/gpu/emulator/emulator_testing.h"
#include "fastpath/gpu/lib/dnn/cudnn_functions.h"

namespace plumb::fast::emulated_gpu {
namespace {

constexpr float kOne = 1, kZero = 0;

// One image of 2 channels, 3 rows and 4 columns, and a window of 2 by 2 for 3 channels, channels first.
class CudnnTest : public EmulatorTest {
 protected:
  void SetUp() override {
    EmulatorTest::SetUp();
    before_ = InstallEmulatedCudnn({});
    EXPECT_EQ(cudnnCreate(&handle_), CUDNN_STATUS_SUCCESS);
    EXPECT_EQ(cudnnSetStream(handle_, stream_), CUDNN_STATUS_SUCCESS);
    for (cudnnTensorDescriptor_t* const tensor : {&x_, &y_}) cudnnCreateTensorDescriptor(tensor);
    cudnnCreateFilterDescriptor(&w_);
    cudnnCreateConvolutionDescriptor(&convolution_);
    EXPECT_EQ(SetX({1, 2, 3, 4}, {24, 12, 4, 1}), CUDNN_STATUS_SUCCESS);
    EXPECT_EQ(SetTensor(y_, {1, 3, 2, 3}, {18, 6, 3, 1}), CUDNN_STATUS_SUCCESS);
    EXPECT_EQ(SetW({3, 2, 2, 2}), CUDNN_STATUS_SUCCESS);
    EXPECT_EQ(SetConvolution({0, 0}, {1, 1}, {1, 1}), CUDNN_STATUS_SUCCESS);
  }
  void TearDown() override {
    cudnnDestroyConvolutionDescriptor(convolution_);
    cudnnDestroyFilterDescriptor(w_);
    for (const cudnnTensorDescriptor_t tensor : {x_, y_}) cudnnDestroyTensorDescriptor(tensor);
    cudnnDestroy(handle_);
    InstallEmulatedCudnn(before_);
  }

  using Ints = std::vector<int>;
  static cudnnStatus_t SetTensor(cudnnTensorDescriptor_t tensor, const Ints& sizes, const Ints& strides,
                                 cudnnDataType_t type = CUDNN_DATA_FLOAT) {
    return cudnnSetTensorNdDescriptor(tensor, type, static_cast<int>(sizes.size()), sizes.data(), strides.data());
  }
  cudnnStatus_t SetX(const Ints& sizes, const Ints& strides) { return SetTensor(x_, sizes, strides); }
  cudnnStatus_t SetW(const Ints& sizes, cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW) {
    return cudnnSetFilterNdDescriptor(w_, CUDNN_DATA_FLOAT, format, static_cast<int>(sizes.size()), sizes.data());
  }
  cudnnStatus_t SetConvolution(const Ints& padding, const Ints& strides, const Ints& dilations,
                               cudnnDataType_t computed = CUDNN_DATA_FLOAT) {
    return cudnnSetConvolutionNdDescriptor(convolution_, static_cast<int>(padding.size()), padding.data(),
                                           strides.data(), dilations.data(), CUDNN_CROSS_CORRELATION, computed);
  }
  cudnnStatus_t Measure(cudnnConvolutionFwdAlgo_t algorithm, size_t* bytes) {
    return cudnnGetConvolutionForwardWorkspaceSize(handle_, x_, w_, convolution_, y_, algorithm, bytes);
  }
  // Whether the four describe a convolution.
  cudnnStatus_t Described() {
    size_t bytes = 0;
    return Measure(CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, &bytes);
  }
  cudnnStatus_t Forward(Global<float> x, Global<float> w, Global<float> y, cudnnConvolutionFwdAlgo_t algorithm,
                        void* workspace, size_t bytes) {
    return cudnnConvolutionForward(handle_, &kOne, x_, x.data, w_, w.data, convolution_, algorithm, workspace, bytes,
                                   &kZero, y_, y.data);
  }
  static std::vector<float> Counted(int count) {
    std::vector<float> values;
    for (int i = 0; i < count; ++i) values.push_back(static_cast<float>(i));
    return values;
  }

  EmulatedCudnn before_;
  cudnnHandle_t handle_ = nullptr;
  cudnnTensorDescriptor_t x_ = nullptr, y_ = nullptr;
  cudnnFilterDescriptor_t w_ = nullptr;
  cudnnConvolutionDescriptor_t convolution_ = nullptr;
};

TEST_F(CudnnTest, RefusesDescriptorsOfNothing) {
  EXPECT_EQ(SetX({1, 2, 3}, {6, 3, 1}), CUDNN_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(SetX({1, 0, 3, 4}, {12, 12, 4, 1}), CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(SetX({1, 2, 3, 4}, {24, 12, 4, 0}), CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(SetX({1 << 15, 1 << 15, 2, 1}, {1 << 16, 2, 1, 1}), CUDNN_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(SetW({3, 2, 2}), CUDNN_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(SetW({3, 2, -2, 2}), CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(SetW({3, 2, 2, 2}, static_cast<cudnnTensorFormat_t>(7)), CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(SetConvolution({-1, 0}, {1, 1}, {1, 1}), CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(SetConvolution({0, 0}, {0, 1}, {1, 1}), CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(SetConvolution({0}, {1}, {1}), CUDNN_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(SetConvolution({0, 0}, {1, 1}, {1, 1}, CUDNN_DATA_BFLOAT16), CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(cudnnSetConvolutionGroupCount(convolution_, 0), CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(Described(), CUDNN_STATUS_SUCCESS) << "what is refused changes nothing";
}

TEST_F(CudnnTest, RefusesWhatDoesNotFitTogether) {
  ASSERT_EQ(SetConvolution({1, 0}, {1, 1}, {1, 1}), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(Described(), CUDNN_STATUS_BAD_PARAM);  // that gives 4 rows
  ASSERT_EQ(SetConvolution({0, 0, 0}, {1, 1, 1}, {1, 1, 1}), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(Described(), CUDNN_STATUS_BAD_PARAM);
  ASSERT_EQ(SetConvolution({0, 0}, {1, 1}, {1, 1}, CUDNN_DATA_DOUBLE), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(Described(), CUDNN_STATUS_NOT_SUPPORTED);
  ASSERT_EQ(SetConvolution({0, 0}, {1, 1}, {1, 1}), CUDNN_STATUS_SUCCESS);
  ASSERT_EQ(SetW({3, 1, 2, 2}), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(Described(), CUDNN_STATUS_BAD_PARAM);  // of one channel
  ASSERT_EQ(SetW({3, 2, 2, 2}, CUDNN_TENSOR_NHWC), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(Described(), CUDNN_STATUS_NOT_SUPPORTED);
  ASSERT_EQ(SetX({1, 2, 3, 4}, {24, 1, 8, 2}), CUDNN_STATUS_SUCCESS);
  ASSERT_EQ(SetTensor(y_, {1, 3, 2, 3}, {18, 1, 9, 3}), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(Described(), CUDNN_STATUS_SUCCESS);  // all three have the channels last
  ASSERT_EQ(SetTensor(x_, {1, 2, 3, 4}, {24, 1, 8, 2}, CUDNN_DATA_HALF), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(Described(), CUDNN_STATUS_BAD_PARAM);
  cudnnTensorDescriptor_t unset = nullptr;
  ASSERT_EQ(cudnnCreateTensorDescriptor(&unset), CUDNN_STATUS_SUCCESS);
  size_t bytes = 0;
  EXPECT_EQ(cudnnGetConvolutionForwardWorkspaceSize(handle_, unset, w_, convolution_, y_,
                                                    CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, &bytes),
            CUDNN_STATUS_BAD_PARAM);
  cudnnDestroyTensorDescriptor(unset);
}

// y[k] at (i, j) is the sum of x[c] at (i + r, j + s) times w[k, c] at (r, s).
TEST_F(CudnnTest, AddsUpProducts) {
  const auto x = ToDevice(Counted(24)), w = ToDevice(Counted(24)), y = NewArray<float>(18);
  ASSERT_EQ(Forward(x, w, y, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0), CUDNN_STATUS_SUCCESS);
  const std::vector<float> sums = ToHost(y);
  // The first: x is 0 1 4 5 and 12 13 16 17, w 0 … 7:
  // 0·0 + 1·1 + 4·2 + 5·3 + 12·4 + 13·5 + 16·6 + 17·7 = 352.
  EXPECT_EQ(sums.front(), 352.F);
  // The last: x is 6 7 10 11 and 18 19 22 23, w 16 … 23:
  // 6·16 + 7·17 + 10·18 + 11·19 + 18·20 + 19·21 + 22·22 + 23·23 = 2376.
  EXPECT_EQ(sums.back(), 2376.F);
}

TEST_F(CudnnTest, LooksAtItsWorkspace) {
  const auto x = ToDevice(Counted(24)), w = ToDevice(Counted(24)), y = NewArray<float>(18);
  constexpr auto kAlgorithm = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
  size_t bytes = 0;
  ASSERT_EQ(Measure(kAlgorithm, &bytes), CUDNN_STATUS_SUCCESS);
  ASSERT_GT(bytes, 16U);
  const auto workspace = NewArray<uint8_t>(static_cast<int64_t>(bytes) + 16);
  EXPECT_EQ(Forward(x, w, y, kAlgorithm, workspace.data, bytes - 1), CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(Forward(x, w, y, kAlgorithm, nullptr, bytes), CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(Forward(x, w, y, kAlgorithm, workspace.data + 4, bytes), CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(Forward(x, w, y, CUDNN_CONVOLUTION_FWD_ALGO_DIRECT, workspace.data, bytes), CUDNN_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(Forward(x, w, y, kAlgorithm, workspace.data, bytes), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
  // What it says it has is written to: memory that is let go too early is found out.
  ASSERT_EQ(cudaFree(workspace.data), cudaSuccess);
  // Whether the call notices it already depends on the stream, which goes on beside it.
  EXPECT_THAT(Forward(x, w, y, kAlgorithm, workspace.data, bytes),
              testing::AnyOf(CUDNN_STATUS_SUCCESS, CUDNN_STATUS_EXECUTION_FAILED));
  ExpectFailure(cudaErrorIllegalAddress, "Touch");
}

TEST_F(CudnnTest, ChoosesNothingWhileAStreamCaptures) {
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
  cudnnConvolutionFwdAlgoPerf_t found[CUDNN_CONVOLUTION_FWD_ALGO_COUNT];
  int count = 0;
  EXPECT_EQ(cudnnGetConvolutionForwardAlgorithm_v7(handle_, x_, w_, convolution_, y_, CUDNN_CONVOLUTION_FWD_ALGO_COUNT,
                                                   &count, found),
            CUDNN_STATUS_INTERNAL_ERROR);
  cudnnHandle_t other = nullptr;
  EXPECT_EQ(cudnnCreate(&other), CUDNN_STATUS_INTERNAL_ERROR);
}

TEST_F(CudnnTest, IsFoundInItsVersionOrNot) {
  EXPECT_EQ(LoadCudnn().version, "9.19.0");
  const auto why = [](const EmulatedCudnn& installed) -> std::string {
    InstallEmulatedCudnn(installed);
    try {
      return "none: it is " + LoadCudnn().version;
    } catch (const Error& error) {
      EXPECT_EQ(error.status().code(), Code::kUnavailable);
      return error.status().message();
    }
  };
  EXPECT_THAT(why({.is_installed = false}), testing::ContainsRegex("libcudnn.so.9.*install cuDNN 9"));
  EXPECT_THAT(why({.version = 8907}), testing::ContainsRegex("version 8.9.7, not 9; install cuDNN 9"));
  EXPECT_THAT(why({.version = 100203}), testing::ContainsRegex("version 10.2.3, not 9"));
}

TEST_F(CudnnTest, LacksSomeWhereItIsToldTo) {
  InstallEmulatedCudnn({.lacks_some = true});
  EXPECT_EQ(Described(), CUDNN_STATUS_SUCCESS);  // 24 + 24 + 18 elements
  ASSERT_EQ(SetW({2, 2, 2, 2}), CUDNN_STATUS_SUCCESS);
  ASSERT_EQ(SetTensor(y_, {1, 2, 2, 3}, {12, 6, 3, 1}), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(Described(), CUDNN_STATUS_NOT_SUPPORTED);  // 24 + 16 + 12
  InstallEmulatedCudnn({});
  EXPECT_EQ(Described(), CUDNN_STATUS_SUCCESS);
}

TEST(CudnnErrors, SayTheirNames) {
  EXPECT_STREQ(cudnnGetErrorString(CUDNN_STATUS_SUCCESS), "CUDNN_STATUS_SUCCESS");
  EXPECT_STREQ(cudnnGetErrorString(CUDNN_STATUS_NOT_INITIALIZED), "CUDNN_STATUS_NOT_INITIALIZED");
  EXPECT_STREQ(cudnnGetErrorString(CUDNN_STATUS_BAD_PARAM), "CUDNN_STATUS_BAD_PARAM");
  EXPECT_STREQ(cudnnGetErrorString(CUDNN_STATUS_NOT_SUPPORTED), "CUDNN_STATUS_NOT_SUPPORTED");
  EXPECT_STREQ(cudnnGetErrorString(CUDNN_STATUS_INTERNAL_ERROR), "CUDNN_STATUS_INTERNAL_ERROR");
  EXPECT_STREQ(cudnnGetErrorString(CUDNN_STATUS_EXECUTION_FAILED), "CUDNN_STATUS_EXECUTION_FAILED");
}

}  // namespace
}  // namespace plumb::fast::emulated_gpu
