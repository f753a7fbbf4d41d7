// For laws of histories: steps that happen to one object on both sides, one after the other.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "backends/backends.h"
#include "spec/graph/function_testing.h"
#include "spec/session/hand_over.h"

namespace plumb::conformance {

inline constexpr uint32_t kHistories = 40;
inline constexpr int kSteps = 30;

// One graph on both sides. Inputs are fed by the names of their placeholders.
class Both {
 public:
  explicit Both(const GraphDef& graph) : graph_(graph) {
    EXPECT_EQ(reference_->Extend(graph).ToString(), "OK");
    EXPECT_EQ(cpu_->Extend(graph).ToString(), "OK");
  }

  // Expects one code and one answer, which is returned; nothing where the step failed.
  std::vector<Tensor> Do(const std::vector<std::string>& fetches, const std::vector<std::string>& targets,
                         const std::vector<Feed>& feeds = {}) {
    if (++steps_ % 4 == 0) {
      Move(reference_, "reference");
      Move(cpu_, "cpu");
      past_ += "moved\n";
    }
    std::vector<Tensor> expected, actual;
    const Status wanted = reference_->Run(feeds, fetches, targets, &expected);
    const Status got = cpu_->Run({.timeout_ms = 20'000}, feeds, fetches, targets, &actual, nullptr);
    past_ += (fetches.empty() ? targets.at(0) : fetches[0]) + ": " + std::string(CodeName(wanted.code()));
    for (const auto& [name, value] : feeds) past_ += Str(" ", name, "=", value.ToString());
    past_ += "\n";
    EXPECT_EQ(got.code(), wanted.code()) << past_ << got.ToString() << "; reference: " << wanted.ToString();
    if (!wanted.ok() || !got.ok()) return {};
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(actual[i].BitwiseEquals(expected[i]))
          << past_ << actual[i].ToString() << "; reference: " << expected[i].ToString();
    }
    return expected;
  }
  int Count(const std::string& fetch) { return Do({fetch}, {}).at(0).scalar<int32_t>(); }

 private:
  // S10: between any two steps a session may be saved and taken up by another one.
  void Move(std::unique_ptr<Session>& session, const char* backend) {
    auto next = OpenSession(backend);
    EXPECT_EQ(next->Extend(graph_).ToString(), "OK");
    EXPECT_EQ(HandOver(*session, *next).ToString(), "OK") << past_;
    session = std::move(next);
  }

  const GraphDef graph_;
  std::unique_ptr<Session> reference_ = OpenSession("reference"), cpu_ = OpenSession("cpu");
  int steps_ = 0;
  std::string past_;
};

class Drawn {
 public:
  explicit Drawn(uint32_t seed) : random_(seed) {}
  int Below(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }
  bool Flip() { return Below(2) == 1; }
  template <class T>
  Tensor Vector(int count, int low, int most) {
    std::vector<T> values;
    for (int i = 0; i < count; ++i) values.push_back(static_cast<T>(low + Below(most - low + 1)));
    return MakeTensor<T>({count}, std::span<const T>(values));
  }
  Tensor Keys(int count) {
    std::vector<std::string> keys;
    for (int i = 0; i < count; ++i) keys.emplace_back(1, static_cast<char>('a' + Below(5)));
    return MakeTensor<std::string>({count}, std::span<const std::string>(keys));
  }

 private:
  std::mt19937 random_;
};

inline NodeDef Fed(const std::string& name, DType type) { return MakeNode(name, "Placeholder", {}, {{"dtype", type}}); }

}  // namespace plumb::conformance
