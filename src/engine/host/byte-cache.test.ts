import { describe, expect, it } from 'vitest'
import { ByteCache } from './byte-cache'

const bytes = (length: number) => new Uint8Array(length)

describe('arrays kept up to a number of bytes', () => {
  it('lets the one longest unused go', () => {
    const cache = new ByteCache<Uint8Array>(10)
    cache.set('a', bytes(4))
    cache.set('b', bytes(4))
    cache.get('a')
    cache.set('c', bytes(4))
    expect([cache.get('a')?.length, cache.get('b'), cache.get('c')?.length]).toEqual([4, undefined, 4])
  })

  it('counts a replaced value once, and makes room after one was removed', () => {
    const cache = new ByteCache<Uint8Array>(10)
    for (let i = 0; i < 5; i++) cache.set('run 1 a', bytes(4))
    cache.set('run 2 b', bytes(6))
    expect(cache.get('run 1 a')).toHaveLength(4)
    cache.removeAll('run 1 ')
    cache.set('run 2 c', bytes(4))
    expect([cache.get('run 1 a'), cache.get('run 2 b')?.length]).toEqual([undefined, 6])
  })

  it('does not empty itself for what can never fit', () => {
    const cache = new ByteCache<Uint8Array>(10)
    cache.set('a', bytes(4))
    cache.set('b', bytes(11))
    expect([cache.get('a')?.length, cache.get('b')]).toEqual([4, undefined])
  })
})
