#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

constexpr char kTypes[] =
    "T in [bfloat16, bool, complex64, complex128, float16, float32, float64, int16, int32, int64, int8, resource, "
    "string, uint16, uint32, uint64, uint8, variant]";

Shapes ScalarShapes(const ShapeContext&) { return {PartialShape(Shape())}; }

}  // namespace

std::span<const OpRow> SummaryTensor() {
  static const OpRow rows[] = {
      {.signature = "TensorSummary(tensor: T) -> (summary: string)",
       .attrs = "T: type; description: string = ''; labels: list(string) = []; display_name: string = ''",
       .doc = "A summary with a tensor, under the name of the node; the other attributes are not part of it.",
       .cpu = kTypes,
       .shape_fn = ScalarShapes,
       .gradient = BlocksGradient(),
       .samples = {"[d...]", "description='d' labels=['a', 'b'] display_name='e': [2]"}},
      {.signature = "TensorSummaryV2(tag: string, tensor: T, serialized_summary_metadata: string) -> (summary: string)",
       .attrs = "T: type",
       .doc = "A summary with a tensor, under a tag and with the metadata of a plugin, a SummaryMetadata as bytes.",
       .cpu = kTypes,
       .shape_fn = ScalarShapes,
       .gradient = BlocksGradient(),
       .samples = {"'tag' [d...] ''", "'tag' [] x'0a060a0474657874'"}},
  };
  return rows;
}

}  // namespace plumb::topics
