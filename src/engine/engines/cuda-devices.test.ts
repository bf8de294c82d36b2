import { expect, it } from 'vitest'
import type { Device } from '@shared/variant'
import { cudaGroup } from './cuda-devices'

const card = (index: number, name = 'NVIDIA H200'): Device => ({
  id: `cuda:${index}`,
  name,
  memoryBytes: 2 ** 37,
  software: false,
})
const there = [card(0), card(1), card(2, 'NVIDIA L4')]

it('takes several devices as one that shares the rows', () => {
  expect(cudaGroup('cuda:0,cuda:1', there)).toEqual({
    id: 'cuda:0,cuda:1',
    name: '2 × NVIDIA H200',
    memoryBytes: 2 ** 38,
    software: false,
    members: ['cuda:0', 'cuda:1'],
  })
  expect(cudaGroup('all', there)).toMatchObject({
    id: 'cuda:0,cuda:1,cuda:2',
    name: '2 × NVIDIA H200, NVIDIA L4',
  })
  expect(cudaGroup(' cuda:2 , cpu', there)).toMatchObject({
    id: 'cuda:2,cpu',
    name: 'NVIDIA L4, processor',
    memoryBytes: 2 ** 37,
  })
})

it('takes one device as itself', () => {
  expect(cudaGroup('cuda:1', there)).toEqual(there[1])
  expect(cudaGroup('all', [card(0)])).toEqual(card(0))
})

it('knows no group of what is not there, twice there, or no card', () => {
  for (const words of ['cuda:0,cuda:7', 'cuda:0,cuda:0', 'cpu', 'cpu,cpu', '', 'webgpu:0']) {
    expect(cudaGroup(words, there), words).toBeNull()
  }
  expect(cudaGroup('all', [])).toBeNull()
})
