import { resolve } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'
import { collectLicences } from './scripts/generate-licences.mjs'

const alias = {
  '@shared': resolve('src/shared'),
  '@engine': resolve('src/engine'),
  '@kernels': resolve('kernels'),
}

/**
 * What writes workbooks brings fflate, whose file for Node declares a `require` of its own beside that of the bundle, and
 * then the chunk cannot be loaded. Nothing here needs its threads, the one thing the other file lacks.
 */
const withoutRequire = { fflate: resolve('node_modules/fflate/esm/browser.js') }

/** About reads this file: what is shipped needs no node_modules for it. */
const licences: Plugin = {
  name: 'licences',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'licences.json', source: JSON.stringify(collectLicences()) })
  },
}

// `main` holds three programs that share their modules: the Electron main process (index), the engine
// host (a plain Node process, so no Electron import may reach it) and the command line.
export default defineConfig({
  main: {
    resolve: { alias: { ...alias, ...withoutRequire } },
    plugins: [licences],
    build: {
      // Half the text to read and parse before a command or the engine host can begin.
      minify: true,
      // Packages carry no node_modules but `webgpu`, which brings a library.
      externalizeDeps: {
        exclude: [
          '@intlify/core-base',
          '@uwdata/flechette',
          'hyparquet',
          'valibot',
          'write-excel-file',
          'yauzl',
          'yazl',
        ],
      },
      rollupOptions: {
        input: {
          index: resolve('src/main/index.ts'),
          host: resolve('src/engine/host/index.ts'),
          cli: resolve('src/cli/index.ts'),
        },
        output: { format: 'es' },
      },
    },
  },
  preload: {
    resolve: { alias },
    build: {
      externalizeDeps: { exclude: ['valibot'] },
      // A sandboxed preload must be one CommonJS file.
      rollupOptions: {
        input: { index: resolve('src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    resolve: { alias: { '@shared': alias['@shared'], '@': resolve('src/renderer/src') } },
    plugins: [vue()],
    // Of vue-i18n only the Composition API, and nothing for tools of a developer.
    define: {
      __VUE_I18N_FULL_INSTALL__: false,
      __VUE_I18N_LEGACY_API__: false,
      __INTLIFY_PROD_DEVTOOLS__: false,
      __INTLIFY_DROP_MESSAGE_COMPILER__: false,
    },
    worker: { format: 'es' },
    build: {
      rollupOptions: { input: { index: resolve('src/renderer/index.html') } },
      // Half the text to read and parse before the window can be used.
      minify: true,
      // Fonts and images stay files: the content security policy allows no data: URLs for them.
      assetsInlineLimit: 0,
    },
  },
})
