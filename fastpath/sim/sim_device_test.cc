// Laws of simulated devices: values come back as they went, kernels are missing where they were drawn to be.
#include "fastpath/sim/sim_device.h"

#include <gtest/gtest.h>

#include <future>
#include <set>
#include <string>

#include "spec/ops/catalogue.h"
#include "spec/ops/equivalence.h"

namespace plumb::fast {
namespace {

Tensor Await(const std::function<void(Device::CopyDone)>& copy) {
  std::promise<Tensor> arrived;
  copy([&](const Status& status, Tensor value) {
    EXPECT_TRUE(status.ok()) << status.ToString();
    arrived.set_value(std::move(value));
  });
  return arrived.get_future().get();
}

TEST(SimDevice, GivesValuesBack) {
  const auto driver = NewSimDriver({.devices = 2});
  SimDevice first(driver, 0, 1), second(driver, 1, 1);
  for (const Tensor& value :
       {MakeVector<float>({1, 2, 3}), MakeScalar(true), Zeros(DType::kInt64, {0, 3}), MakeScalar(int8_t{-5})}) {
    const Tensor far = Upload(first, value);
    EXPECT_EQ(far.buffer()->space, first.memory());
    const Tensor farther = Await([&](auto done) { Transfer(&first, second, false, 1, far, std::move(done)); });
    EXPECT_EQ(farther.buffer()->space, second.memory());
    const Tensor back = Await([&](auto done) { Transfer(&second, first, true, 1, farther, std::move(done)); });
    EXPECT_TRUE(back.BitwiseEquals(value));
  }
}

Node NodeOf(const OpDef& op) {
  Node node;
  node.op = &op;
  return node;
}

// W13: the first has what the CPU has, but for objects; the second lacks about a third of that, by its seed.
TEST(SimDevice, LacksTheKernelsThatWereDrawn) {
  const auto driver = NewSimDriver({.devices = 2});
  const SimDevice first(driver, 0, 1), second(driver, 1, 1), again(driver, 1, 1), other(driver, 1, 2);
  int kernels = 0, lacked = 0, differently = 0;
  for (const OpDef* op : AllOps()) {
    const Node node = NodeOf(*op);
    if (!first.HasKernel(node)) continue;
    ++kernels;
    lacked += !second.HasKernel(node);
    EXPECT_EQ(again.HasKernel(node), second.HasKernel(node)) << op->name;
    differently += other.HasKernel(node) != second.HasKernel(node);
  }
  EXPECT_GT(kernels, 100);
  EXPECT_GT(lacked, kernels / 5);
  EXPECT_LT(lacked, kernels / 2);
  EXPECT_GT(differently, 10);
}

TEST(SimDevice, TakesNumbersAndWhatLeadsToThem) {
  const auto driver = NewSimDriver({});
  const SimDevice device(driver, 0, 1);
  const OpDef& identity = *FindOp("Identity");
  for (const auto& [type, taken] : std::vector<std::pair<DType, bool>>{{DType::kFloat, true},
                                                                       {DType::kBool, true},
                                                                       {DType::kString, false},
                                                                       {DType::kResource, true},
                                                                       {MakeRef(DType::kString), false},
                                                                       {MakeRef(DType::kFloat), true}}) {
    Node node = NodeOf(identity);
    node.input_types = node.output_types = {type};
    EXPECT_EQ(device.HasKernel(node), taken) << DTypeName(type);
  }
}

// Of each kind of resource somebody has decided whether a device can hold it; a new kind is to be decided as well.
TEST(SimDevice, HoldsSomeKindsOfResources) {
  const auto driver = NewSimDriver({});
  const SimDevice device(driver, 0, 1);
  std::set<std::string> held, left;
  for (const OpDef* op : AllOps()) {
    for (const auto& args : {op->inputs, op->outputs}) {
      for (const ArgDef& arg : args) {
        if (LeadsSomewhere(arg)) (device.HasKernel(NodeOf(*op)) ? held : left).insert(arg.handle);
      }
    }
  }
  EXPECT_EQ(held, (std::set<std::string>{"Stack", "Stub", "TensorArray", "Variable"}));
  EXPECT_EQ(left, (std::set<std::string>{"Accumulator", "KeyedQueue", "Mutex", "Queue", "Reader", "SummaryWriter",
                                         "Table", "ThreadPool", "Trees"}));
}

}  // namespace
}  // namespace plumb::fast
