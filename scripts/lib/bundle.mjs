import { resolve } from 'node:path'
import { at } from './project.mjs'

const alias = {
  '@shared': at('src', 'shared'),
  '@engine': at('src', 'engine'),
  '@kernels': at('kernels'),
  // Trials and the parity suite are bundled too, for machines without npm packages; the product imports neither.
  '@tests': at('tests'),
}

/**
 * Puts a TypeScript program and all it imports into one file for Node. Only the package `webgpu` stays outside, because it
 * brings a library.
 * @param {string} entry path below the root
 * @param {string} folder where the file goes
 * @param {string} name of the file, without its ending
 * @param {Readonly<Record<string, string>>} [instead] files that take the place of packages
 */
export async function bundle(entry, folder, name, instead = {}) {
  // Not at the top: in a fresh clone the set-up has to install it first.
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: at(),
    logLevel: 'warn',
    resolve: { alias: { ...alias, ...instead } },
    ssr: { noExternal: true, external: ['webgpu'] },
    build: {
      ssr: at(...entry.split('/')),
      outDir: resolve(folder),
      emptyOutDir: false,
      minify: false,
      rollupOptions: { output: { format: 'es', entryFileNames: `${name}.mjs`, codeSplitting: false } },
    },
  })
}
