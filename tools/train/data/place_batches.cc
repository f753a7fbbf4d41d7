#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "spec/files/file_system.h"
#include "tools/train/data/learner_batches.h"
#include "tools/train/data/text_files.h"

namespace plumb::tools {
namespace {

using models::Learner;

// All of a text, between spaces.
template <class T>
std::vector<T> NumbersOf(std::string_view text) {
  constexpr std::string_view kSpaces = " \t";
  std::vector<T> numbers;
  for (size_t at = text.find_first_not_of(kSpaces); at != text.npos; at = text.find_first_not_of(kSpaces, at)) {
    const std::string_view word = text.substr(at, std::min(text.find_first_of(kSpaces, at), text.size()) - at);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), numbers.emplace_back());
    Require(error == std::errc() && end == word.data() + word.size(), "'", word, "' is not a number",
            std::is_integral_v<T> ? " of a point" : "");
    at += word.size();
  }
  return numbers;
}

struct Puzzle {
  std::vector<double> coordinates;  // two of each point
  std::vector<int32_t> places;      // from 0 on, the one that closes the way left out
};

// x1 y1 x2 y2 ... output i1 i2 ..., where the first point is 1.
Puzzle Parsed(std::string_view line) {
  constexpr std::string_view kOutput = "output";
  const size_t output = line.find(kOutput);
  Require(output != line.npos, "there is no 'output' between points and places");
  Puzzle puzzle = {NumbersOf<double>(line.substr(0, output)), NumbersOf<int32_t>(line.substr(output + kOutput.size()))};
  const size_t points = puzzle.coordinates.size() / 2;
  Require(points > 0 && puzzle.coordinates.size() % 2 == 0, puzzle.coordinates.size(),
          " coordinates are not two of each point");
  for (const double coordinate : puzzle.coordinates) {
    Require(std::isfinite(coordinate), "the coordinate ", coordinate, " is not finite");
  }
  std::vector<int32_t>& places = puzzle.places;
  Require(!places.empty(), "no place stands behind 'output'");
  for (int32_t& place : places) {
    Require(place >= 1 && static_cast<size_t>(place) <= points, "there is no point ", place, " among ", points);
    --place;
  }
  if (places.size() > 1 && places.front() == places.back()) places.pop_back();
  return puzzle;
}

std::vector<std::string> FilesIn(const std::string& folder) {
  std::vector<std::string> files;
  for (const std::string& name : Files().List(folder)) {
    if (name.find("train") != name.npos && name.ends_with(".txt")) files.push_back(Str(folder, "/", name));
  }
  if (files.empty()) {
    throw NotFound("there is no *train*.txt in '", folder, "': --data wants a folder with ",
                   FilesOf(models::LearnerData::kPlaces));
  }
  return files;
}

// A model reads and writes as many points as it was built for. Zeros stand behind those that there are; the first place
// again, which closes the way, behind those that make it.
class PlacesOfLearner final : public Batches {
 public:
  PlacesOfLearner(const Learner& learner, const ModelData& data) : Batches(learner, data.seed) {
    int64_t lines = 0;
    for (const std::string& file : FilesIn(data.folder)) {
      ReadLines(file, [&](const std::string& line) {
        Add(Parsed(line));
        ++lines;
      });
    }
    Require(size() > 0, "no line of the *train*.txt in '", data.folder, "' has up to ", ShapeOf(0).dim(1),
            " points and up to ", ShapeOf(1).dim(1), " places, which is what the model reads and writes");
    LeaveOut(lines - size(), "lines (of too many points or places)");
  }

  std::vector<FeedValue> Next() override {
    std::vector<Tensor> batch = NewBatch();
    const int64_t coordinates = ShapeOf(0).elements() / ShapeOf(0).dim(0), places = ShapeOf(1).dim(1);
    float* point = batch[0].mutable_data<float>().data();
    int32_t* place = batch[1].mutable_data<int32_t>().data();
    for (int64_t row = 0; row < ShapeOf(0).dim(0); ++row) {
      const int64_t drawn = Below(size());
      point = std::copy_n(points_.begin() + drawn * coordinates, coordinates, point);
      place = std::copy_n(places_.begin() + drawn * places, places, place);
    }
    return Feeds(std::move(batch));
  }

 private:
  int64_t size() const { return std::ssize(places_) / ShapeOf(1).dim(1); }

  // Unless it is longer than what the model reads or writes.
  void Add(const Puzzle& puzzle) {
    const auto coordinates = static_cast<size_t>(ShapeOf(0).elements() / ShapeOf(0).dim(0));
    const auto places = static_cast<size_t>(ShapeOf(1).dim(1));
    if (puzzle.coordinates.size() > coordinates || puzzle.places.size() > places) return;
    for (const double coordinate : puzzle.coordinates) points_.push_back(static_cast<float>(coordinate));
    points_.resize(points_.size() + coordinates - puzzle.coordinates.size(), 0.0f);
    places_.insert(places_.end(), puzzle.places.begin(), puzzle.places.end());
    places_.resize(places_.size() + places - puzzle.places.size(), puzzle.places.front());
  }

  std::vector<float> points_;    // rows of the first input
  std::vector<int32_t> places_;  // rows of the second
};

}  // namespace

std::shared_ptr<Batches> PlacesFor(const Learner& learner, const ModelData& data) {
  return std::make_shared<PlacesOfLearner>(learner, data);
}

}  // namespace plumb::tools
