#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

#include "spec/files/file_system.h"
#include "tools/train/data/learner_batches.h"
#include "tools/train/data/text_files.h"
#include "tools/train/data/words.h"

namespace plumb::tools {
namespace {

using models::Learner;

// What a line tells, in this order. The weight says how many people are like this one, nothing of them.
enum Column : size_t {
  kAge,
  kWorkclass,
  kWeight,
  kEducation,
  kEducationYears,
  kMaritalStatus,
  kOccupation,
  kRelationship,
  kRace,
  kSex,
  kCapitalGain,
  kCapitalLoss,
  kHours,
  kCountry,
  kIncome,
  kColumns
};

constexpr std::array kNumbers = {kAge, kEducationYears, kCapitalGain, kCapitalLoss, kHours};
constexpr size_t kParts = 10;  // that a number is cut into, as many people in each as can be

// The fields of categories: single columns, numbers cut into parts, and columns crossed with each other, as
// TensorFlow's tutorial of the model has them. A model of fewer fields has the first ones.
const std::vector<std::vector<Column>>& Fields() {
  static const std::vector<std::vector<Column>> fields = {
      {kWorkclass},
      {kEducation},
      {kMaritalStatus},
      {kOccupation},
      {kRelationship},
      {kRace},
      {kSex},
      {kCountry},
      {kAge},
      {kEducationYears},
      {kCapitalGain},
      {kCapitalLoss},
      {kHours},
      {kEducation, kOccupation},
      {kAge, kEducation, kOccupation},
      {kCountry, kOccupation},
      {kMaritalStatus, kOccupation},
      {kWorkclass, kOccupation},
      {kSex, kOccupation},
      {kAge, kMaritalStatus},
      {kAge, kEducation},
      {kAge, kHours},
      {kEducation, kHours},
      {kRelationship, kSex},
      {kRelationship, kHours},
      {kCapitalGain, kCapitalLoss},
  };
  return fields;
}

struct Person {
  std::array<std::string, kColumns> texts;
  std::array<double, kNumbers.size()> numbers = {};
};

double NumberOf(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  Require(error == std::errc() && end == text.data() + text.size() && number >= 0 && std::isfinite(number), "'", text,
          "' is not a number from 0 on");
  return number;
}

Person PersonOf(const std::vector<std::string>& fields) {
  Person person;
  for (size_t column = 0; column < kColumns; ++column) {
    for (const std::string& word : WordsOf(fields[column])) person.texts[column] += word;
  }
  for (size_t i = 0; i < kNumbers.size(); ++i) person.numbers[i] = NumberOf(person.texts[kNumbers[i]]);
  const std::string& income = person.texts[kIncome];
  Require(income == ">50K" || income == "<=50K", "the last column is '", income, "', neither '>50K' nor '<=50K'");
  return person;
}

std::vector<Person> PeopleIn(const ModelData& data) {
  for (const char* const name : {"adult.data", "train.csv"}) {
    const std::string path = data.folder + "/" + name;
    if (!Files().Exists(path)) continue;
    std::vector<Person> people;
    bool is_first = true;
    ReadCsv(path, kColumns, data, [&](const std::vector<std::string>& fields) {
      const bool is_heading = std::exchange(is_first, false) && fields[kAge] == "age";
      if (!is_heading) people.push_back(PersonOf(fields));
    });
    Require(!people.empty(), "there is nobody in '", path, "'");
    return people;
  }
  throw NotFound("there is neither adult.data nor train.csv in '", data.folder, "': --data wants a folder with ",
                 FilesOf(models::LearnerData::kCensus));
}

// In the place of the number's text, which part of all people's numbers it is in.
void CutIntoParts(std::vector<Person>& people, size_t number) {
  std::vector<double> sorted(people.size());
  std::transform(people.begin(), people.end(), sorted.begin(),
                 [number](const Person& person) { return person.numbers[number]; });
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> cuts;
  for (size_t part = 1; part < kParts; ++part) cuts.push_back(sorted[part * sorted.size() / kParts]);
  for (Person& person : people) {
    const auto cut = std::lower_bound(cuts.begin(), cuts.end(), person.numbers[number]);
    person.texts[kNumbers[number]] = std::to_string(cut - cuts.begin());
  }
}

// One that no other field has.
std::string CategoryOf(const Person& person, size_t field) {
  std::string category = std::to_string(field);
  for (const Column column : Fields()[field]) category += ' ' + person.texts[column];
  return category;
}

// So that their mean is 0 and their standard deviation 1; all are 0 if they were the same.
void Standardise(std::vector<double>& numbers) {
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  const bool are_same = *least == *most;
  const auto count = static_cast<double>(numbers.size());
  const double mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / count;
  double squares = 0;
  for (const double number : numbers) squares += (number - mean) * (number - mean);
  const double deviation = std::sqrt(squares / count);
  for (double& number : numbers) number = are_same ? 0 : (number - mean) / deviation;
}

// Categories are numbered by frequency, those of all fields together. Numbers stand by themselves and then as
// logarithms, for some are far from the others; then zeros.
class CensusOfLearner final : public Batches {
 public:
  CensusOfLearner(const Learner& learner, const ModelData& data) : Batches(learner, data.seed) {
    Require(fields() <= std::ssize(Fields()), "the model reads ", fields(),
            " categories of each person, and there are ", Fields().size());
    std::vector<Person> people = PeopleIn(data);
    TakeNumbers(people);
    for (size_t number = 0; number < kNumbers.size(); ++number) CutIntoParts(people, number);
    TakeCategories(people);
    for (const Person& person : people) labels_.push_back(person.texts[kIncome] == ">50K" ? 1 : 0);
  }

  std::vector<FeedValue> Next() override {
    std::vector<Tensor> batch = NewBatch();
    int32_t *category = batch[0].mutable_data<int32_t>().data(), *label = batch[2].mutable_data<int32_t>().data();
    float* number = batch[1].mutable_data<float>().data();
    for (int64_t row = 0; row < ShapeOf(0).dim(0); ++row) {
      const int64_t person = Below(std::ssize(labels_));
      category = std::copy_n(categories_.begin() + person * fields(), fields(), category);
      number = std::copy_n(numbers_.begin() + person * numbers(), numbers(), number);
      *label++ = labels_[static_cast<size_t>(person)];
    }
    return Feeds(std::move(batch));
  }

 private:
  int64_t fields() const { return ShapeOf(0).dim(1); }
  int64_t numbers() const { return ShapeOf(1).dim(1); }

  void TakeNumbers(const std::vector<Person>& people) {
    const auto each = static_cast<size_t>(numbers());
    numbers_.resize(people.size() * each, 0.0f);
    for (size_t i = 0; i < std::min(each, 2 * kNumbers.size()); ++i) {
      std::vector<double> column;
      for (const Person& person : people) {
        const double number = person.numbers[i % kNumbers.size()];
        column.push_back(i < kNumbers.size() ? number : std::log1p(number));
      }
      Standardise(column);
      for (size_t row = 0; row < people.size(); ++row) numbers_[row * each + i] = static_cast<float>(column[row]);
    }
  }

  void TakeCategories(const std::vector<Person>& people) {
    const auto each = static_cast<size_t>(fields());
    WordCounts counts;
    for (const Person& person : people) {
      for (size_t field = 0; field < each; ++field) ++counts[CategoryOf(person, field)];
    }
    const Vocabulary ids = NumberWords(counts, 0, learner().inputs[0].below);
    for (const Person& person : people) {
      for (size_t field = 0; field < each; ++field) categories_.push_back(ids.at(CategoryOf(person, field)));
    }
  }

  std::vector<int32_t> categories_, labels_;
  std::vector<float> numbers_;
};

}  // namespace

std::shared_ptr<Batches> CensusFor(const Learner& learner, const ModelData& data) {
  return std::make_shared<CensusOfLearner>(learner, data);
}

}  // namespace plumb::tools
