// Laws of resources: what was dropped is not found again, whoever still holds it.
#include "fastpath/device/resources.h"

#include <gtest/gtest.h>

#include "fastpath/device/variable.h"

namespace plumb::fast {
namespace {

// R47: a kernel that remembers the variable, while another one is still using it, must look it up anew.
TEST(Resources, ADroppedOneIsNotRemembered) {
  const auto drop_by = {+[](ResourceManager& manager) { EXPECT_TRUE(manager.Remove<ResourceVariable>("here", "v")); },
                        +[](ResourceManager& manager) { manager.Clear("here"); },
                        +[](ResourceManager& manager) { manager.ClearAll(); }};
  for (const auto drop : drop_by) {
    ResourceManager manager;
    RememberedResource<ResourceVariable> remembered;
    const auto in_use = manager.FindOrCreate<ResourceVariable>("here", "v");
    remembered = in_use;
    EXPECT_EQ(remembered.lock(), in_use);
    drop(manager);
    EXPECT_EQ(remembered.lock(), nullptr);
    EXPECT_EQ(manager.Find<ResourceVariable>("here", "v"), nullptr);
    remembered = manager.FindOrCreate<ResourceVariable>("here", "v");
    EXPECT_NE(remembered.lock(), nullptr);
    EXPECT_NE(remembered.lock(), in_use);
  }
}

// R1, R5: dropping goes by container, kind and name.
TEST(Resources, OthersStay) {
  ResourceManager manager;
  manager.FindOrCreate<ResourceVariable>("here", "v");
  RememberedResource<Variable> of_another_kind;
  of_another_kind = manager.FindOrCreate<Variable>("here", "v");
  RememberedResource<ResourceVariable> elsewhere;
  elsewhere = manager.FindOrCreate<ResourceVariable>("there", "v");
  EXPECT_TRUE(manager.Remove<ResourceVariable>("here", "v"));
  EXPECT_FALSE(manager.Remove<ResourceVariable>("here", "v"));
  EXPECT_NE(of_another_kind.lock(), nullptr);
  manager.Clear("here");
  EXPECT_EQ(of_another_kind.lock(), nullptr);
  EXPECT_NE(elsewhere.lock(), nullptr);
}

TEST(Resources, DoNotLiveForThoseWhoRememberThem) {
  ResourceManager manager;
  RememberedResource<Variable> remembered;
  remembered = manager.FindOrCreate<Variable>("here", "v");
  manager.Clear("here");
  EXPECT_EQ(remembered.lock(), nullptr);
}

}  // namespace
}  // namespace plumb::fast
