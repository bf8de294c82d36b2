# The CUDA engine's addon and its native tests, where nvcc is found and CENTROID_LAB_CUDA is on.
#   cmake -S kernels -B .native/cuda -DCENTROID_LAB_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES=90a-real
#   cmake --build .native/cuda -j2 --target centroid_cuda cuda_tests
# gives .native/centroid_cuda.node. The runtime is linked statically: the addon loads where there is no driver.
if(NOT CMAKE_CUDA_ARCHITECTURES)
  # 90a: plain sm_90 has no wgmma. PTX of the newest lets later cards run.
  set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 86-real 89-real 90a-real 100-real 120-real 120-virtual)
endif()
enable_language(CUDA)
set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
# CMake 3.25 knows no newer one for nvcc 13.
set(CMAKE_CUDA_STANDARD 17)
string(APPEND CMAKE_CUDA_FLAGS " --expt-relaxed-constexpr -Xcompiler=-Wall,-Wextra,-fvisibility=hidden,-fPIC")

# No --use_fast_math: it would change results.
set(cuda_flags -O3)
add_library(centroid_cuda_kernels STATIC
  common/cuda/assign_staged.cu
  common/cuda/columns.cu
  bench/cuda_floors.cu
  common/cuda/cuda_engine.cu
  common/cuda/device_lloyd.cu
  common/cuda/device_seeding.cu
  common/cuda/device_session.cu
  common/cuda/finish.cu
  common/cuda/greedy_seeding.cu
  common/cuda/hybrid.cu
  common/cuda/labels.cu
  common/cuda/make_device_variant.cu
  common/cuda/neighbours.cu
  common/cuda/point_statistics.cu
  common/cuda/seeding_sketch.cu
  common/cuda/streamed_passes.cu
  common/cuda/transfer.cu
  variants/distance-matrix/distance-matrix.cu
  variants/pruned/plan.cu
  variants/pruned/tiles.cu
  variants/pruned/visit.cu
  variants/pruned/high.cu
  variants/pruned/high_handover.cu
  variants/pruned/high_motion.cu
  variants/pruned/high_scan.cu
  variants/pruned/high_visit.cu
  variants/pruned/pruned.cu
  variants/global-atomics/global-atomics.cu
  variants/fused/fused.cu
  variants/fused/fused_general.cu
  variants/fused/fused_grid.cu
  variants/fused/fused_grid_box.cu
  variants/fused/fused_grid_many.cu
  variants/fused/fused_grid_order.cu
  variants/hybrid-parallel/hybrid-parallel.cu
  variants/hybrid/hybrid.cu
  variants/irregular-reduction/irregular-reduction.cu
  variants/partial-sums/partial-sums.cu
  variants/shared-centroids/shared-centroids.cu
  variants/sort-reduce/sort-reduce.cu
  variants/thrust/thrust.cu
  variants/tree-reduction/tree-reduction.cu
  variants/fused/fused_high.cu
  variants/fused/fused_high_ball_tiles.cu
  variants/fused/fused_high_balls.cu
  variants/fused/fused_high_cells.cu
  variants/fused/fused_high_centroids.cu
  variants/fused/fused_high_cores.cu
  variants/fused/fused_high_exact.cu
  variants/fused/fused_high_fragments.cu
  variants/fused/fused_high_order.cu
  variants/fused/fused_high_parting.cu
  variants/fused/fused_high_points.cu
  variants/fused/fused_high_settle.cu
  variants/fused/fused_many.cu
  variants/fused/fused_matrix.cu
  variants/fused/fused_near.cu
  variants/fused/fused_near_order.cu
  variants/fused/fused_small.cu
  variants/fused/fused_staged.cu
  variants/fused/fused_tiny.cu
  variants/fused/fused_tiny_few.cu
  variants/fused/fused_tiny_order.cu
)
target_compile_options(centroid_cuda_kernels PRIVATE ${cuda_flags})
target_include_directories(centroid_cuda_kernels PUBLIC common common/cuda)
target_link_libraries(centroid_cuda_kernels PUBLIC centroid_kernels)

add_library(centroid_cuda MODULE
  binding/answers.cpp
  binding/arguments.cpp
  binding/cuda_addon.cpp
  binding/cuda_engine.cpp
  binding/seeding.cpp
  binding/session.cpp
)
target_include_directories(centroid_cuda SYSTEM PRIVATE ${packages}/node-addon-api ${packages}/node-api-headers/include)
target_compile_definitions(centroid_cuda PRIVATE
  NAPI_VERSION=8
  NAPI_CPP_EXCEPTIONS
  CENTROID_LAB_CUDA_COMPILER="nvcc ${CMAKE_CUDA_COMPILER_VERSION}"
  CENTROID_LAB_CUDA_FLAGS="${cuda_flags}"
)
target_link_libraries(centroid_cuda PRIVATE centroid_cuda_kernels)
set_target_properties(centroid_cuda PROPERTIES
  PREFIX "" SUFFIX ".node" OUTPUT_NAME centroid_cuda LIBRARY_OUTPUT_DIRECTORY ${output} BUILD_RPATH "$ORIGIN")

# Skips loudly where there is no GPU; the checks that need one are run by `npm run gpu:bundle`'s script.
add_executable(cuda_tests
  test/cuda/check_steps.cu
  test/cuda/main.cu
  test/cuda/opening.cu
  test/cuda/plane_sums.cu
  test/cuda/pruned_runs.cu
  test/cuda/seeding.cu
  test/cuda/timing.cu
  test/cuda/whole_launches.cu
  test/cuda/worked_example.cu
)
target_link_libraries(cuda_tests PRIVATE centroid_cuda_kernels)
