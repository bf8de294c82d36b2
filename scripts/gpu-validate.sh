#!/bin/bash
# What is to hold after the last change of a kernel, in one call of a few minutes: checks side by side, then measurements alone.
#   validate.sh [--flash FOLDER] [--out FOLDER]
# Hashes of exact arithmetic and parity with float64 on CUDA and WebGPU, the native tests, the same bytes by all regimes, memcheck and racecheck, each for
# CENTROID_LAB_CHECK_SECONDS (170) at most; then the grid and thirty random cells (CENTROID_LAB_SEED). Options and results as those of
# run.sh, which it calls.
cd "$(dirname "$0")" || exit 1
out=$PWD/results
args=()
while [ $# -gt 0 ]; do
  case $1 in
    --out) shift; out=$1 ;;
    --flash) shift; args+=(--flash "$1") ;;
    *) echo "validate.sh knows --flash FOLDER and --out FOLDER, not $1"; exit 2 ;;
  esac
  shift
done
mkdir -p "$out" || exit 1
failed=0
for one in hashes-cuda hashes-webgpu bytes bounded whole parity-cuda parity-webgpu native-cuda memcheck-kept racecheck-kept; do
  timeout "${CENTROID_LAB_CHECK_SECONDS:-170}" ./run.sh --only $one --out "$out" >"$out/$one.summary" 2>&1 &
done
for job in $(jobs -p); do wait "$job" || failed=1; done
# One that was cut off has no line of its own: it must not be missed.
said() {
  local line
  line=$(grep "^$1 " "$out/$1.summary" | tail -n 1)
  echo "${line:-$1 NOT FINISHED, see $out/$1.log}"
}
for summary in "$out"/*.summary; do said "$(basename "$summary" .summary)"; done
for one in grid grid-webgpu random; do
  ./run.sh --only $one --out "$out" "${args[@]}" >"$out/$one.summary" 2>&1 || failed=1
  said $one
done
exit $failed
