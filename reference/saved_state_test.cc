// Laws of what is saved: an object that was restored answers as the saved one would have answered.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/kernel/kernel_testing.h"
#include "reference/kernel/tensor_array.h"
#include "reference/state/lookup_table.h"
#include "reference/state/queue.h"
#include "reference/state/variable.h"

namespace plumb::reference {
namespace {

using ::testing::ElementsAre;

template <class T>
T Restored(const T& original) {
  SavedState state;
  original.Save(StateWriter(state, "object/"));
  T restored;
  restored.Restore(StateReader(state, "object/"));
  return restored;
}

TEST(SavedState, HoldsAVariableWithItsBoundsAndDerivatives) {
  Variable variable;
  variable.Declare(DType::kFloat, {2});
  EXPECT_FALSE(Restored(variable).IsInitialized());
  const auto two = [](double x) { return std::make_shared<const std::vector<double>>(2, x); };
  variable.Assign(Value(MakeVector<float>({1, 2}), two(0.5), two(3)));
  const Variable back = Restored(variable);
  const Value value = back.Read("reader");
  EXPECT_THAT(Floats(value), ElementsAre(1, 2));
  EXPECT_THAT(*value.bound, ElementsAre(0.5, 0.5));
  EXPECT_THAT(*value.tangent, ElementsAre(3, 3));
  EXPECT_EQ(back.version(), variable.version());
}

TEST(SavedState, HoldsWhetherAHandlesVariableIsAccessedByRows) {  // R44
  HandleVariable variable;
  variable.Assign(MakeVector<float>({1}));
  variable.ReadSparse("reader");
  HandleVariable back = Restored(variable);
  Variable source;
  source.Declare(DType::kFloat, {1});
  source.Assign(MakeVector<float>({2}));
  back.Assign(source.Read("reader"));
  source.Assign(MakeVector<float>({3}));
  EXPECT_THAT(Floats(back.Read("reader")), ElementsAre(2));
}

TEST(SavedState, HoldsATensorArray) {
  TensorArray array;
  array.Init("a", 2, {.dtype = DType::kFloat, .element_shape = PartialShape({-1}), .dynamic_size = true});
  array.Write(0, MakeVector<float>({1, 2}));
  array.Write(3, MakeVector<float>({3}));
  array.Read(3);
  TensorArray back = Restored(array);
  EXPECT_EQ(back.Size(), 4);
  EXPECT_THAT(Floats(back.Read(0)), ElementsAre(1, 2));
  EXPECT_THROW(back.Read(3), Error);                                   // TA4
  EXPECT_THROW(back.Write(1, MakeTensor<float>({1, 1}, {1})), Error);  // another rank
  back.Write(1, MakeVector<float>({7}));
  EXPECT_THAT(Floats(back.Read(1)), ElementsAre(7));
}

// S10: what waits is no part of it.
TEST(SavedState, HoldsAQueueWithTheBoundsOfItsElements) {
  Queue queue;
  queue.type = {.types = {DType::kFloat}, .shapes = {Shape({2})}, .capacity = 1};
  const auto two = [](double x) { return std::make_shared<const std::vector<double>>(2, x); };
  queue.Enqueue(1, {Value(MakeVector<float>({1, 2}), two(0.5), nullptr)});
  queue.Enqueue(2, {MakeVector<float>({3, 4})});
  queue.Close(3, /*cancel_pending_enqueues=*/false);
  Queue back = Restored(queue);
  EXPECT_TRUE(back.type.AgreesWith(queue.type)) << back.type.ToString();
  EXPECT_EQ(back.size(), 1);
  EXPECT_FALSE(back.is_closed());
  back.Dequeue(4);
  const Value element = back.Fetch(4).elements.at(0).at(0);
  EXPECT_THAT(Floats(element), ElementsAre(1, 2));
  EXPECT_THAT(*element.bound, ElementsAre(0.5, 0.5));
  back.Close(5, /*cancel_pending_enqueues=*/false);
  EXPECT_TRUE(Restored(back).is_closed());
}

TEST(SavedState, HoldsATableWithTheBoundsOfItsValues) {
  LookupTable table;
  table.key_type = DType::kString;
  table.value_type = DType::kFloat;
  table.Add("key", Value(MakeScalar<float>(1), std::make_shared<const std::vector<double>>(1, 0.5), nullptr));
  EXPECT_FALSE(Restored(table).IsInitialized());
  EXPECT_EQ(Restored(table).Keys().elements(), 1);
  table.End();
  const LookupTable back = Restored(table);
  EXPECT_TRUE(back.IsInitialized());
  ASSERT_NE(back.Find("key"), nullptr);
  EXPECT_THAT(*back.Find("key")->bound, ElementsAre(0.5));
}

TEST(SavedState, HoldsResourcesByDeviceContainerAndNameWhateverTheyAreCalled) {
  constexpr ResourceKind (*kind)(std::string_view) = KindOf<HandleVariable>;
  const ResourceKind kinds[] = {kind("ResourceVariable")};
  ResourceStore store, back;
  for (const char* name : {"", "a/b", "50%", "%2F"}) {
    store.FindOrCreate<HandleVariable>({"/cpu:0", "here/there", name}).Assign(MakeVector<float>({float(name[0])}));
  }
  SavedState state;
  store.Save(StateWriter(state, "all/"), kinds);
  back.Restore(state, "all/", kinds);
  for (const char* name : {"", "a/b", "50%", "%2F"}) {
    HandleVariable* const found = back.Find<HandleVariable>({"/cpu:0", "here/there", name});
    ASSERT_NE(found, nullptr) << name;
    EXPECT_THAT(Floats(found->Read("reader")), ElementsAre(float(name[0])));
  }
  EXPECT_THROW(store.Save(StateWriter(state), {}), Error);
  EXPECT_THROW(back.Restore({{"all/nonsense", MakeScalar<float>(1)}}, "all/", kinds), Error);
}

}  // namespace
}  // namespace plumb::reference
