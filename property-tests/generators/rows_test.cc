// No draw of a row throws, whatever the tape: a law that breaks is a mistake in what it tries.
#include "property-tests/generators/rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "spec/ops/catalogue.h"

namespace plumb::property {
namespace {

constexpr DType kAllTypes[] = {
#define PLUMB_LIST(name, type) DType::name,
    PLUMB_FOR_EACH_TYPE(PLUMB_LIST)
#undef PLUMB_LIST
};

Tape AnyTape(std::mt19937_64& random) {
  std::vector<uint64_t> words(64);
  for (uint64_t& word : words) word = random();
  return Tape(std::move(words));
}

TEST(Rows, CasesCanBeDrawnForAnyWantedType) {
  std::mt19937_64 random(1);
  for (const OpDef* op : DrawnRows()) {
    for (int draw = 0; draw < 5; ++draw) {
      const DType wanted = kAllTypes[random() % std::size(kAllTypes)];
      Tape tape = AnyTape(random);
      const AttrMap types = RandomTypes(tape, *op, wanted);
      EXPECT_NO_THROW({
        const auto drawn = RandomCaseOf(tape, *op, types, /*special=*/true);
        EXPECT_TRUE(!drawn || (drawn->StandsAlone() && drawn->freedoms.size() == drawn->inputs.size()));
      }) << op->name
         << " near " << DTypeName(wanted);
    }
  }
}

// The shape of what RaggedTensorToTensor gives may be a scalar whose value must be known before the run, and
// TensorSummary says the name of its node: what is drawn has to mean the same in every place of a graph.
TEST(Rows, MeanTheSameWhereverTheyStand) {
  const auto rows = DrawnRows();
  const auto is_drawn = [&](const char* op) { return std::count(rows.begin(), rows.end(), FindOp(op)) == 1; };
  EXPECT_TRUE(is_drawn("RaggedTensorToSparse") && is_drawn("Reshape") && is_drawn("BatchToSpaceND"));
  EXPECT_FALSE(is_drawn("RaggedTensorToTensor"));
  std::mt19937_64 random(1);
  Tape tape = AnyTape(random);
  EXPECT_FALSE(RandomCaseOf(tape, GetOp("TensorSummary"), {{"T", DType::kFloat}}, /*special=*/false));
}

TEST(Rows, DifferentiableCasesCanBeDrawn) {
  std::mt19937_64 random(1);
  int found = 0;
  for (const OpDef* op : DrawnRows()) {
    Tape tape = AnyTape(random);
    EXPECT_NO_THROW(found += RandomDifferentiableCaseOf(tape, *op).has_value()) << op->name;
  }
  EXPECT_GT(found, 0);
}

// What generators apply to values without asking whether there is any.
TEST(Rows, ThereAreFunctionsOfTheTypesThatProgramsAreMadeOf) {
  for (const DType dtype : {DType::kFloat, DType::kDouble}) {
    for (const Smoothness least : {Smoothness::kJumps, Smoothness::kBends, Smoothness::kDifferentiable}) {
      if (dtype == DType::kFloat && least == Smoothness::kDifferentiable) continue;
      EXPECT_FALSE(SameShapeRows(dtype, least).empty()) << DTypeName(dtype);
    }
  }
  for (const DType dtype : kAllTypes) EXPECT_NO_THROW(SameShapeRows(dtype, Smoothness::kJumps)) << DTypeName(dtype);
}

}  // namespace
}  // namespace plumb::property
