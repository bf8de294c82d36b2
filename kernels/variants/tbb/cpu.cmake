# oneTBB was looked for already: the hybrids' sums use it too.
if(TARGET TBB::tbb)
  set(variant_libraries TBB::tbb)
else()
  set(variant_lacks "oneTBB (libtbb-dev)")
endif()
