import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, describe, expect, it } from 'vitest'
import type { RunRecord } from '@shared/run-record'
import { paletteOf, type ClusterLook, type ClusterLooks } from '@/plots/palette'
import { record } from '../../test/fixtures'
import ClusterTable from './ClusterTable.vue'

let table: VueWrapper
afterEach(() => {
  table.unmount()
  document.body.innerHTML = ''
})

/** The table within what keeps its looks, as the window does it. */
function show(shown: RunRecord, looks: ClusterLooks = new Map()): VueWrapper {
  document.body.append(document.createElement('main'))
  table = mount(ClusterTable, {
    props: {
      record: shown,
      looks,
      palette: paletteOf(shown.k, looks),
      onLook: (cluster: number, look: ClusterLook) => {
        const changed = new Map(looks).set(cluster, look)
        return table.setProps({ looks: changed, palette: paletteOf(shown.k, changed) })
      },
    },
    attachTo: document.body,
  })
  return table
}

const at = (id: string) => table.find(`[data-testid="${id}"]`)
const row = (cluster: number) => table.find(`[data-cluster="${cluster}"]`)
const headers = () => table.findAll('thead th').map((cell) => cell.text())
const order = () => table.findAll('[data-cluster]').map((line) => line.attributes('data-cluster'))

const large = (k: number, d: number): RunRecord =>
  record({
    k,
    d,
    features: Array.from({ length: d }, (_, index) => ({ index, name: `f${index}` })),
    clusters: Array.from({ length: k }, (_, cluster) => ({
      cluster,
      size: 10 + cluster,
      inertia: cluster / 7,
      centroid: Array.from({ length: d }, (__, feature) => cluster + feature / 1000),
    })),
  })

describe('the cluster table', () => {
  it('shows dates as dates, with the number and its unit behind them', () => {
    const { features, clusters } = record()
    const when = { index: 4, name: 'when', dateUnit: 'days' } as const
    const dated = clusters.map((row, i) => ({ ...row, centroid: [...(row.centroid ?? []), 19_799.25 + i] }))
    show(record({ d: 5, features: [...features, when], clusters: dated }))
    const cells = table.findAll('tbody tr').map((row) => row.findAll('td').at(-1))
    expect(cells.map((cell) => cell?.text()).toSorted()).toEqual(['2024-03-17', '2024-03-18', '2024-03-19'])
    expect(cells.map((cell) => cell?.attributes('title'))).toContain('19799.25 days since 1970-01-01')
    expect(table.find('thead').html()).toContain('when, days since 1970-01-01')
  })

  it('shows shares where a feature is a text of a column', () => {
    const { features, clusters } = record()
    const texts = ['cat', 'dog'].map((category) => ({ index: 4, name: `kind=${category}`, category }))
    const shares = [0.25, 0.7499999, -1e-9]
    show(
      record({
        d: 6,
        // Short names, so that all columns are in sight.
        features: [...features.map(({ index }) => ({ index, name: `f${index}` })), ...texts],
        clusters: clusters.map((row, i) => ({
          ...row,
          centroid: [...(row.centroid ?? []), shares[i] ?? 0, 1 - (shares[i] ?? 0)],
        })),
      }),
    )
    const cells = table.findAll('tbody tr').map((row) => row.findAll('td').map((cell) => cell.text()))
    const ends = cells.map((row) => row.slice(-2).join(' ').replaceAll(/\s/gu, ' '))
    expect(ends.toSorted()).toEqual(['0.0 % 100.0 %', '25.0 % 75.0 %', '75.0 % 25.0 %'])
    expect(table.find('thead').text()).toContain('= dog')
  })

  it('names a cluster by F2 and Enter, and shows names from then on', async () => {
    show(record())
    expect(headers()).not.toContain('name')
    await row(1).trigger('focusin')
    await row(1).trigger('keydown', { key: 'F2' })
    await flushPromises()
    expect(document.activeElement).toBe(at('cluster-name-field').element)
    await at('cluster-name-field').setValue(' versicolor ')
    await at('cluster-name-field').trigger('keydown', { key: 'Enter' })
    await flushPromises()
    expect(headers()).toContain('name')
    expect(row(1).text()).toContain('versicolor')
    expect(document.activeElement).toBe(row(1).element)
  })

  it('keeps the old name at Escape, which reaches nothing else', async () => {
    show(record(), new Map([[0, { name: 'setosa' }]]))
    await row(0).trigger('dblclick')
    await flushPromises()
    await at('cluster-name-field').setValue('wrong')
    const escape = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
    let reached = false
    document.addEventListener('keydown', () => (reached = true), { once: true })
    at('cluster-name-field').element.dispatchEvent(escape)
    await flushPromises()
    expect(reached).toBe(false)
    expect(row(0).text()).toContain('setosa')
    expect(table.emitted('look')).toBeUndefined()
  })

  it('gives a name up when the field is left empty', async () => {
    show(record(), new Map([[0, { name: 'setosa' }]]))
    await at('rename-0').trigger('click')
    await flushPromises()
    await at('cluster-name-field').setValue('')
    await at('cluster-name-field').trigger('blur')
    await flushPromises()
    expect(table.emitted('look')).toEqual([[0, {}]])
    expect(headers()).not.toContain('name')
  })

  it('colours a cluster and gives the usual colour back, keeping its name', async () => {
    show(record(), new Map([[2, { name: 'virginica' }]]))
    await at('recolour-2').trigger('click')
    await flushPromises()
    const inDocument = (id: string) => document.querySelector<HTMLElement>(`[data-testid="${id}"]`)
    const field = inDocument('colour-field') as HTMLInputElement
    expect(field.value).toBe('#009e73')
    expect(inDocument('colour-reset')?.hasAttribute('disabled')).toBe(true)
    field.value = '#102030'
    field.dispatchEvent(new Event('input'))
    await flushPromises()
    expect(table.emitted('look')?.at(-1)).toEqual([2, { name: 'virginica', colour: [16, 32, 48] }])
    expect(at('recolour-2').find('svg').attributes('fill')).toBe('rgb(16 32 48)')
    inDocument('colour-reset')?.click()
    await flushPromises()
    expect(table.emitted('look')?.at(-1)).toEqual([2, { name: 'virginica' }])
  })

  it('tells which cluster is pointed at or reached by the keyboard', async () => {
    show(record())
    await row(1).find('td').trigger('pointerover')
    await at('cluster-frame').trigger('pointerleave')
    await row(0).trigger('focusin')
    await row(0).trigger('keydown', { key: 'ArrowDown' })
    await flushPromises()
    expect(document.activeElement).toBe(row(1).element)
    expect(table.emitted('highlight')?.map(([cluster]) => cluster)).toEqual([1, null, 0, 1])
  })

  it.each([
    ['drop', 'dropped'],
    // Under the scaling unit-length a cluster without points has no centroid in units of the file.
    ['keep', 'empty'],
  ] as const)('under %s says of a cluster without a centroid: %s', (empty, word) => {
    const [first, ...others] = record().clusters
    const clusters = [{ ...first!, size: 0, inertia: 0, centroid: null }, ...others]
    show(record({ clusters, config: { ...record().config, empty } }))
    expect(
      row(0)
        .findAll('td')
        .map((cell) => cell.text()),
    ).toEqual([word])
  })

  it('copies the table as sorted, with every digit', async () => {
    show(record({ clusters: record().clusters.map((line) => ({ ...line, inertia: line.size / 7 })) }))
    await table.findAll('.sort')[1]!.trigger('click')
    expect(order()).toEqual(['1', '2', '0'])
    await at('copy-clusters').trigger('click')
    await flushPromises()
    const [header, first] = String(table.emitted('copy')?.[0]?.[0]).split('\n')
    expect(header).toBe('cluster\tsize\tshare\tinertia\tsepal_length\tsepal_width\tpetal_length\tpetal_width')
    expect(first?.split('\t').slice(0, 5)).toEqual(['1', '61', String(61 / 150), String(61 / 7), '5.883607'])
  })

  it('makes each column as wide as what stands in it', () => {
    const [features, clusters] = [['x', 'a longer name'], record().clusters]
    show(
      record({
        d: 2,
        features: features.map((name, index) => ({ index, name })),
        clusters: clusters.map((line) => ({ ...line, centroid: [1, 2] })),
      }),
    )
    const [short = 0, long = 0] = table
      .findAll('col')
      .slice(-2)
      .map((col) => Number.parseFloat((col.element as HTMLElement).style.width))
    expect([short < 60, long > 100]).toEqual([true, true])
  })

  it('draws only what is in sight of 500 clusters with 300 features, and copies all of it', async () => {
    show(large(500, 300))
    expect(table.findAll('td').length).toBeLessThan(2000)
    expect(at('cluster-table').attributes('aria-rowcount')).toBe('501')
    await row(0).trigger('focusin')
    await row(0).trigger('keydown', { key: 'End' })
    await flushPromises()
    await at('copy-clusters').trigger('click')
    await expect.poll(() => table.emitted('copy')?.length).toBe(1)
    const lines = String(table.emitted('copy')?.[0]?.[0]).trimEnd().split('\n')
    expect(lines).toHaveLength(501)
    expect(lines.at(-1)?.split('\t').at(-1)).toBe(String(499 + 299 / 1000))
  })
})
