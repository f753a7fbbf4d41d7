// Draws one case of one alternative of a row's samples (sample.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spec/ops/dims.h"
#include "spec/samples/notation.h"
#include "spec/samples/sample.h"
#include "spec/samples/values.h"

namespace plumb {

enum class Flavour { kOrdinary, kSpecial, kEmpty, kLong, kLarge };

class CaseSampler {
 public:
  // `chosen_name`: which of the names that are drawn is the long one, or of those that may be 0 the empty one, if the
  // flavour wants one.
  CaseSampler(const OpDef& op, const SampleAlternative& alternative, Flavour flavour, uint64_t seed,
              int chosen_name = 0)
      : op_(op), alternative_(alternative), flavour_(flavour), random_(seed), names_to_chosen_(chosen_name) {}

  // The sizes that names take, in the order in which they are drawn, instead of random ones.
  void GiveSizes(std::vector<int64_t> sizes) { given_sizes_ = std::move(sizes); }
  // How many names have been drawn.
  size_t names_drawn() const { return names_drawn_; }

  // Nothing when the alternative is not meant for these types, or has no size that could be 0, or could be long.
  std::optional<SampledCase> Draw(const AttrMap& types);

 private:
  using ShapeAttrs = std::vector<std::pair<const AttrDef*, const ShapePattern*>>;

  // Attributes. Those that are shapes wait in `shapes` until their names are drawn.
  void Choose(const SampleStatement& statement, AttrMap& attrs, ShapeAttrs& shapes);
  void Complete(const SampleStatement& statement, const ShapeAttrs& shapes, AttrMap& attrs);
  AttrValue ShapeAttr(const AttrDef& attr, const ShapePattern& pattern, const AttrMap& attrs);

  // Sizes.
  void DrawNames(const SampleStatement& statement, const ShapeAttrs& shapes);
  void DrawNames(const ShapePattern& shape);
  int64_t DrawSize(const std::string& name);
  PartialShape DrawRest();
  std::optional<int64_t> GivenSize();  // of the name that is being drawn
  // Whether the name that is being drawn is the chosen one.
  bool IsChosen(Flavour flavour) { return flavour_ == flavour && names_to_chosen_-- == 0; }
  int64_t LongSize() { return 1024 + random_.Below(1024); }
  double Resolve(const SampleNumber& number);
  Shape Draw(const ShapePattern& pattern);

  // Values.
  // `freedoms`, if wanted, gets one for each input.
  std::vector<SampledInput> DrawInputs(const SampleStatement& statement, const AttrMap& attrs,
                                       std::vector<Freedom>* freedoms = nullptr);
  SampledInput DrawInput(const SampleInput& input, DType dtype);
  ValueRange Range(const SampleRule& rule, DType dtype);
  Specials SpecialsFor(DType dtype) const;
  void Flatten(const SampleConstant& constant, size_t depth, std::vector<int64_t>& dims,
               std::vector<const SampleConstant*>& leaves) const;
  Tensor ConstantTensor(const SampleConstant& constant, DType dtype);

  std::vector<SampledNode> DrawNodes(const std::vector<SampleStatement>& nodes, const AttrMap& tried);

  const OpDef& op_;
  const SampleAlternative& alternative_;
  const Flavour flavour_;
  SampleRandom random_;
  DimBindings bindings_;
  int names_to_chosen_;  // negative: it has been drawn
  std::vector<int64_t> given_sizes_;
  size_t names_drawn_ = 0;
};

}  // namespace plumb
