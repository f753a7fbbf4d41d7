// Of which layers the classifiers of images are made at full size, as their papers tell.
#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <set>

#include "models/catalogue.h"
#include "models/testing.h"
#include "spec/ops/op_def.h"

namespace plumb::models {
namespace {

// By the side of the images that come out of them: so many of each kind of layer, in the kinds' alphabetical order, and
// last, one after the other, what no longer sees an image. Windows are height x width / stride, padded (SAME) unless
// they are VALID; numbers are a response norm's radius, bias, alpha and beta, the epsilon of a batch norm, the share of
// units that a dropout keeps, and the units of a dense layer.
struct Published {
  const char* model;
  const char* source;
  std::string_view layers;
};

const Published kPublished[] = {
    {"softmax", "one layer", R"(
dense 10
)"},
    {"mlp", "one hidden layer", R"(
dense 128, relu, dense 10
)"},
    {"lenet", "LeCun et al. 1998, with the sizes of TensorFlow's convolutional.py", R"(
28: conv 5x5, relu
14: conv 5x5, maxpool 2x2/2, relu
7: maxpool 2x2/2
dense 512, relu, dense 10
)"},
    {"cifar10", "TensorFlow's cifar10.py: pool1, norm1, conv2, norm2, pool2", R"(
24: conv 5x5, relu
12: conv 5x5, 2 lrn 4 1 0.00011111111 0.75, maxpool 3x3/2, relu
6: maxpool 3x3/2
dense 384, relu, dense 192, relu, dense 10
)"},
    {"alexnet", "Krizhevsky et al. 2012, section 3.5; convolutions in groups count twice", R"(
55: conv 11x11/4 VALID, lrn 2 2 1e-04 0.75, relu
27: concat, 2 conv 5x5, lrn 2 2 1e-04 0.75, maxpool 3x3/2 VALID, relu
13: 2 concat, 5 conv 3x3, maxpool 3x3/2 VALID, 3 relu
6: maxpool 3x3/2 VALID
dense 4096, relu, dropout 0.5, dense 4096, relu, dropout 0.5, dense 1000
)"},
    {"overfeat", "Sermanet et al. 2014, table 1", R"(
56: conv 11x11/4 VALID, relu
28: maxpool 2x2/2 VALID
24: conv 5x5 VALID, relu
12: 3 conv 3x3, maxpool 2x2/2 VALID, 3 relu
6: maxpool 2x2/2 VALID
dense 3072, relu, dropout 0.5, dense 4096, relu, dropout 0.5, dense 1000
)"},
    {"vgg-a", "Simonyan and Zisserman 2015, table 1, column A", R"(
224: conv 3x3, relu
112: conv 3x3, maxpool 2x2/2 VALID, relu
56: 2 conv 3x3, maxpool 2x2/2 VALID, 2 relu
28: 2 conv 3x3, maxpool 2x2/2 VALID, 2 relu
14: 2 conv 3x3, maxpool 2x2/2 VALID, 2 relu
7: maxpool 2x2/2 VALID
dense 4096, relu, dropout 0.5, dense 4096, relu, dropout 0.5, dense 1000
)"},
    {"googlenet", "Szegedy et al. 2014, table 1: modules 3a and 3b, 4a to 4e, 5a and 5b", R"(
112: conv 7x7/2, relu
56: conv 1x1, conv 3x3, 2 lrn 2 1 2e-05 0.75, maxpool 3x3/2, 2 relu
28: 2 concat, 8 conv 1x1, 2 conv 3x3, 2 conv 5x5, 2 maxpool 3x3, maxpool 3x3/2, 12 relu
14: 5 concat, 20 conv 1x1, 5 conv 3x3, 5 conv 5x5, 5 maxpool 3x3, maxpool 3x3/2, 30 relu
7: 2 concat, 8 conv 1x1, 2 conv 3x3, 2 conv 5x5, 2 maxpool 3x3, maxpool 3x3/2, 12 relu
mean 7x7, dropout 0.6, dense 1000
)"},
    {"googlenet-heads", "Szegedy et al. 2014, table 1, and its section 5 for the classifiers after 4a and 4d", R"(
112: conv 7x7/2, relu
56: conv 1x1, conv 3x3, 2 lrn 2 1 2e-05 0.75, maxpool 3x3/2, 2 relu
28: 2 concat, 8 conv 1x1, 2 conv 3x3, 2 conv 5x5, 2 maxpool 3x3, maxpool 3x3/2, 12 relu
14: 5 concat, 20 conv 1x1, 5 conv 3x3, 5 conv 5x5, 5 maxpool 3x3, maxpool 3x3/2, 30 relu
7: 2 concat, 8 conv 1x1, 2 conv 3x3, 2 conv 5x5, 2 maxpool 3x3, maxpool 3x3/2, 12 relu
4: 2 avgpool 5x5/3 VALID, 2 conv 1x1, 2 relu
dense 1024, relu, dropout 0.3, dense 1000, dense 1024, relu, dropout 0.3, dense 1000, mean 7x7, dropout 0.6,
    dense 1000
)"},
    {"inception-v3", "Szegedy et al. 2015, table 1 and figures 5, 6, 7 and 10, with the stem of its authors' program",
     R"(
149: batchnorm 0.001, conv 3x3/2 VALID, relu
147: 2 batchnorm 0.001, conv 3x3, conv 3x3 VALID, 2 relu
73: batchnorm 0.001, conv 1x1, maxpool 3x3/2 VALID, relu
71: batchnorm 0.001, conv 3x3 VALID, relu
35: 3 avgpool 3x3, 23 batchnorm 0.001, 3 concat, 13 conv 1x1, 7 conv 3x3, 3 conv 5x5, maxpool 3x3/2 VALID,
    23 relu
17: 4 avgpool 3x3, 46 batchnorm 0.001, 5 concat, 18 conv 1x1, 13 conv 1x7, 2 conv 3x3/2 VALID, 13 conv 7x1,
    maxpool 3x3/2 VALID, 46 relu
8: 2 avgpool 3x3, 20 batchnorm 0.001, 7 concat, 8 conv 1x1, 4 conv 1x3, 4 conv 3x1, 2 conv 3x3,
    2 conv 3x3/2 VALID, maxpool 3x3/2 VALID, 20 relu
mean 8x8, dropout 0.8, dense 1000
)"},
    {"resnet-50", "He et al. 2015, table 1; a bottleneck halves in its 3 x 3 convolution", R"(
112: batchnorm 1e-05, conv 7x7/2, relu
56: 3 add, 11 batchnorm 1e-05, 8 conv 1x1, 3 conv 3x3, maxpool 3x3/2, 10 relu
28: 4 add, 13 batchnorm 1e-05, 8 conv 1x1, conv 1x1/2, 3 conv 3x3, conv 3x3/2, 12 relu
14: 6 add, 19 batchnorm 1e-05, 12 conv 1x1, conv 1x1/2, 5 conv 3x3, conv 3x3/2, 18 relu
7: 3 add, 9 batchnorm 1e-05, 5 conv 1x1, conv 1x1/2, 2 conv 3x3, conv 3x3/2, 8 relu
mean 7x7, dense 1000
)"},
};

// As few digits as tell it from other floats.
std::string Short(float number) {
  char digits[32];
  return {digits, std::to_chars(digits, std::end(digits), number).ptr};
}

std::string WindowOf(const Node& node, int64_t height, int64_t width) {
  const int64_t stride = GetAttr<std::vector<int64_t>>(node.attrs, "strides")[1];
  const std::string padding = GetAttr<std::string>(node.attrs, "padding");
  return Str(height, "x", width, stride == 1 ? "" : Str("/", stride), padding == "SAME" ? "" : " " + padding);
}

// What kind of layer a node is; "" for one that is none.
std::string KindOf(const GraphBuilder& builder, const Node& node) {
  const auto shape = [&](size_t input) { return builder.shape(node.inputs[input]); };
  const auto number = [&](const char* name) { return Short(GetAttr<float>(node.attrs, name)); };
  const std::string_view op = node.op->name;
  if (op == "Relu") return "relu";
  if (op == "Conv2D") return "conv " + WindowOf(node, shape(1).dim(0), shape(1).dim(1));
  if (op == "MaxPool" || op == "AvgPool") {
    const auto& window = GetAttr<std::vector<int64_t>>(node.attrs, "ksize");
    return (op == "MaxPool" ? "maxpool " : "avgpool ") + WindowOf(node, window[1], window[2]);
  }
  if (op == "LRN") {
    return Str("lrn ", GetAttr<int64_t>(node.attrs, "depth_radius"), " ", number("bias"), " ", number("alpha"), " ",
               number("beta"));
  }
  if (op == "FusedBatchNormV3") return Str("batchnorm ", number("epsilon"));
  if (op == "MatMul") return Str("dense ", shape(1).dim(1));
  if (op == "Mean" && shape(0).rank() == 4) return Str("mean ", shape(0).dim(1), "x", shape(0).dim(2));
  const bool is_image = builder.shape({node.id, 0}).rank() == 4;
  if (op == "ConcatV2" && is_image) return "concat";
  if (op.starts_with("Add") && is_image) return "add";
  const auto& graph = builder.graph();
  if (op == "Less" && graph.node(node.inputs[0].node).op->name == "RandomUniform") {
    return "dropout " + Short(GetAttr<Tensor>(graph.node(node.inputs[1].node).attrs, "value").scalar<float>());
  }
  return "";
}

void Append(std::string& list, const std::string& item) { list += (list.empty() ? "" : ", ") + item; }

// A line of the list, and where it is too long more of them.
std::string Folded(const std::string& line) {
  constexpr size_t kMost = 112;
  if (line.size() <= kMost) return line + "\n";
  const size_t end = line.rfind(", ", kMost - 1);
  return line.substr(0, end + 1) + "\n" + Folded("    " + line.substr(end + 2));
}

std::string LayersOf(const ImageClassifier& model) {
  const GraphBuilder& builder = *model.loss.builder;
  std::map<int64_t, std::map<std::string, int>, std::greater<>> by_side;
  std::string without_image;
  for (const NodeId id : NodesBefore(model.loss)) {
    const std::string kind = KindOf(builder, builder.graph().node(id));
    if (kind.empty()) continue;
    const PartialShape& shape = builder.shape({id, 0});
    if (shape.rank() == 4) {
      EXPECT_EQ(shape.dim(1), shape.dim(2)) << builder.graph().node(id).name;
      ++by_side[shape.dim(1)][kind];
    } else {
      Append(without_image, kind);
    }
  }
  std::string lines = "\n";
  for (const auto& [side, kinds] : by_side) {
    std::string line;
    for (const auto& [kind, count] : kinds) Append(line, count == 1 ? kind : Str(count, " ", kind));
    lines += Folded(Str(side, ": ", line));
  }
  return lines + Folded(without_image);
}

TEST(ImageModelsAsPublished, HaveTheLayersOfTheirPapers) {
  std::set<std::string_view> missing;
  for (const ImageModelEntry& entry : ImageModels()) missing.insert(entry.name);
  for (const Published& published : kPublished) {
    const auto entry = std::ranges::find(ImageModels(), std::string_view(published.model), &ImageModelEntry::name);
    ASSERT_NE(entry, ImageModels().end()) << published.model;
    Scope scope;
    const auto optimizer = Sgd({.learning_rate = 0.01});
    EXPECT_EQ(LayersOf(entry->build(scope, *optimizer, {})), published.layers)
        << published.model << ": " << published.source;
    missing.erase(published.model);
  }
  EXPECT_THAT(missing, ::testing::IsEmpty()) << "without a row";
}

}  // namespace
}  // namespace plumb::models
