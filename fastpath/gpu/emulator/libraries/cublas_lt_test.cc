// What the fake of cuBLASLt computes, and what it refuses as the library does.
#include <functional>

#include "fastpath/gpu/emulator/emulator_testing.h"
#include "fastpath/gpu/emulator/include/cublasLt.h"

namespace plumb::fast::emulated_gpu {
namespace {

// One product of [2, 40] and [40, 3], which a test changes before it asks.
struct Call {
  cudaDataType_t type = CUDA_R_32F, scale = CUDA_R_32F;
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  uint64_t inner_of_b = 40, rows_of_d = 2;
  int64_t column_of_a = 2;
  uint64_t workspace_limit = 1 << 20;
  size_t workspace_given = 24;  // bytes of six sums
  uint32_t alignment = 16;
  int64_t a_offset = 0, workspace_offset = 0;  // elements
  float beta = 0;
  bool for_another = false;  // the algorithm was chosen for another product
};

class CublasLtTest : public EmulatorTest {
 protected:
  void SetUp() override {
    EmulatorTest::SetUp();
    ASSERT_EQ(cublasLtCreate(&library_), CUBLAS_STATUS_SUCCESS);
    std::vector<float> a(81), b(120);
    for (size_t i = 0; i < 80; ++i) a[i] = static_cast<float>(i % 7);
    for (size_t i = 0; i < 120; ++i) b[i] = static_cast<float>(i % 5);
    a_ = ToDevice(a);
    b_ = ToDevice(b);
    d_ = ToDevice(std::vector<float>{1, 2, 3, 4, 5, 6});
    workspace_ = NewArray<float>(128);
    for (size_t row = 0; row < 2; ++row) {
      for (size_t column = 0; column < 3; ++column) {
        float sum = 0;
        for (size_t i = 0; i < 40; ++i) sum += a[2 * i + row] * b[40 * column + i];
        expected_[2 * column + row] = sum;
      }
    }
  }
  void TearDown() override { EXPECT_EQ(cublasLtDestroy(library_), CUBLAS_STATUS_SUCCESS); }

  // What the choice of an algorithm answers, or else the product.
  cublasStatus_t Multiply(const Call& call) {
    cublasLtMatmulDesc_t operation = nullptr;
    cublasLtMatrixLayout_t a = nullptr, b = nullptr, d = nullptr, other = nullptr;
    cublasLtMatmulPreference_t preference = nullptr;
    cublasLtMatmulDescCreate(&operation, call.compute, call.scale);
    cublasLtMatrixLayoutCreate(&a, call.type, 2, 40, call.column_of_a);
    cublasLtMatrixLayoutCreate(&b, call.type, call.inner_of_b, 3, 40);
    cublasLtMatrixLayoutCreate(&d, call.type, call.rows_of_d, 3, 2);
    cublasLtMatrixLayoutCreate(&other, call.type, 2, 40, 3);
    cublasLtMatmulPreferenceCreate(&preference);
    cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &call.workspace_limit,
                                         sizeof call.workspace_limit);
    for (const auto of : {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
                          CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES}) {
      cublasLtMatmulPreferenceSetAttribute(preference, of, &call.alignment, sizeof call.alignment);
    }
    cublasLtMatmulHeuristicResult_t chosen{};
    int found = 0;
    cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(library_, operation, call.for_another ? other : a, b, d, d,
                                                           preference, 1, &chosen, &found);
    if (status == CUBLAS_STATUS_SUCCESS) {
      EXPECT_EQ(found, 1);
      workspace_wanted_ = chosen.workspaceSize;
      const float one = 1;
      status = cublasLtMatmul(library_, operation, &one, a_.data + call.a_offset, a, b_.data, b, &call.beta, d_.data, d,
                              d_.data, d, &chosen.algo, workspace_.data + call.workspace_offset, call.workspace_given,
                              stream_);
    }
    cublasLtMatmulPreferenceDestroy(preference);
    for (const auto layout : {a, b, d, other}) cublasLtMatrixLayoutDestroy(layout);
    cublasLtMatmulDescDestroy(operation);
    return status;
  }
  cublasStatus_t MultiplyWith(const std::function<void(Call&)>& change) {
    Call call;
    change(call);
    return Multiply(call);
  }

  cublasLtHandle_t library_ = nullptr;
  Global<float> a_, b_, d_, workspace_;
  std::vector<float> expected_ = std::vector<float>(6);
  size_t workspace_wanted_ = 0;
};

TEST_F(CublasLtTest, MultipliesInPartsWhereThereIsAWorkspaceAndAtOnceElsewhere) {
  EXPECT_EQ(Multiply({}), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(workspace_wanted_, 24U);
  EXPECT_EQ(ToHost(d_), expected_);
  EXPECT_NE(ToHost(workspace_)[0], expected_[0]) << "half of the sum lies there";
  EXPECT_EQ(MultiplyWith([](Call& call) { call.workspace_limit = 23; }), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(workspace_wanted_, 0U);
  EXPECT_EQ(ToHost(d_), expected_);
  EXPECT_EQ(MultiplyWith([](Call& call) { call.beta = 2; }), CUBLAS_STATUS_SUCCESS);
  for (float& sum : expected_) sum *= 3;
  EXPECT_EQ(ToHost(d_), expected_);
}

TEST_F(CublasLtTest, RefusesWhatTheLibraryRefuses) {
  using Change = std::function<void(Call&)>;
  const std::vector<std::pair<cublasStatus_t, Change>> refused = {
      {CUBLAS_STATUS_INVALID_VALUE, [](Call& call) { call.inner_of_b = 39; }},
      {CUBLAS_STATUS_INVALID_VALUE, [](Call& call) { call.rows_of_d = 1; }},
      {CUBLAS_STATUS_INVALID_VALUE, [](Call& call) { call.column_of_a = 1; }},
      {CUBLAS_STATUS_INVALID_VALUE, [](Call& call) { call.workspace_given = 23; }},
      {CUBLAS_STATUS_INVALID_VALUE, [](Call& call) { call.workspace_offset = 1; }},
      {CUBLAS_STATUS_INVALID_VALUE, [](Call& call) { call.a_offset = 1; }},
      {CUBLAS_STATUS_INVALID_VALUE, [](Call& call) { call.for_another = true; }},
      {CUBLAS_STATUS_NOT_SUPPORTED, [](Call& call) { call.compute = CUBLAS_COMPUTE_64F; }},
      {CUBLAS_STATUS_NOT_SUPPORTED, [](Call& call) { call.scale = CUDA_R_16F; }},
      {CUBLAS_STATUS_NOT_SUPPORTED,
       [](Call& call) {
         call.type = call.scale = CUDA_R_64F;
         call.compute = CUBLAS_COMPUTE_32F_FAST_TF32;
       }},
      {CUBLAS_STATUS_NOT_SUPPORTED, [](Call& call) { call.type = CUDA_C_32F; }},
  };
  for (size_t i = 0; i < refused.size(); ++i) EXPECT_EQ(MultiplyWith(refused[i].second), refused[i].first) << i;
  EXPECT_EQ(ToHost(d_), (std::vector<float>{1, 2, 3, 4, 5, 6})) << "what is refused writes nothing";
  EXPECT_EQ(MultiplyWith([](Call& call) { call.a_offset = 1, call.alignment = 4; }), CUBLAS_STATUS_SUCCESS);
}

// Of two numbers as near, the one further from zero is taken.
TEST_F(CublasLtTest, RoundsFactorsWhereItMayTakeThemForTf32) {
  const auto products_of = [&](float factor, cublasComputeType_t compute) {
    a_ = ToDevice(std::vector<float>(81, factor));
    b_ = ToDevice(std::vector<float>(120, 1));
    EXPECT_EQ(MultiplyWith([&](Call& call) { call.compute = compute; }), CUBLAS_STATUS_SUCCESS);
    return ToHost(d_);
  };
  for (const auto& [factor, as_tf32] : std::vector<std::pair<float, float>>{{1 + 0x1p-12F, 1},
                                                                            {1 + 0x1p-11F, 1 + 0x1p-10F},
                                                                            {-1 - 0x1p-11F, -1 - 0x1p-10F},
                                                                            {1 + 0x1p-10F, 1 + 0x1p-10F}}) {
    EXPECT_EQ(products_of(factor, CUBLAS_COMPUTE_32F), std::vector<float>(6, 40 * factor));
    EXPECT_EQ(products_of(factor, CUBLAS_COMPUTE_32F_FAST_TF32), std::vector<float>(6, 40 * as_tf32));
  }
}

TEST_F(CublasLtTest, LooksAtTheSizesOfWhatItIsTold) {
  cublasLtMatrixLayout_t layout = nullptr;
  ASSERT_EQ(cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, 2, 2, 2), CUBLAS_STATUS_SUCCESS);
  const int64_t batch = 3;
  EXPECT_EQ(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof batch),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &batch, sizeof batch),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasLtMatrixLayoutDestroy(layout), CUBLAS_STATUS_SUCCESS);
  cublasLtMatmulDesc_t operation = nullptr;
  ASSERT_EQ(cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F), CUBLAS_STATUS_SUCCESS);
  const int32_t no_such = 3;
  EXPECT_EQ(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSA, &no_such, sizeof no_such),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasLtMatmulDescDestroy(operation), CUBLAS_STATUS_SUCCESS);
}

}  // namespace
}  // namespace plumb::fast::emulated_gpu
