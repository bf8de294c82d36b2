import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const files = execFileSync('git', ['-C', root, 'ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)))
const text = (file: string) => readFileSync(join(root, file), 'utf8')
const below = (folder: string) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

const maxLines = 120
const maxColumns = 100
const documents = files.filter((file) => /^kernels\/.*\.md$/.test(file))
const variants = below('kernels/variants')

describe('documents of the kernels', () => {
  it.each(variants)('%s is described in at most 120 lines', (variant) => {
    const lines = text(`kernels/variants/${variant}/README.md`).trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(maxLines)
  })

  it.each([...documents, 'docs/developing.md'])('%s has lines of at most 100 columns', (file) => {
    const wide = text(file)
      .split('\n')
      .filter((line) => [...line].length > maxColumns)
    expect(wide).toEqual([])
  })
})

const prose = files.filter((file) => /^(docs\/[^/]*|[^/]*)\.md$/.test(file))

it.each(prose)('prose of %s has lines of at most 100 columns', (file) => {
  const parts = text(file).split(/^ *```.*$/m)
  const lines = parts.filter((_, i) => i % 2 === 0).flatMap((part) => part.split('\n'))
  const wide = lines.filter((line) => [...line].length > maxColumns && !/^\s*\|/.test(line))
  expect(wide).toEqual([])
})

/** Files are named by their path or the end of it. The recipes name files of a variant and of an engine that are not here. */
const toys = /\breversed\b|\btoy\b/
const fileName = /^[\w./-]+\.(ts|mjs|cpp|hpp|cu|cuh|wgsl|md|json|sh|cmake|txt|vue)$/

function missingFiles(document: string): string[] {
  const named = [...text(document).matchAll(/`([^`\n]+)`/g)].map(([, name]) => name)
  return named
    .filter((name) => fileName.test(name) && !toys.test(name))
    .filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)))
}

const naming = documents.filter((file) => /\/(README|proof)\.md$/.test(file))

it.each([...naming, 'docs/developing.md'])('every file that %s names exists', (document) => {
  expect(missingFiles(document)).toEqual([])
})

/** The rows of a README's tables whose last column says what proves a regime. */
function proofRows(variant: string): string[] {
  const readme = text(`kernels/variants/${variant}/README.md`)
  return readme.split('\n\n').flatMap((block) => {
    const [header, , ...rows] = block.split('\n')
    return /\| proof \|$/.test(header) ? rows : []
  })
}

/** Where links of a README lead, `[text](path)` or `[text]` with its path at the end of the file. */
function linkTargets(variant: string, row: string): string[] {
  const readme = text(`kernels/variants/${variant}/README.md`)
  return [...row.matchAll(/\[([^\]]+)\](?:\(([^)]+)\))?/g)].map(
    ([, name, path]) => path ?? new RegExp(`^\\[${name}\\]: (.+)$`, 'm').exec(readme)?.[1] ?? name,
  )
}

const regimes = variants.flatMap((variant) => {
  const folder = `kernels/variants/${variant}/regimes`
  return existsSync(join(root, folder)) ? below(folder).map((regime) => ({ variant, regime })) : []
})

it.each(regimes)('$variant says what proves the regime $regime', ({ variant, regime }) => {
  const rows = proofRows(variant).filter((row) => row.includes(`\`${regime}\``))
  expect(rows).not.toEqual([])
  for (const target of rows.flatMap((row) => linkTargets(variant, row))) {
    expect(existsSync(join(root, 'kernels', 'variants', variant, target)), target).toBe(true)
  }
})

it('every proof is one that a README of its variant, method or regime names', () => {
  const proofs = documents.filter((file) => file.endsWith('/proof.md'))
  const linked = new Set(
    variants.flatMap((variant) =>
      proofRows(variant)
        .flatMap((row) => linkTargets(variant, row))
        .map((target) => join('kernels', 'variants', variant, target)),
    ),
  )
  expect(proofs.filter((proof) => !linked.has(proof)).map((proof) => dirname(proof))).toEqual([])
})
