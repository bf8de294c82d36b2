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

  it('lets go of a whole group, whose room is free again', () => {
    const cache = new ByteCache<number>({ bytes: 10 })
    cache.set('run 1 a', 1, 4)
    cache.set('run 2 b', 2, 6)
    cache.removeAll('run 1 ')
    cache.set('run 2 c', 3, 4)
    expect(cache.keys()).toEqual(['run 2 b', 'run 2 c'])
  })

  it('does not empty itself for what can never fit, nor keeps an older value of its key', () => {
    const cache = new ByteCache<number>({ bytes: 10 })
    cache.set('a', 1, 4)
    cache.set('b', 2, 4)
    cache.set('b', 3, 11)
    expect([cache.get('a'), cache.get('b')]).toEqual([1, undefined])
  })
})
