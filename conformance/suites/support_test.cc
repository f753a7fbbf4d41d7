// What is declared has to be there: which missing kernels the suite of ops forgives, and which it does not.
#include <gtest/gtest.h>

#include <cstdlib>
#include <tuple>

#include "conformance/suites/ops_testing.h"
#include "conformance/suites/single_node.h"

namespace plumb::conformance {
namespace {

// The value of an attribute of what is tried; null where it has none of this name.
const AttrValue* TriedAttr(const GraphDef& graph, const std::string& attr) {
  for (const NodeDef& node : graph.nodes) {
    if (node.name != kTried) continue;
    const auto found = node.attrs.find(attr);
    return found == node.attrs.end() ? nullptr : &found->second;
  }
  return nullptr;
}
Mistake Lacking(const std::string& attr, const AttrValue& value) {
  return {.lacks = [=](const GraphDef& graph, std::span<const Feed>) {
    const AttrValue* const given = TriedAttr(graph, attr);
    return given != nullptr && *given == value;
  }};
}

// By its reason, and not by its words.
TEST(Support, AMissingKernelIsUnsupportedAndAFailingOneIsNot) {
  const Status missing = NoKernel(Code::kInvalidArgument, "nobody wrote it").status();
  EXPECT_EQ(Tried("Neg/T=float32", Mistake{.answer = missing}).outcome, Outcome::kUnsupported);
  const Backend ours{"cpu", [=] { return std::make_unique<Mistaken>(Mistake{.answer = missing}); },
                     [](std::string_view) { return true; }};
  const auto refused = RunOps(ours, {.filter = "Neg/T=float32"}, [](const OpResult&) {});
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(refused[0].outcome, Outcome::kFailed);
  EXPECT_NE(refused[0].detail.find("the op's row declares"), std::string::npos) << refused[0].detail;
  const Status failing(Code::kInvalidArgument, "No registered kernel, or so it says");
  const OpResult result = Tried("Neg/T=float32", Mistake{.answer = failing});
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_EQ(result.gate, "status");
}

// For want of a kernel ours answer what NoKernel is documented with.
TEST(Support, AMissingKernelHasACodeOfItsOwn) {
  const auto lacking = [](Code code) { return Mistake{.answer = NoKernel(code, "nobody wrote it").status()}; };
  for (const Code code : {Code::kNotFound, Code::kInvalidArgument}) {
    EXPECT_EQ(Tried("Neg/T=float32", lacking(code)).outcome, Outcome::kUnsupported);
  }
  const OpResult other = Tried("Neg/T=float32", lacking(Code::kAborted));
  EXPECT_EQ(other.outcome, Outcome::kFailed);
  EXPECT_NE(other.detail.find("with another code"), std::string::npos) << other.detail;
}

// Types for which the reference has no kernel, neither may a backend of ours take; a library may have more.
TEST(Support, AKernelThatTheReferenceLacksIsAFailure) {
  const Mistake taking{.alter = [](GraphDef& graph) {
    for (NodeDef& node : graph.nodes) {
      if (node.op == "InplaceAdd") node.op = "InplaceUpdate";  // which takes texts
    }
  }};
  const OpResult taken = Tried("InplaceAdd/T=string", taking, "cpu");
  EXPECT_EQ(taken.outcome, Outcome::kFailed);
  EXPECT_NE(taken.detail.find("reference has no kernel for it"), std::string::npos) << taken.detail;
  Backend library{"./libmine.so", [=] { return std::make_unique<Mistaken>(taking); },
                  [](std::string_view) { return true; }};
  library.declares = [](std::string_view, const AttrMap&) { return true; };
  const auto results = RunOps(library, {.filter = "InplaceAdd/T=string"}, [](const OpResult&) {});
  EXPECT_EQ(results.at(0).outcome, Outcome::kUnsupported) << results.at(0).detail;
}

// A row that lists no types declares all of them.
TEST(Support, AMissingKernelForATypeOfAnOpenAttributeIsAFailure) {
  const Mistake lacking = Lacking("T", DType::kString);
  const OpResult refused = Tried("Reshape/T=string", lacking, "cpu");
  EXPECT_EQ(refused.outcome, Outcome::kFailed);
  EXPECT_NE(refused.detail.find("cpu refuses types that the op's row declares"), std::string::npos) << refused.detail;
  EXPECT_EQ(Tried("DeepCopy/T=int32", lacking, "cpu").outcome, Outcome::kPassed);
  EXPECT_EQ(Tried("DeepCopy/T=string", lacking).outcome, Outcome::kUnsupported);           // it has declared nothing
  EXPECT_EQ(Tried("InplaceAdd/T=string", lacking, "cpu").outcome, Outcome::kUnsupported);  // nor has the row
}

TEST(Support, AMissingKernelForAValueOfAnAttributeIsAFailure) {
  for (const auto& [filter, attr, value] : {std::tuple("MaxPool/T=float32", "data_format", AttrValue("NCHW")),
                                            std::tuple("AvgPool/T=float32", "data_format", AttrValue("NCHW"))}) {
    const OpResult refused = Tried(filter, Lacking(attr, value));
    EXPECT_EQ(refused.outcome, Outcome::kFailed) << filter;
    EXPECT_EQ(refused.gate, "status") << filter;
    EXPECT_NE(refused.detail.find("mistaken has no kernel for it"), std::string::npos) << refused.detail;
    EXPECT_NE(refused.detail.find(Str(attr, "=")), std::string::npos) << refused.detail;
  }
  // A value that the samples draw beside others.
  EXPECT_EQ(Tried("MatMul/T=float32", Lacking("transpose_a", true), "cpu").outcome, Outcome::kFailed);
}

TEST(Support, AMissingKernelForLargeSizesIsAFailure) {
  const OpResult refused = Tried("Neg/T=float32",
                                 {.lacks =
                                      [](const GraphDef&, std::span<const Feed> feeds) {
                                        constexpr int64_t kMany = 1 << 12;
                                        return !feeds.empty() && feeds[0].second.elements() > kMany;
                                      }},
                                 "cpu");
  EXPECT_EQ(refused.outcome, Outcome::kFailed);
  EXPECT_NE(refused.detail.find("large"), std::string::npos) << refused.detail;
}

// The reference refuses this one. For want of a kernel a library does so with a code of its choice.
TEST(Support, AMissingKernelForWhatTheReferenceRefusesIsARefusalByBoth) {
  const Mistake lacking = Lacking("data_format", "NCHW_VECT_C");
  Backend backend{"./libmine.so", [=] { return std::make_unique<Mistaken>(lacking); },
                  [](std::string_view) { return true; }, [](std::string_view, const AttrMap&) { return true; }};
  const auto results = RunOps(backend, {.filter = "MaxPool/T=float32"}, [](const OpResult&) {});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].outcome, Outcome::kPassed) << results[0].detail;
  EXPECT_EQ(results[0].refused, std::vector<std::string>{"data_format=NCHW_VECT_C"});
  EXPECT_EQ(Tried("MaxPool/T=float32", lacking, "cpu").outcome, Outcome::kFailed);  // codes of our own are TensorFlow's
}

// It says so when it is loaded, by an Error; whether it declares the types is asked where a crash costs nothing.
TEST(Support, WhatABackendThrowsIsForgivenOnlyWhereItDeclaresNothing) {
  const Mistake throwing{.alter = [](GraphDef&) { throw NoKernel(Code::kNotFound, "nobody wrote it"); }};
  Backend backend{"./libmine.so", [=] { return std::make_unique<Mistaken>(throwing); },
                  [](std::string_view) { return true; }};
  const auto outcome = [&] {
    return RunOps(backend, {.filter = "Neg/T=float32"}, [](const OpResult&) {}).at(0).outcome;
  };
  EXPECT_EQ(outcome(), Outcome::kUnsupported);
  backend.declares = [](std::string_view, const AttrMap&) { return false; };
  EXPECT_EQ(outcome(), Outcome::kUnsupported);
  backend.declares = [](std::string_view, const AttrMap&) { return true; };
  EXPECT_EQ(outcome(), Outcome::kFailed);
  backend.declares = [](std::string_view, const AttrMap&) -> bool { std::abort(); };
  EXPECT_EQ(outcome(), Outcome::kFailed);
}

// Any type that it declares makes it a failure, also behind one that it does not.
TEST(Support, AnOpThatIsDeclaredAndNotImplementedIsAFailure) {
  Backend backend{"./libmine.so", [] { return OpenSession("reference"); }, [](std::string_view) { return false; }};
  backend.declares = [](std::string_view, const AttrMap& types) { return types.at("T") == AttrValue(DType::kInt64); };
  const auto results = RunOps(backend, {.filter = "Neg"}, [](const OpResult&) {});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].outcome, Outcome::kFailed);
  EXPECT_EQ(results[0].detail, "no kernel on ./libmine.so");
}

TEST(Support, AnOpThatCannotBeTriedAloneIsUnsupported) {
  const Backend nothing{"nothing", [] { return OpenSession("reference"); }, [](std::string_view) { return false; }};
  const auto results = RunOps(nothing, {.filter = "Neg"}, [](const OpResult&) {});
  ASSERT_FALSE(results.empty());
  EXPECT_EQ(results[0].outcome, Outcome::kUnsupported);
  EXPECT_EQ(results[0].detail, "no kernel on nothing");
}

}  // namespace
}  // namespace plumb::conformance
