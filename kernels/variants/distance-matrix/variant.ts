import { defineVariant } from '../declaration'

const bytesPerDistance = 4

export default defineVariant({
  id: 'distance-matrix',
  title: 'Distance matrix',
  summary: 'N×k distances stored, argmin, atomic sums, mean, compare.',
  from: 'Di Dio',
  engines: {
    cpu: { deterministic: true, exact: true },
    cuda: { deterministic: false, exact: true },
    webgpu: { deterministic: true, exact: true },
  },
  workspaceBytes: ({ n, k }) => n * k * bytesPerDistance,
})
