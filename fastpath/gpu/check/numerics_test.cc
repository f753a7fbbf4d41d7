// Elements that are no finite numbers, far from each other: both devices name the same kinds.
#include <limits>

#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

Status OnTheHost(const Question& question) {
  GraphDef graph;
  const auto [feeds, fetches] = Ask(question, graph);
  const auto session = NewFastSession({.threads = 1});
  Status status = session->Extend(graph);
  std::vector<Tensor> outputs;
  if (status.ok()) status = session->Run(feeds, fetches, {}, &outputs);
  return status;
}

TEST(GpuCheckNumerics, NamesAllKindsThatItFinds) {
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  const float kinds[] = {std::numeric_limits<float>::quiet_NaN(), -kInfinite, kInfinite};
  for (const char* op : {"CheckNumerics", "CheckNumericsV2"}) {
    for (int chosen = 0; chosen < 8; ++chosen) {
      Tensor x = Digits(Shape({70001}));
      for (int kind = 0; kind < 3; ++kind) {
        if ((chosen >> kind & 1) != 0) x.mutable_data<float>()[static_cast<size_t>(35000 * kind)] = kinds[kind];
      }
      const Question question = {op, {x}, {{"T", DType::kFloat}, {"message", std::string("checked")}}};
      const Status wanted = OnTheHost(question), got = StatusOf(question);
      EXPECT_EQ(got.code(), wanted.code()) << got.ToString();
      EXPECT_EQ(got.ok(), chosen == 0);
      EXPECT_EQ(got.message(), wanted.message());
    }
  }
}

}  // namespace
}  // namespace plumb::fast
