// Laws of resources: what was dropped is not found again, whoever still holds it.
#include "fastpath/device/resources.h"

#include <gtest/gtest.h>

#include "fastpath/device/variable.h"

namespace plumb::fast {
namespace {

// R47: a kernel that remembers the variable, while another one is still using it, must look it up anew.
TEST(Resources, ADroppedOneIsNotRemembered) {
  const auto drop_by = {+[](ResourceManager& manager) {
                          EXPECT_TRUE(manager.Remove<ResourceVariable>({"cpu", "here", "v"}));
                        },
                        +[](ResourceManager& manager) { manager.Clear("here"); },
                        +[](ResourceManager& manager) { manager.ClearAll(); }};
  for (const auto drop : drop_by) {
    ResourceManager manager;
    RememberedResource<ResourceVariable> remembered;
    const auto in_use = manager.FindOrCreate<ResourceVariable>({"cpu", "here", "v"});
    remembered = in_use;
    EXPECT_EQ(remembered.lock(), in_use);
    drop(manager);
    EXPECT_EQ(remembered.lock(), nullptr);
    EXPECT_EQ(manager.Find<ResourceVariable>({"cpu", "here", "v"}), nullptr);
    remembered = manager.FindOrCreate<ResourceVariable>({"cpu", "here", "v"});
    EXPECT_NE(remembered.lock(), nullptr);
    EXPECT_NE(remembered.lock(), in_use);
  }
}

// R1: what differs in the device alone is not the same; R5: what lies in one container on several devices goes at once.
TEST(Resources, LieOnADevice) {
  ResourceManager manager;
  const auto here = manager.FindOrCreate<ResourceVariable>({"cpu", "here", "v"});
  EXPECT_EQ(manager.Find<ResourceVariable>({"other", "here", "v"}), nullptr);
  const auto there = manager.FindOrCreate<ResourceVariable>({"other", "here", "v"});
  EXPECT_NE(here, there);
  EXPECT_TRUE(manager.Remove<ResourceVariable>({"cpu", "here", "v"}));
  EXPECT_EQ(manager.Find<ResourceVariable>({"other", "here", "v"}), there);
  manager.FindOrCreate<ResourceVariable>({"cpu", "here", "v"});
  manager.Clear("here");
  for (const char* device : {"cpu", "other"}) {
    EXPECT_EQ(manager.Find<ResourceVariable>({device, "here", "v"}), nullptr);
  }
}

// R1, R5: dropping goes by container, kind and name.
TEST(Resources, OthersStay) {
  ResourceManager manager;
  manager.FindOrCreate<ResourceVariable>({"cpu", "here", "v"});
  RememberedResource<Variable> of_another_kind;
  of_another_kind = manager.FindOrCreate<Variable>({"cpu", "here", "v"});
  RememberedResource<ResourceVariable> elsewhere;
  elsewhere = manager.FindOrCreate<ResourceVariable>({"cpu", "there", "v"});
  EXPECT_TRUE(manager.Remove<ResourceVariable>({"cpu", "here", "v"}));
  EXPECT_FALSE(manager.Remove<ResourceVariable>({"cpu", "here", "v"}));
  EXPECT_NE(of_another_kind.lock(), nullptr);
  manager.Clear("here");
  EXPECT_EQ(of_another_kind.lock(), nullptr);
  EXPECT_NE(elsewhere.lock(), nullptr);
}

TEST(Resources, DoNotLiveForThoseWhoRememberThem) {
  ResourceManager manager;
  RememberedResource<Variable> remembered;
  remembered = manager.FindOrCreate<Variable>({"cpu", "here", "v"});
  manager.Clear("here");
  EXPECT_EQ(remembered.lock(), nullptr);
}

}  // namespace
}  // namespace plumb::fast
