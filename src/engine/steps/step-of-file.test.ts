import { describe, expect, it } from 'vitest'
import { stepOfFile } from './step-of-file'

describe('the name of a step file', () => {
  it.each([
    ['step-1-points.csv', 1],
    ['step-12-centroids.csv', 12],
    ['step-0-points.csv', 0],
    ['step-01-points.csv', null],
    ['step--points.csv', null],
    ['my step-1-points.csv', null],
    ['step-1-points.csv.bak', null],
    ['step-1-labels.csv', null],
  ])('%s is of step %s', (name, step) => {
    expect(stepOfFile(name)).toBe(step)
  })
})
