import { describe, expect, it } from 'vitest'
import { ByteCache } from './byte-cache'

describe('a cache within a budget of bytes', () => {
  it('gives up the longest unused and tells of it', () => {
    const given: string[] = []
    const cache = new ByteCache<string>({ bytes: 100, inUse: 1, giveUp: (key) => given.push(key) })
    cache.set('a', 'first', 40)
    cache.set('b', 'second', 40)
    expect(cache.get('a')).toBe('first')
    cache.set('c', 'third', 40)
    expect(given).toEqual(['b'])
    expect(cache.keys()).toEqual(['a', 'c'])
  })

  it('keeps those in use however large they are', () => {
    const cache = new ByteCache<number>({ bytes: 10, inUse: 2 })
    for (const key of ['a', 'b', 'c']) cache.set(key, 1, 1000)
    expect(cache.keys()).toEqual(['b', 'c'])
  })

  it('counts a value that takes the place of another once', () => {
    const cache = new ByteCache<number>({ bytes: 100, inUse: 1 })
    cache.set('a', 1, 10)
    for (let i = 0; i < 20; i++) cache.set('b', i, 60)
    expect(cache.keys()).toEqual(['a', 'b'])
  })
})
