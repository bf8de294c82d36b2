#include "fit_groups.hpp"

namespace centroid_lab::reader {

const WholeNumbers avx2_whole_numbers{fit_groups, write_whole, add_up};

}  // namespace centroid_lab::reader
