// What both textbook programs read and print. No part of what they time.
//   PROGRAM POINTS N D CENTROIDS K ITERATIONS
// POINTS: N x D float32, CENTROIDS: K x D float32, raw, row by row. Prints one line of JSON.
#pragma once

#include <cstddef>
#include <cstdio>
#include <ctime>
#include <stdexcept>
#include <string>
#include <vector>

struct Input {
  std::size_t n = 0;
  std::size_t d = 0;
  std::size_t k = 0;
  int iterations = 0;
  std::vector<float> points;
  std::vector<float> centroids;
};

inline std::vector<float> read_floats(const std::string& path, std::size_t count) {
  std::vector<float> values(count);
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) throw std::runtime_error("cannot open " + path);
  const std::size_t found = std::fread(values.data(), sizeof(float), count, file);
  std::fclose(file);
  if (found != count) throw std::runtime_error(path + " holds " + std::to_string(found) + " numbers only");
  return values;
}

inline Input read_input(int count, char** arguments) {
  if (count != 7) throw std::runtime_error("expected: POINTS N D CENTROIDS K ITERATIONS");
  Input input;
  input.n = std::stoull(arguments[2]);
  input.d = std::stoull(arguments[3]);
  input.k = std::stoull(arguments[5]);
  input.iterations = std::stoi(arguments[6]);
  input.points = read_floats(arguments[1], input.n * input.d);
  input.centroids = read_floats(arguments[4], input.k * input.d);
  return input;
}

/// {"ms_per_iteration": ..., "centroids": [...]}: row by row, digits that read back to the same number.
/// @param taken processor time of all iterations
template <class Real>
void print_result(std::clock_t taken, int iterations, const std::vector<Real>& centroids) {
  const double milliseconds = 1000.0 * static_cast<double>(taken) / CLOCKS_PER_SEC;
  std::printf("{\"ms_per_iteration\": %.9g, \"centroids\": [", milliseconds / iterations);
  for (std::size_t at = 0; at < centroids.size(); at++) {
    std::printf("%s%.17g", at == 0 ? "" : ", ", static_cast<double>(centroids[at]));
  }
  std::printf("]}\n");
}

/// Runs `work` on the input of the command line. @returns the exit status.
template <class Work>
int run_program(int count, char** arguments, const Work& work) {
  try {
    work(read_input(count, arguments));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", arguments[0], error.what());
    return 2;
  }
}
