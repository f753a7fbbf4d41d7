// Products on an emulated GPU: every way to read the operands, exactly, by an algorithm that is chosen once.
#include <gtest/gtest.h>

#include <complex>

#include "fastpath/gpu/emulator/emulator.h"
#include "fastpath/gpu/lib/testing/both.h"
#include "fastpath/gpu/lib/testing/with_tf32.h"
#include "fastpath/session/fast_session.h"
#include "spec/graph/function_testing.h"

namespace plumb::fast {
namespace {

using emulated_gpu::EmulatorChoicesOfProducts;

class Products : public testing::Test {
 protected:
  Products() : session_(NewFastSession({.threads = 2, .emulated_gpus = 1})) {
    const AttrMap type = {{"dtype", DType::kFloat}};
    GraphDef graph;
    graph.nodes = {MakeNode("x", "Placeholder", {}, type), MakeNode("y", "Placeholder", {}, type)};
    for (const bool adj_x : {false, true}) {
      for (const bool adj_y : {false, true}) {
        graph.nodes.push_back(MakeNode(NameOf(adj_x, adj_y), "BatchMatMulV2", {"x", "y"},
                                       {{"T", DType::kFloat}, {"adj_x", adj_x}, {"adj_y", adj_y}}));
      }
    }
    EXPECT_TRUE(session_->Extend(graph).ok());
  }
  static std::string NameOf(bool adj_x, bool adj_y) { return Str("product", adj_x, adj_y); }

  // Small whole numbers, so that sums are exact in any order.
  static Tensor Numbers(const Shape& shape, int64_t modulus) {
    std::vector<float> values;
    for (int64_t i = 0; i < shape.elements(); ++i) values.push_back(static_cast<float>(i % modulus) - 2);
    return MakeTensor<float>(shape, std::span<const float>(values));
  }

  // `batch` products of [rows, inner] and [inner, columns], of operands that lie so or the other way round.
  void ExpectProducts(int64_t batch, int64_t rows, int64_t inner, int64_t columns, bool adj_x, bool adj_y) {
    const Tensor x = Numbers(adj_x ? Shape({batch, inner, rows}) : Shape({batch, rows, inner}), 7);
    const Tensor y = Numbers(adj_y ? Shape({columns, inner}) : Shape({inner, columns}), 5);
    std::vector<Tensor> outputs;
    const std::vector<Feed> feeds = {{"x", x}, {"y", y}};
    const std::vector<std::string> fetches = {NameOf(adj_x, adj_y)};
    const Status status = session_->Run(feeds, fetches, {}, &outputs);
    ASSERT_TRUE(status.ok()) << status.ToString();
    const auto x_at = [&](int64_t b, int64_t row, int64_t i) {
      return x.data<float>()[static_cast<size_t>(b * rows * inner + (adj_x ? i * rows + row : row * inner + i))];
    };
    const auto y_at = [&](int64_t i, int64_t column) {
      return y.data<float>()[static_cast<size_t>(adj_y ? column * inner + i : i * columns + column)];
    };
    ASSERT_EQ(outputs.at(0).shape(), Shape({batch, rows, columns}));
    size_t at = 0;
    for (int64_t b = 0; b < batch; ++b) {
      for (int64_t row = 0; row < rows; ++row) {
        for (int64_t column = 0; column < columns; ++column, ++at) {
          float sum = 0;
          for (int64_t i = 0; i < inner; ++i) sum += x_at(b, row, i) * y_at(i, column);
          ASSERT_EQ(outputs[0].data<float>()[at], sum) << b << ' ' << row << ' ' << column;
        }
      }
    }
  }

  std::unique_ptr<Session> session_;
};

// The library takes fewer than 2^16 products in one call.
TEST_F(Products, MayBeMany) {
  ExpectProducts((1 << 16) + 3, 2, 3, 1, /*adj_x=*/true, /*adj_y=*/true);
  constexpr int64_t kMany = (1 << 16) + 3;
  ExpectSameOnBoth({"BatchMatMulV2", {Digits({kMany, 1, 2}), Digits({kMany, 2, 1}, 5)}, {{"T", DType::kFloat}}});
}

TEST_F(Products, AreExactHoweverTheOperandsLie) {
  for (const bool adj_x : {false, true}) {
    for (const bool adj_y : {false, true}) {
      ExpectProducts(1, 3, 5, 4, adj_x, adj_y);
      ExpectProducts(3, 2, 45, 6, adj_x, adj_y);  // long enough to be summed up in parts, one y for all three
      ExpectProducts(2, 4, 0, 3, adj_x, adj_y);   // sums of nothing
      ExpectProducts(2, 0, 4, 3, adj_x, adj_y);
    }
  }
}

TEST_F(Products, OfOneShapeAskForAnAlgorithmOnce) {
  ExpectProducts(2, 3, 51, 4, false, true);
  const int64_t before = EmulatorChoicesOfProducts();
  for (int i = 0; i < 3; ++i) ExpectProducts(2, 3, 51, 4, false, true);
  EXPECT_EQ(EmulatorChoicesOfProducts(), before);
  ExpectProducts(2, 3, 53, 4, false, true);
  EXPECT_EQ(EmulatorChoicesOfProducts(), before + 1);
}

// The product of two numbers, each time in the session.
template <class T>
class ProductOfTwo {
 public:
  ProductOfTwo() : session_(NewFastSession({.threads = 1, .emulated_gpus = 1})) {
    const AttrMap type = {{"dtype", DTypeOf<T>}};
    GraphDef graph;
    graph.nodes = {MakeNode("x", "Placeholder", {}, type), MakeNode("y", "Placeholder", {}, type),
                   MakeNode("product", "MatMul", {"x", "y"}, {{"T", DTypeOf<T>}})};
    graph.nodes.back().device = "/device:GPU:0";
    EXPECT_TRUE(session_->Extend(graph).ok());
  }
  T operator()(T x, T y) {
    const std::vector<Feed> feeds = {{"x", MakeTensor<T>({1, 1}, {x})}, {"y", MakeTensor<T>({1, 1}, {y})}};
    const std::vector<std::string> fetches = {"product"};
    std::vector<Tensor> outputs;
    const Status status = session_->Run(feeds, fetches, {}, &outputs);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return status.ok() ? outputs[0].data<T>()[0] : T();
  }

 private:
  std::unique_ptr<Session> session_;
};

// Both sessions ask for the same product in turns.
template <class T>
void ExpectTf32OnlyOnRequest(T just_above, T rounded) {
  ProductOfTwo<T> before;
  auto as_tf32 = [] {
    const WithTf32 with;
    return std::make_unique<ProductOfTwo<T>>();
  }();
  ProductOfTwo<T> after;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(before(just_above, T(1)), just_above);
    EXPECT_EQ((*as_tf32)(just_above, T(1)), rounded);
    EXPECT_EQ((*as_tf32)(T(1), just_above), rounded);
    EXPECT_EQ(after(just_above, T(1)), just_above);
  }
}

TEST(ProductsAsTf32, AreThoseOfSessionsThatWereOpenedSo) {
  ExpectTf32OnlyOnRequest<float>(kJustAboveOne, 1);
  ExpectTf32OnlyOnRequest<std::complex<float>>({kJustAboveOne, 2 * kJustAboveOne}, {1, 2});
}

TEST(ProductsAsTf32, AreNoneOfWiderFloats) { ExpectTf32OnlyOnRequest<double>(kJustAboveOne, kJustAboveOne); }

}  // namespace
}  // namespace plumb::fast
