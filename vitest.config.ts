import { resolve } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'

const alias = {
  '@shared': resolve('src/shared'),
  '@engine': resolve('src/engine'),
  '@kernels': resolve('kernels'),
  '@': resolve('src/renderer/src'),
}

// One runner, four suites: `unit` (pure TypeScript, engine and main), `renderer` (components in jsdom),
// `parity` (every variant x engine x fixture against the float64 reference), `e2e` (the real window).
export default defineConfig({
  resolve: { alias },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/{shared,engine,main,cli,preload}/**/*.test.ts', 'tests/unit/**/*.test.ts'],
          testTimeout: 30_000,
          // Cancel within 200 ms is promised for a machine that does nothing else: a stall is tried once more.
          retry: 1,
        },
      },
      {
        extends: true,
        plugins: [vue()],
        test: { name: 'renderer', environment: 'jsdom', include: ['src/renderer/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'parity',
          include: ['kernels/**/*.test.ts'],
          testTimeout: 300_000,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          retry: 1,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
