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

# Devices that are lost on demand, for tests on machines with several: never in what is shipped.
option(CENTROID_LAB_FAULTS "devices can be lost on demand" OFF)

# No --use_fast_math: it would change results.
set(cuda_flags -O3)
# A variant is found by its folder, and registers itself when its object is linked: so no archive, which would leave out
# objects that nobody names.
file(GLOB cuda_sources CONFIGURE_DEPENDS
  common/cuda/*.cu methods/*/*.cu variants/*/*.cu variants/*/regimes/*/*.cu)
add_library(centroid_cuda_kernels OBJECT ${cuda_sources})
target_compile_options(centroid_cuda_kernels PRIVATE ${cuda_flags})
if(CENTROID_LAB_FAULTS)
  set_source_files_properties(common/cuda/lost_on_demand.cu common/cuda/device_session.cu PROPERTIES
    COMPILE_DEFINITIONS CENTROID_LAB_FAULTS)
endif()
target_include_directories(centroid_cuda_kernels PUBLIC . common common/cuda)
target_link_libraries(centroid_cuda_kernels PUBLIC centroid_kernels)

add_library(centroid_cuda MODULE
  binding/answers.cpp
  binding/arguments.cpp
  binding/cuda_addon.cpp
  binding/cuda_engine.cpp
  binding/seeding.cpp
  binding/session.cpp
  binding/held_points_object.cpp
  binding/large_array.cpp
  binding/silhouette_object.cpp
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
file(GLOB cuda_test_sources CONFIGURE_DEPENDS test/cuda/*.cu)
add_executable(cuda_tests ${cuda_test_sources})
target_link_libraries(cuda_tests PRIVATE centroid_cuda_kernels)
