#include "spec/ops/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumb {
namespace {

std::string MessageFor(const std::string& name) {
  try {
    GetOp(name);
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kNotFound);
    return error.status().message();
  }
  return "it is there";
}

// One edit away: a letter too many, another one, one that is missing, at either end and inside.
TEST(Catalogue, NamesTheOpThatIsMeant) {
  for (const auto& [written, meant] : std::vector<std::pair<std::string, std::string>>{
           {"MatMull", "MatMul"},
           {"xMatMul", "MatMul"},
           {"Conv3d", "Conv3D"},
           {"SoftMax", "Softmax"},
           {"lEnter", "Enter"},
           {"TensorArrayRedV3", "TensorArrayReadV3"},
           {"RandomSuffle", "RandomShuffle"},
           {"eshape", "Reshape"},
           {"QueueDequeueManyV3", "QueueDequeueManyV2"},
       }) {
    EXPECT_THAT(MessageFor(written), testing::HasSubstr("(the nearest known op is '" + meant + "')")) << written;
  }
}

}  // namespace
}  // namespace plumb
