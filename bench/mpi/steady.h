// How both programs of the comparison time a step.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

namespace plumb::bench {

// An even number of times gives the upper one of the two in the middle.
inline double Median(std::vector<double> seconds) {
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

template <class Step>
double SecondsOf(const Step& step) {
  const auto start = std::chrono::steady_clock::now();
  step();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Steps of `kinds` kinds in turn, so that a machine whose speed drifts hurts all alike: the median time of each. After
// a few that do not count they go on for `budget` seconds, three of each kind at least.
template <class Step>
std::vector<double> MediansFor(double budget, int kinds, const Step& step) {
  std::vector<std::vector<double>> seconds(static_cast<size_t>(kinds));
  const auto round = [&] {
    double spent = 0;
    for (int kind = 0; kind < kinds; ++kind) {
      seconds[kind].push_back(SecondsOf([&] { step(kind); }));
      spent += seconds[kind].back();
    }
    return spent;
  };
  for (double spent = 0; spent < budget / 4;) spent += round();
  for (auto& each : seconds) each.clear();
  for (double spent = 0; spent < budget || seconds[0].size() < 3;) spent += round();
  std::vector<double> medians;
  for (const auto& each : seconds) medians.push_back(Median(each));
  return medians;
}

// After one fifth as many that do not count, so many steps: where all ranks take the same ones.
template <class Step>
double MedianOf(int steps, const Step& step) {
  for (int i = 0; i < (steps + 4) / 5; ++i) step();
  std::vector<double> seconds;
  for (int i = 0; i < steps; ++i) seconds.push_back(SecondsOf(step));
  return Median(std::move(seconds));
}

// "256,1000" as numbers.
inline std::vector<int> Numbers(const std::string& text) {
  std::vector<int> numbers;
  std::istringstream stream(text);
  for (std::string number; std::getline(stream, number, ',');) numbers.push_back(std::stoi(number));
  return numbers;
}

// What the script that compares both reads.
inline void Print(const std::vector<double>& seconds) {
  std::printf("seconds");
  for (const double each : seconds) std::printf(" %.9f", each);
  std::printf("\n");
}

}  // namespace plumb::bench
