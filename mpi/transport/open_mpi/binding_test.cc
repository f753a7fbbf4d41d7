// Which bindings are Open MPI's own, which leave cores idle, and how ranks share the cores that they have.
#include "mpi/transport/open_mpi/binding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace plumb::dist {
namespace {

using ::testing::HasSubstr;

Cores From(int first, int count) {
  Cores cores(static_cast<size_t>(count));
  std::iota(cores.begin(), cores.end(), first);
  return cores;
}

TEST(Binding, OfTheUserIsLeftAlone) {
  const std::string bound = "OMPI_MCA_orte_bound_at_launch=1";
  EXPECT_TRUE(IsBoundByDefault({"HOME=/root", bound}));
  EXPECT_TRUE(IsBoundByDefault({bound, "OMPI_MCA_rmaps_base_mapping_policy=slot"}));
  EXPECT_FALSE(IsBoundByDefault({"HOME=/root"})) << "nobody has bound it";
  for (const char* choice : {"OMPI_MCA_hwloc_base_binding_policy=core", "OMPI_MCA_hwloc_base_binding_policy=none",
                             "OMPI_MCA_hwloc_base_bind_to_core=1", "OMPI_MCA_hwloc_base_cpu_list=0",
                             "OMPI_MCA_hwloc_base_cpu_set=0,1", "OMPI_MCA_rmaps_base_cpus_per_rank=1",
                             "OMPI_MCA_orte_rankfile=rf", "OMPI_MCA_rmaps_base_mapping_policy=core:PE=2"}) {
    EXPECT_FALSE(IsBoundByDefault({bound, choice})) << choice;
  }
}

TEST(Binding, ToOneCoreOfManyLeavesTheOthersIdle) {
  EXPECT_TRUE(LeavesCoresIdle({From(0, 2), {{0}}})) << "one rank";
  EXPECT_TRUE(LeavesCoresIdle({From(0, 8), {{0}, {1}}}));
  EXPECT_TRUE(LeavesCoresIdle({From(0, 3), {{0}, {1}}})) << "nobody has the third";
  EXPECT_TRUE(LeavesCoresIdle({From(0, 4), {From(0, 2), From(0, 2)}})) << "both have the same half";
  EXPECT_TRUE(LeavesCoresIdle({From(0, 8), {From(0, 8), {3}}})) << "one of them has less than its share";
}

TEST(Binding, ThatUsesAllCoresStays) {
  EXPECT_FALSE(LeavesCoresIdle({From(0, 2), {{0}, {1}}}));
  EXPECT_FALSE(LeavesCoresIdle({From(0, 8), {From(0, 4), From(4, 4)}}));
  EXPECT_FALSE(LeavesCoresIdle({From(0, 8), {From(0, 8), From(0, 8), From(0, 8)}}));
  EXPECT_FALSE(LeavesCoresIdle({From(0, 2), {From(0, 2), From(0, 2), From(0, 2)}})) << "more ranks than cores";
  EXPECT_FALSE(LeavesCoresIdle({From(4, 2), {{4}, {5}}})) << "of the cores that mpirun may use";
  EXPECT_FALSE(LeavesCoresIdle({{}, {{}}})) << "where the system does not say";
}

TEST(Binding, SharesEachCoreEvenly) {
  EXPECT_EQ(ShareOf({From(0, 8), {From(0, 8), From(0, 8)}}, 0), 4);
  EXPECT_EQ(ShareOf({From(0, 8), {From(0, 4), From(4, 4)}}, 1), 4);
  EXPECT_EQ(ShareOf({From(0, 16), {From(0, 8), From(0, 8), From(8, 8)}}, 0), 4);
  EXPECT_EQ(ShareOf({From(0, 16), {From(0, 8), From(0, 8), From(8, 8)}}, 2), 8);
  EXPECT_EQ(ShareOf({From(0, 3), {From(0, 3), From(0, 3), From(0, 3)}}, 1), 1);
  EXPECT_EQ(ShareOf({From(0, 2), {From(0, 2), From(0, 2), From(0, 2), From(0, 2)}}, 3), 1) << "one at least";
}

TEST(Binding, IsToldInOneLine) {
  EXPECT_THAT(BindingNote({From(0, 8), {{0}, {1}}}, /*is_mended=*/true, "left"),
              HasSubstr("bound ranks on left to 1 of its 8 cores; they run on all of them now"));
  EXPECT_THAT(BindingNote({From(0, 2), std::vector<Cores>(4, From(0, 2))}, false, "left"),
              HasSubstr("4 ranks share the 2 cores of left"));
  EXPECT_EQ(BindingNote({From(0, 2), {{0}, {1}}}, false, "left"), "");
  EXPECT_EQ(BindingNote({{}, {{}}}, false, "left"), "");
}

}  // namespace
}  // namespace plumb::dist
