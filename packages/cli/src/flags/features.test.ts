import { silentLogger } from '@gatehouse/core'
import { describe, expect, it } from 'vitest'
import { matcherModeOf } from './features.ts'

describe('matcherModeOf()', () => {
  it.each([
    [[], 'fallback'],
    [['classic-mode'], 'classic'],
    [['utf8-strict-mode'], 'utf8'],
    [['receiver-name-in-metrics,utf8-strict-mode', ''], 'utf8'],
  ])('%j means %s', (features, mode) => {
    expect(matcherModeOf(features, silentLogger)).toBe(mode)
  })

  it('refuses both matcher modes at once', () => {
    expect(() => matcherModeOf(['classic-mode,utf8-strict-mode'], silentLogger)).toThrow(
      'classic-mode and utf8-strict-mode exclude each other',
    )
  })

  it('logs unknown features and those without effect', () => {
    const warnings: unknown[] = []
    const logger = {
      ...silentLogger,
      warn: (fields: object, message: string) => warnings.push([fields, message]),
    }
    matcherModeOf(['event-recorder', 'teleport'], logger)
    expect(warnings).toEqual([
      [{ feature: 'event-recorder' }, 'the feature has no effect'],
      [{ feature: 'teleport' }, 'unknown feature'],
    ])
  })
})
