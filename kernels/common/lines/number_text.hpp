// Numbers as text, in the form that the program writes everywhere.
#pragma once

namespace centroid_lab {

/// Characters that `number_text` writes at most.
constexpr int longest_number = 25;

/// The shortest text that reads back to the same float64, in the form of JavaScript's String(value): 0.5, 1e+21, 5e-324.
/// -0 is 0; what is no finite number is no text at all.
/// @param mark decimal mark
/// @returns behind the last character written to `to`
char* number_text(double value, char mark, char* to);

}  // namespace centroid_lab
