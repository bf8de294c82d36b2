import { bestRestart } from '@shared/metrics/suggestions'
import { printable, printableJson } from '@shared/printable'
import type { ScannedK, ScanRecord, ScanRestart } from '@shared/scan'
import { distinctNumbers, shortNumber, textTable } from './text-table'

/** `scan --json`: exactly one object, on one line. `files` is there only when files were written. */
export function scanJson(record: ScanRecord, files: readonly string[]): string {
  const { n, d, config, ran, rows, suggestions, seconds, uploadSeconds, warnings } = record
  return `${printableJson({
    file: record.file.name,
    ...{ n, d, k_min: config.kMin, k_max: config.kMax, n_init: config.restarts, seed: config.run.seed },
    ...(ran && { engine: ran.engine, device: ran.device, device_name: ran.deviceName, variant: ran.variant }),
    rows: rows.map(rowJson),
    suggestions: {
      knee: suggestions.knee,
      silhouette: suggestions.silhouette,
      calinski_harabasz: suggestions.calinskiHarabasz,
      davies_bouldin: suggestions.daviesBouldin,
      gap: suggestions.gap,
    },
    ...{ seconds, upload_seconds: uploadSeconds, warnings },
    ...(files.length > 0 && { files }),
  })}\n`
}

function rowJson(row: ScannedK) {
  const { k, silhouette, gap, sizes, restarts } = row
  const { restart, inertia, calinskiHarabasz, daviesBouldin } = bestRestart(row)
  return {
    ...{ k, best: restart, inertia },
    silhouette: silhouette?.mean ?? null,
    silhouette_se: silhouette?.standardError ?? null,
    silhouette_points: silhouette?.points ?? null,
    ...{ calinski_harabasz: calinskiHarabasz, davies_bouldin: daviesBouldin },
    ...{ gap: gap?.gap ?? null, gap_se: gap?.standardError ?? null, sizes },
    restarts: restarts.map(restartJson),
  }
}

function restartJson({ restart, seed, inertia, iterations, stopped, seconds, ...indices }: ScanRestart) {
  const { calinskiHarabasz, daviesBouldin } = indices
  return {
    ...{ restart, seed, inertia, calinski_harabasz: calinskiHarabasz, davies_bouldin: daviesBouldin },
    ...{ iterations, stopped, seconds },
  }
}

/** The result of a scan for reading: the best restart of each k, and what each rule says. */
export function scanText(
  record: ScanRecord,
  files: readonly string[],
  advice: readonly string[] = [],
): string {
  const { file, n, d, config, warnings } = record
  const head = `${printable(file.name)}: ${n} points, ${d} ${d === 1 ? 'feature' : 'features'}, ${config.restarts} ${config.restarts === 1 ? 'run' : 'runs'} of each k\n`
  const parts = [
    head,
    table(record),
    sayings(record),
    ...(warnings.length > 0 ? [warnings.map((warning) => `Warning: ${printable(warning)}\n`).join('')] : []),
    ...(advice.length > 0 ? [advice.join('')] : []),
    ...(files.length > 0 ? [files.map((path) => `Written: ${printable(path)}\n`).join('')] : []),
  ]
  return parts.join('\n')
}

function isSampledK({ silhouette }: ScannedK): boolean {
  return (silhouette?.standardError ?? null) !== null
}

interface Column {
  readonly name: string
  readonly values: readonly (number | null)[]
}

function table({ rows, config }: ScanRecord): string {
  const has = (index: (typeof config.indices)[number]) => config.indices.includes(index)
  const best = rows.map(bestRestart)
  const isSampled = rows.some(isSampledK)
  const columns: Column[] = [
    { name: 'inertia', values: best.map(({ inertia }) => inertia) },
    {
      name: 'worst',
      values: rows.map(({ restarts }) => Math.max(...restarts.map(({ inertia }) => inertia))),
    },
    ...(has('silhouette')
      ? [{ name: 'silhouette', values: rows.map(({ silhouette }) => silhouette?.mean ?? null) }]
      : []),
    ...(isSampled
      ? [{ name: '+-', values: rows.map(({ silhouette }) => silhouette?.standardError ?? null) }]
      : []),
    ...(has('calinski-harabasz')
      ? [{ name: 'calinski-harabasz', values: best.map(({ calinskiHarabasz }) => calinskiHarabasz) }]
      : []),
    ...(has('davies-bouldin')
      ? [{ name: 'davies-bouldin', values: best.map(({ daviesBouldin }) => daviesBouldin) }]
      : []),
    ...(has('gap')
      ? [
          { name: 'gap', values: rows.map(({ gap }) => gap?.gap ?? null) },
          { name: 'gap se', values: rows.map(({ gap }) => gap?.standardError ?? null) },
        ]
      : []),
  ]
  const texts = columns.map(({ values }) => distinctNumbers(values))
  const cells = rows.map(({ k }, i) => [String(k), ...texts.map((column) => column[i])])
  return textTable(['k', ...columns.map(({ name }) => name)], cells)
}

/** One rule beside the other. */
function sayings({ suggestions, config, rows, seconds, ran }: ScanRecord): string {
  const has = (index: (typeof config.indices)[number]) => config.indices.includes(index)
  const said = (k: number | null) => (k === null ? 'none in this range' : `k = ${k}`)
  const sampled = rows.find(isSampledK)?.silhouette
  const of = sampled ? ` (of ${sampled.points} rows, +- its standard error)` : ''
  return [
    `Knee of the inertia        ${said(suggestions.knee)}\n`,
    ...(has('silhouette') ? [`Largest silhouette         ${said(suggestions.silhouette)}${of}\n`] : []),
    ...(has('calinski-harabasz')
      ? [`Largest Calinski-Harabasz  ${said(suggestions.calinskiHarabasz)}\n`]
      : []),
    ...(has('davies-bouldin') ? [`Smallest Davies-Bouldin    ${said(suggestions.daviesBouldin)}\n`] : []),
    ...(has('gap') ? [`Gap rule                   ${said(suggestions.gap)}\n`] : []),
    ...(ran
      ? [
          `Computed on                ${ran.engine}, device ${ran.device} (${ran.deviceName}), variant ${ran.variant}\n`,
        ]
      : []),
    `Time                       ${shortNumber(seconds)} s\n`,
  ].join('')
}
