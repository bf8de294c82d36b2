#!/usr/bin/env node
// Builds the CUDA addon and its native tests: for every card, or for those named ("npm run build:cuda -- 90a-real").
import { buildCuda } from './lib/cuda-addon.mjs'
import { runProgram } from './lib/failure.mjs'
import { setUpHeadless } from './lib/setup.mjs'

await runProgram(async () => {
  await setUpHeadless({ webgpu: false })
  console.error(await buildCuda(process.argv[2] ?? '', ['centroid_cuda', 'cuda_tests']))
  return 0
})
