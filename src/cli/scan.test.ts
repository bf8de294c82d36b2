import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runCli } from './run-cli'

const folder = mkdtempSync(join(tmpdir(), 'centroid-lab-scan-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** @param heard each piece of standard error */
async function said(
  args: readonly string[],
  signal = new AbortController().signal,
  heard: (text: string) => void = () => undefined,
) {
  let [stdout, stderr] = ['', '']
  const status = await runCli(args, {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (heard(text), (stderr += text)), isTTY: true },
    env: {},
    signal,
  })
  return { status, stdout, stderr }
}

const timeless = (stdout: string) =>
  JSON.parse(stdout.replaceAll(/seconds":[^,}]+/g, 'seconds":0')) as unknown

const iris = 'examples/iris.csv'
const exact = ['--stop', 'labels', '--engine', 'cpu']

describe('scan', () => {
  it('tells every k, and what each rule says', async () => {
    const { status, stdout } = await said(['scan', iris, '--k-max', '6', ...exact])
    expect(status).toBe(0)
    expect(stdout).toMatch(/^ *k +inertia +worst +silhouette +calinski-harabasz +davies-bouldin$/m)
    expect(stdout).toMatch(/^ *3 +78\.85 .* 0\.5528 +561\.6 +0\.662$/m)
    expect(stdout).toMatch(/^Largest silhouette +k = 2$/m)
    expect(stdout).toMatch(/^Largest Calinski-Harabasz +k = 3$/m)
    expect(stdout).not.toContain('Gap rule')
  })

  it('names the feature that decides by its range alone, until the features are scaled', async () => {
    const args = ['scan', 'examples/wine.csv', '--k-max', '3', ...exact]
    expect((await said(args)).stdout).toContain(
      'Note: proline dominates the distance: its range is 1402, that of',
    )
    expect((await said([...args, '--scaling', 'standardise'])).stdout).not.toContain('Note:')
  })

  it('prints one object, the same run after run, times apart', async () => {
    const args = ['scan', iris, '--k-min', '2', '--k-max', '4', '--n-init', '3', '--json', ...exact]
    const [first, second] = [await said(args), await said(args)]
    const parsed = ({ stdout }: { stdout: string }) =>
      JSON.parse(stdout.replaceAll(/seconds":[^,}]+/g, 'seconds":0')) as {
        rows: { k: number; sizes: number[]; restarts: { seed: number; inertia: number }[]; best: number }[]
        suggestions: Record<string, number | null>
      }
    expect(parsed(first)).toEqual(parsed(second))
    const { rows, suggestions } = parsed(first)
    expect(rows.map(({ k }) => k)).toEqual([2, 3, 4])
    for (const { restarts, best, sizes, k } of rows) {
      expect(restarts.map(({ seed }) => seed)).toEqual([1, 2, 3])
      expect(restarts[best].inertia).toBe(Math.min(...restarts.map(({ inertia }) => inertia)))
      expect(sizes).toHaveLength(k)
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(150)
    }
    expect(Object.keys(suggestions)).toEqual([
      ...['knee', 'silhouette', 'calinski_harabasz', 'davies_bouldin', 'gap'],
    ])
  })

  it('gives the restarts of cluster --n-init', async () => {
    const scanned = await said(['scan', iris, '--k-min', '4', '--k-max', '4', '--json', ...exact])
    const alone = await said(['cluster', iris, '-k', '4', '--n-init', '10', '--json', ...exact])
    const { rows } = JSON.parse(scanned.stdout) as { rows: { inertia: number; sizes: number[] }[] }
    const { inertia, sizes } = JSON.parse(alone.stdout) as { inertia: number; sizes: number[] }
    expect(rows[0]).toMatchObject({ inertia, sizes })
  })

  it('writes scan.csv, silhouette and gap in the row of the best restart alone', async () => {
    const out = join(folder, 'scan')
    const indices = ['--indices', 'silhouette,gap', '--n-init', '2', '--k-max', '3']
    const { status, stdout } = await said(['scan', iris, ...indices, ...exact, '-o', out])
    expect(status).toBe(0)
    expect(stdout).toContain('Written: ')
    expect(stdout).toMatch(/^Gap rule/m)
    const [header, ...lines] = readFileSync(join(out, 'scan.csv'), 'utf8').trimEnd().split('\n')
    expect(header).toBe(
      'k,restart,inertia,silhouette,calinski_harabasz,davies_bouldin,gap,gap_se,iterations,seconds',
    )
    const cells = lines.map((line) => line.split(','))
    expect(cells.map(([k, restart]) => `${k} ${restart}`)).toEqual(['2 0', '2 1', '3 0', '3 1'])
    for (const k of ['2', '3']) {
      const ofK = cells.filter(([own]) => own === k)
      expect(ofK.filter((row) => row[3] !== '' && row[6] !== '' && row[7] !== '')).toHaveLength(1)
      expect(ofK.every((row) => row[4] === '' && row[5] === '')).toBe(true)
    }
    expect((await said(['scan', iris, ...indices, '-o', out])).stderr).toContain('--force')
  })

  it('finds the six blobs by the gap rule, far from the origin', async () => {
    const { stdout } = await said([
      ...['scan', 'tests/indices/files/blobs.csv', '--k-min', '1', '--k-max', '8', '--json'],
      ...['--indices', 'all', ...exact],
    ])
    expect(JSON.parse(stdout)).toMatchObject({ suggestions: { silhouette: 6, gap: 6 } })
  })

  it('goes to k = N - 1, where all but two points are alone', async () => {
    const file = join(folder, 'few.csv')
    writeFileSync(file, 'x,y\n0,0\n0,1\n5,5\n9,9\n9,0\n')
    const { stdout } = await said(['scan', file, '--k-min', '1', '--k-max', '5', '--json', ...exact])
    const { rows } = JSON.parse(stdout) as { rows: { k: number; silhouette: number | null }[] }
    expect(rows.map(({ silhouette }) => silhouette === null)).toEqual([true, false, false, false, true])
    // The pair has 1 - 1 / √41, the nearest other point of (0, 1) being (5, 5); of (0, 0) 1 - 1 / √50.
    const pair = (1 - 1 / Math.sqrt(41) + 1 - 1 / Math.sqrt(50)) / 5
    expect(rows[3].silhouette).toBeCloseTo(pair, 6)
  })

  it.each([
    [['--k-min', '5', '--k-max', '3'], /largest k/],
    [['--k-max', '151'], /150 usable rows: choose a k of at most 150/],
    [['--indices', 'elbow'], /--indices/],
    [['--k-min', '0'], /--k-min/],
    [['--history'], /--history/],
  ])('refuses %j in one sentence', async (args, sentence) => {
    const { status, stdout, stderr } = await said(['scan', iris, ...args])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(sentence)
  })

  it('says which rows were left out, and which clusters are empty', async () => {
    const file = join(folder, 'repeated.csv')
    writeFileSync(file, 'x,y\n0,0\n0,0\n5,5\n5,5\n,3\n')
    const { stdout } = await said(['scan', file, '--k-max', '3', '--json', ...exact])
    const { warnings, n } = JSON.parse(stdout) as { warnings: string[]; n: number }
    expect(n).toBe(4)
    expect(warnings.join(' ')).toMatch(/1 row .* row 6/)
    expect(warnings.join(' ')).toContain('1 of the 3 clusters of k = 3 own no point.')
  })

  it('goes on after the restarts that an ended process had finished', async () => {
    const kept = join(folder, 'kept')
    const args = ['scan', 'examples/digits.csv', '--k-max', '12', '--json', '--checkpoint', kept, ...exact]
    const whole = await said(args.filter((arg) => arg !== '--checkpoint' && arg !== kept))
    const stopping = new AbortController()
    const cut = await said(args, stopping.signal, (text) => {
      if (text.includes(' in all')) stopping.abort()
    })
    expect(cut.status).toBe(130)
    expect(cut.stderr).toContain(`its progress is kept in ${kept}: the same command resumes it`)
    expect(readdirSync(kept)).toEqual([expect.stringMatching(/^scan-[0-9a-f]{16}\.scan$/)])
    const rest = await said(args)
    const resumed = /Going on after (\d+) restarts? of an earlier start/.exec(rest.stderr)
    expect(Number(resumed?.[1])).toBeGreaterThan(0)
    expect(Number(resumed?.[1])).toBeLessThan(110)
    expect(timeless(rest.stdout)).toEqual(timeless(whole.stdout))
    expect(readdirSync(kept)).toEqual([])
  })

  it('starts over where other data or another question is kept', async () => {
    const kept = join(folder, 'other')
    const stopping = new AbortController()
    const args = ['scan', 'examples/digits.csv', '--k-max', '12', '--checkpoint', kept, ...exact]
    await said(args, stopping.signal, (text) => {
      if (text.includes(' in all')) stopping.abort()
    })
    const other = await said([...args, '--scaling', 'standardise'])
    expect(other).toMatchObject({ status: 0 })
    expect(other.stderr).not.toContain('Going on')
    expect((await said(args)).stderr).toContain('Going on')
  })

  it('ends when it is cancelled', async () => {
    const { status } = await said(['scan', iris], AbortSignal.abort())
    expect(status).toBe(130)
  })
})

describe('judge', () => {
  it('judges the classes of a column', async () => {
    const { status, stdout } = await said(['judge', iris, '--labels', 'species', '--json'])
    expect(status).toBe(0)
    const answer = JSON.parse(stdout) as Record<string, number>
    // scikit-learn 1.2.1 of the species.
    expect(answer.silhouette).toBeCloseTo(0.503477440693296, 7)
    expect(answer.calinski_harabasz).toBeCloseTo(487.33087637489984, 4)
    expect(answer.davies_bouldin).toBeCloseTo(0.7513707094756737, 7)
    expect(answer).toMatchObject({ n: 150, d: 4, k: 3, adjusted_rand: null })
  })

  it('judges what cluster wrote, beside the known classes', async () => {
    const out = join(folder, 'clustered')
    const cluster = ['cluster', iris, '-k', '3', '--n-init', '10', ...exact, '--profile', '-o', out]
    expect((await said(cluster)).status).toBe(0)
    const file = join(out, 'labels.csv')
    const both = [
      await said(['judge', iris, '--labels', file, '--truth', 'species', '--json']),
      await said(['judge', file, '--labels', 'cluster', '--truth', 'species', '--json']),
    ]
    for (const { stdout } of both) {
      const answer = JSON.parse(stdout) as Record<string, number>
      expect(answer).toMatchObject({ d: 4, k: 3, left_out_rows: 0 })
      expect(answer.silhouette).toBeCloseTo(0.5528190123564095, 7)
      expect(answer.adjusted_rand).toBeCloseTo(0.7302382722834697, 9)
      expect(answer.normalised_mutual_information).toBeCloseTo(0.7581756800057784, 9)
    }
    const text = await said(['judge', file, '--labels', 'cluster', '--truth', 'species'])
    expect(text.stdout).toMatch(/^Silhouette +0\.552819$/m)
    expect(text.stdout).toMatch(/^Adjusted Rand index +0\.730238 \(with species\)$/m)
    const profile = readFileSync(join(out, 'profile.csv'), 'utf8').trimEnd().split('\n')
    expect(profile[0]).toBe('cluster,feature,mean,sd,min,q25,median,q75,max,z')
    expect(profile).toHaveLength(1 + 3 * 4)
  })

  it('leaves out rows without a label, and says how many', async () => {
    const file = join(folder, 'gaps.csv')
    writeFileSync(file, 'x,group\n0,a\n1,a\n10,b\n11,b\n5,\n6,a\n')
    const { stdout } = await said(['judge', file, '--labels', 'group', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ n: 5, k: 2, left_out_rows: 1 })
  })

  it.each([
    [[], /--labels/],
    [['--labels', 'nothing'], /no column 'nothing'/],
    [['--labels', 'examples/wine.csv'], /178 rows but iris.csv has 150/],
    [['--labels', 'species', '--truth', 'genus'], /no column 'genus'/],
  ])('refuses %j in one sentence', async (args, sentence) => {
    const { status, stderr } = await said(['judge', iris, ...args])
    expect(status).toBe(2)
    expect(stderr).toMatch(sentence)
  })
})
