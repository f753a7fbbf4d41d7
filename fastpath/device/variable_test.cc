// Laws of variables and their buffers on the fast path (rules R21, R26, R30–R35, R41–R44).
#include "fastpath/device/variable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <complex>
#include <functional>
#include <latch>
#include <numeric>
#include <span>
#include <thread>

#include "fastpath/device/kernel.h"
#include "spec/core/status_testing.h"

namespace plumb::fast {
namespace {

using ::testing::ElementsAre;

std::vector<float> Floats(const Tensor& tensor) {
  const auto values = tensor.data<float>();
  return {values.begin(), values.end()};
}

template <class V>
V& Assigned(V& variable, Tensor value) {
  variable.Declare(value.dtype(), value.shape());
  variable.Assign("writer", std::move(value), /*keeps_shape=*/false);
  return variable;
}

TEST(Variable, WhatIsAssignedShowsInAliases) {  // R31, R32
  Variable variable;
  const Tensor alias = Assigned(variable, MakeVector<float>({1, 2})).Read("reader");
  EXPECT_TRUE(alias.is_alias());
  variable.Assign("writer", MakeTensor<float>({2, 1}, {3, 4}), /*keeps_shape=*/false);
  EXPECT_THAT(Floats(alias), ElementsAre(3, 4));
  EXPECT_EQ(variable.shape(), Shape({2, 1}));
  variable.Assign("writer", MakeVector<float>({5}), /*keeps_shape=*/false);  // R21: another buffer
  EXPECT_THAT(Floats(alias), ElementsAre(3, 4));
}

TEST(Variable, NeitherItsValueNorAnotherVariableSharesItsBuffer) {  // R21
  const Tensor constant = MakeVector<float>({1});
  Variable one, other;
  Assigned(one, constant);
  Assigned(other, one.Read("reader"));
  VariableUpdate("writer", one).Writable().mutable_data<float>()[0] = 2;
  EXPECT_THAT(Floats(constant), ElementsAre(1));
  EXPECT_THAT(Floats(other.Read("reader")), ElementsAre(1));
}

// R21, on both sides of the size from which memory is taken over.
TEST(Variable, WhatIsAssignedIsTheValueWhateverItsSize) {
  for (const int64_t size : {1023, 1024, 1025}) {
    Variable variable;
    for (const float start : {1.0f, 2.0f}) {
      Tensor value = Allocate(DType::kFloat, {size});
      std::iota(value.mutable_data<float>().begin(), value.mutable_data<float>().end(), start);
      const std::vector<float> wanted = Floats(value);
      Assigned(variable, std::move(value));
      EXPECT_EQ(Floats(variable.Read("reader")), wanted);
    }
  }
}

// Large values are taken over, where nobody can tell.
TEST(Variable, AValueThatNobodyElseHoldsIsNotCopied) {
  const auto large = [](float x) {
    Tensor tensor = Allocate(DType::kFloat, {4096});
    for (float& each : tensor.mutable_data<float>()) each = x;
    return tensor;
  };
  Variable variable;
  Assigned(variable, large(1));
  Tensor value = large(2);
  const void* const memory = value.raw();
  variable.Assign("writer", std::move(value), /*keeps_shape=*/true);
#if !defined(__SANITIZE_THREAD__)
  EXPECT_EQ(variable.Read("reader").raw(), memory);
#endif
  const Tensor alias = variable.Read("reader");
  variable.Assign("writer", large(3), /*keeps_shape=*/true);
  EXPECT_EQ(Floats(alias)[0], 3) << memory;
}

TEST(Variable, UpdatesWriteIntoTheBufferWhoeverHoldsIt) {  // R32
  Variable variable;
  const Tensor alias = Assigned(variable, MakeVector<float>({1, 2})).Read("reader");
  for (const Access access : {Access::kAll, Access::kSomeRows}) {
    VariableUpdate update("writer", variable);
    EXPECT_EQ(update.Writable(0, access).raw(), alias.raw());
  }
  EXPECT_EQ(variable.version(), 3);
}

TEST(Variable, AKernelMayNotTakeItsBuffer) {  // R35
  auto variable = std::make_unique<Variable>();
  Entry input{.tensor = Assigned(*variable, MakeVector<float>({1})).Read("reader"), .ref = nullptr}, output;
  variable.reset();
  ThreadPool pool(1);
  ResourceManager session, of_step;
  StepContext step{pool, session, of_step};
  KernelContext context(step, &input, 1, &output, 1);
  EXPECT_EQ(context.TryForward(0, 0, DType::kFloat, {1}), nullptr);
}

TEST(ResourceVariable, WhatWasReadIsASnapshot) {  // R42
  ResourceVariable variable;
  const Tensor before = Assigned(variable, MakeVector<float>({1, 2})).Read("reader");
  VariableUpdate("writer", variable).Writable().mutable_data<float>()[0] = 3;
  EXPECT_THAT(Floats(before), ElementsAre(1, 2));
  EXPECT_THAT(Floats(variable.Read("reader")), ElementsAre(3, 2));
}

// R44: one copy at the first access by rows, if others hold the value; then none, whoever reads.
TEST(ResourceVariable, RowsAreWrittenInPlace) {
  ResourceVariable variable;
  const Tensor before = Assigned(variable, MakeVector<float>({1, 2})).Read("reader");
  const void* memory = nullptr;
  variable.ReadRows("reader", [&](const Tensor& rows) { memory = rows.raw(); });
  EXPECT_NE(memory, before.raw());
  const Tensor after = variable.Read("reader");
  {
    VariableUpdate update("writer", variable);
    Tensor& rows = update.Writable(0, Access::kSomeRows);
    EXPECT_EQ(rows.raw(), memory);
    rows.mutable_data<float>()[1] = 5;
  }
  EXPECT_THAT(Floats(before), ElementsAre(1, 2));
  EXPECT_THAT(Floats(after), ElementsAre(1, 2));
  EXPECT_THAT(Floats(variable.Read("reader")), ElementsAre(1, 5));
}

// R44: each sees, among the rows, that the other is there too.
TEST(ResourceVariable, ReadersOfRowsDoNotExcludeEachOther) {
  ResourceVariable variable;
  Assigned(variable, MakeVector<float>({1, 2}));
  std::latch both(2);
  const auto meets_the_other = [&] {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    both.count_down();
    while (!both.try_wait() && std::chrono::steady_clock::now() < until) std::this_thread::yield();
    return both.try_wait();
  };
  const auto read = [&] { variable.ReadRows("reader", [&](const Tensor&) { EXPECT_TRUE(meets_the_other()); }); };
  std::thread other(read);
  read();
  other.join();
}

// R44: what is written while somebody reads rows comes after that.
TEST(ResourceVariable, AWriterWaitsForThoseWhoReadRows) {
  const auto assign = [](Variable& variable) {
    variable.Assign("writer", MakeVector<float>({3, 4}), /*keeps_shape=*/true);
  };
  const auto update = [](Variable& variable) {
    VariableUpdate update("writer", variable);
    const auto rows = update.Writable(0, Access::kSomeRows).mutable_data<float>();
    rows[0] = 3, rows[1] = 4;
  };
  for (const std::function<void(Variable&)>& write : {std::function(assign), std::function(update)}) {
    ResourceVariable variable;
    Assigned(variable, MakeVector<float>({1, 2}));
    std::atomic<bool> is_written = false;
    std::latch begun(2);
    std::thread writer;
    variable.ReadRows("reader", [&](const Tensor& rows) {
      writer = std::thread([&] {
        begun.arrive_and_wait();
        write(variable);
        is_written = true;
      });
      begun.arrive_and_wait();
      for (int i = 0; i < 1000; ++i) {
        EXPECT_THAT(Floats(rows), ElementsAre(1, 2));
        std::this_thread::yield();
      }
      EXPECT_FALSE(is_written);
    });
    writer.join();
    EXPECT_THAT(Floats(variable.Read("reader")), ElementsAre(3, 4));
  }
}

TEST(ResourceVariable, KeepsAnAliasUntilItIsWritten) {  // R41
  Variable source;
  Assigned(source, MakeVector<float>({1}));
  ResourceVariable kept, written, sparse;
  for (ResourceVariable* each : {&kept, &written, &sparse}) Assigned(*each, source.Read("reader"));
  VariableUpdate("writer", written).Writable().mutable_data<float>()[0] = 7;
  sparse.ReadRows("reader", [](const Tensor&) {});
  VariableUpdate("writer", source).Writable().mutable_data<float>()[0] = 2;
  EXPECT_THAT(Floats(kept.Read("reader")), ElementsAre(2));
  EXPECT_THAT(Floats(written.Read("reader")), ElementsAre(7));
  EXPECT_THAT(Floats(sparse.Read("reader")), ElementsAre(1));
}

TEST(ResourceVariable, KeepsNoAliasOnceItWasAccessedByRows) {  // R44
  Variable source;
  Assigned(source, MakeVector<float>({1, 2}));
  ResourceVariable variable;
  Assigned(variable, MakeVector<float>({0, 0}));
  variable.ReadRows("reader", [](const Tensor&) {});
  variable.Assign("writer", source.Read("reader"), /*keeps_shape=*/false);
  source.Assign("writer", MakeVector<float>({3, 4}), /*keeps_shape=*/false);
  EXPECT_THAT(Floats(variable.Read("reader")), ElementsAre(1, 2));
}

TEST(Variable, IsHeldOnceThoughItIsNamedTwice) {  // R27
  Variable one, other;
  Assigned(one, MakeVector<float>({1}));
  Assigned(other, MakeVector<float>({2}));
  Variable* const all[] = {&other, &one, &other};
  VariableUpdate update("writer", all);
  update.Writable(0).mutable_data<float>()[0] = 3;
  EXPECT_THAT(Floats(update.Value(2)), ElementsAre(3));
}

class Counter : public VariableWitness {
 public:
  void OnAccess(const Variable&, Event event, int64_t version) override { seen.emplace_back(event, version); }
  std::vector<std::pair<Event, int64_t>> seen;
};

TEST(Variable, ItsWitnessSeesEveryAccessAndTheVersionBefore) {
  Variable variable;
  Assigned(variable, MakeVector<float>({1}));
  Counter witness;
  variable.SetWitness(&witness);
  variable.Read("reader");
  VariableUpdate("writer", variable).Writable();
  variable.Assign("writer", MakeVector<float>({1}), /*keeps_shape=*/true);
  variable.SetWitness(nullptr);
  variable.Read("reader");
  using Event = VariableWitness::Event;
  EXPECT_THAT(witness.seen,
              ElementsAre(std::pair(Event::kRead, 1), std::pair(Event::kUpdate, 1), std::pair(Event::kAssign, 2)));
}

// R33: a read and a write that race see whole elements, each the old or the new one.
template <class T>
void ExpectWholeElements(const T& a, const T& b) {
  Variable variable;
  const auto all = [](const T& x) {
    Tensor tensor = Allocate(DTypeOf<T>, {64});
    for (T& each : tensor.mutable_data<T>()) each = x;
    return tensor;
  };
  const Tensor first = all(a), second = all(b);
  const Tensor alias = Assigned(variable, first).Read("reader");
  std::thread writer([&] {
    for (int i = 0; i < 2000; ++i) variable.Assign("writer", i % 2 == 0 ? second : first, /*keeps_shape=*/true);
  });
  for (int i = 0; i < 2000; ++i) {
    const Tensor seen = CopyOf(alias);
    for (const T& each : seen.data<T>()) EXPECT_TRUE(each == a || each == b);
  }
  writer.join();
}

TEST(Variable, ARaceShowsWholeElements) {
  ExpectWholeElements<float>(1, -2);
  ExpectWholeElements<int64_t>(-1, 0);
  ExpectWholeElements<std::complex<double>>({1, 1}, {-2, -2});
  ExpectWholeElements<std::string>("a", "a string that is too long to be kept inside of its object");
}

TEST(Variable, AnUpdateHoldsNoMoreThanAKernelUpdates) {
  constexpr size_t kMost = VariableUpdate::kMaxVariables;
  Variable variables[kMost + 1];
  std::vector<Variable*> all;
  for (Variable& variable : variables) all.push_back(&variable);
  const auto held = [&](size_t count) { VariableUpdate("writer", std::span(all).first(count)); };
  EXPECT_TRUE(StatusOf([&] { held(kMost); }).ok());
  EXPECT_EQ(StatusOf([&] { held(kMost + 1); }).code(), Code::kInternal);
}

}  // namespace
}  // namespace plumb::fast
