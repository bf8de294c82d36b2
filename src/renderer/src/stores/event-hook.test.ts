import { expect, it } from 'vitest'
import { createEventHook } from './event-hook'

it('tells everyone at once and in order, until they no longer listen', () => {
  const heard: string[] = []
  const opened = createEventHook<string>()
  const stop = opened.on((file) => heard.push(`first ${file}`))
  opened.on((file) => heard.push(`second ${file}`))
  opened.trigger('iris.csv')
  expect(heard).toEqual(['first iris.csv', 'second iris.csv'])
  stop()
  opened.trigger('wine.csv')
  expect(heard.slice(2)).toEqual(['second wine.csv'])
})
