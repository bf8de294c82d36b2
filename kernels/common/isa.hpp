#pragma once

namespace centroid_lab {

enum class Isa { baseline, avx2, avx512 };

/// The best instruction set of this processor that kernels exist for. CENTROID_LAB_ISA=baseline|avx2|avx512
/// lowers it, never raises it.
Isa best_isa();

/// `baseline`, `avx2` or `avx512`.
const char* name_of(Isa isa);

}  // namespace centroid_lab
