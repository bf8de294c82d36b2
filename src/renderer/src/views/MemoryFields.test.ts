import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LabError } from '@shared/errors'
import { engineReports, summary } from '../../test/fixtures'
import { channelsOf, freshWindow } from '../../test/mount'
import { useAppStore } from '@/stores/app'
import { useConfigStore } from '@/stores/config'
import { useDatasetStore } from '@/stores/dataset'
import { useEnginesStore } from '@/stores/engines'
import { useSettingsStore } from '@/stores/settings'
import MemoryFields from './MemoryFields.vue'

let fields: VueWrapper
beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  fields.unmount()
  vi.useRealTimers()
})

type Answers = NonNullable<Parameters<typeof freshWindow>[0]>

async function mounted(answers: Answers = {}, open = true) {
  const { lab, pinia } = freshWindow(answers)
  useConfigStore().adopt(summary())
  useDatasetStore().summary = summary()
  useSettingsStore().values.advancedOpen = open
  fields = mount(MemoryFields, { global: { plugins: [pinia] } })
  await vi.advanceTimersByTimeAsync(500)
  return lab
}

const at = (testId: string) => fields.find(`[data-testid="${testId}"]`)

it('tells where the points of the next run would lie, again where something of it changes', async () => {
  let turn = 0
  await mounted({ 'run.memory': () => ({ pointsIn: 'memory', sentence: `The points lie here, ${++turn}.` }) })
  expect(at('memory-plan').text()).toBe('The points lie here, 1.')
  useConfigStore().draft.scaling = 'standardise'
  await vi.advanceTimersByTimeAsync(500)
  expect(at('memory-plan').text()).toBe('The points lie here, 2.')
})

it('a limit is held to at once, and what is no size is told and holds for nothing', async () => {
  const lab = await mounted()
  await at('memory-limit').setValue('12 apples')
  expect(fields.text()).toContain(
    "The memory limit is '12 apples'; give a size such as 512M or 4 GiB, or nothing.",
  )
  await at('memory-limit').setValue('100M')
  expect(fields.text()).toContain('The memory limit is 100M; give at least 256 MiB.')
  expect(at('memory-limit').attributes('aria-invalid')).toBe('true')
  expect(channelsOf(lab)).not.toContain('app.set-memory')
  await at('memory-limit').setValue(' 512M ')
  await flushPromises()
  const asked = lab.asked.filter(({ channel }) => channel === 'app.set-memory')
  expect(asked.map(({ params }) => params)).toEqual([{ memoryLimit: '512M', deviceMemory: '' }])
  await at('memory-limit').setValue('')
  await flushPromises()
  expect(lab.asked.at(-2)?.params).toEqual({ memoryLimit: '', deviceMemory: '' })
})

it('points that fit nowhere are told as what is wrong', async () => {
  await mounted({ 'run.memory': () => ({ pointsIn: null, sentence: 'The points fit nowhere.' }) })
  expect(at('memory-plan').classes()).toContain('field-error')
})

it('the scratch folder is chosen by a dialog, and the usual one comes back', async () => {
  await mounted()
  expect(at('scratch-path').text()).toBe('/home/me/.cache/centroid-lab/scratch')
  expect(at('usual-scratch').exists()).toBe(false)
  await at('scratch-folder').trigger('click')
  await flushPromises()
  expect(at('scratch-path').text()).toBe('/data/scratch')
  await at('usual-scratch').trigger('click')
  await flushPromises()
  expect(at('usual-scratch').exists()).toBe(false)
})

it('says where the scratch file of this start stays', async () => {
  const memory = {
    memoryLimit: '1G',
    deviceMemory: '',
    scratchFolder: '/b',
    isChosen: true,
    heldFolder: '/a',
  }
  await mounted({ 'app.memory': () => memory })
  expect((at('memory-limit').element as HTMLInputElement).value).toBe('1G')
  expect(at('held-folder').text()).toBe('Until the program ends, the scratch file stays in /a.')
})

it('asks for the memory of a device where there is one of its own', async () => {
  await mounted()
  expect(at('device-memory').exists()).toBe(false)
  const [cpu] = engineReports
  useEnginesStore().reports = [{ ...cpu, id: 'cuda', available: true }]
  await flushPromises()
  expect(at('device-memory').exists()).toBe(true)
})

it('while it is folded nothing is asked', async () => {
  const lab = await mounted({}, false)
  expect(channelsOf(lab)).not.toContain('app.memory')
  expect(channelsOf(lab)).not.toContain('run.memory')
})

it('a folder that cannot be asked for is told across the window', async () => {
  const refuse = () => {
    throw new LabError('io', 'test', 'No dialog can be shown.')
  }
  await mounted({ 'app.choose-scratch': refuse })
  await at('scratch-folder').trigger('click')
  await flushPromises()
  expect(useAppStore().error?.message).toBe('No dialog can be shown.')
})
