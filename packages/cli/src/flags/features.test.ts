import { silentLogger } from '@gatehouse/core'
import { describe, expect, it } from 'vitest'
import { featureNames, featuresOf } from './features.ts'

describe('featuresOf()', () => {
  it.each([
    [[], 'fallback'],
    [['classic-mode'], 'classic'],
    [['utf8-strict-mode'], 'utf8'],
    [['receiver-name-in-metrics,utf8-strict-mode', ''], 'utf8'],
  ])('%j means %s', (features, mode) => {
    expect(featuresOf(features, silentLogger).matcherMode).toBe(mode)
  })

  it('gives metrics further labels', () => {
    const features = ['group-key-in-metrics,alert-names-in-metrics', 'receiver-name-in-metrics']
    expect(featuresOf(features, silentLogger).metricLabels).toEqual([
      'alertname',
      'receiver_name',
      'group_key',
    ])
  })

  it('turns the event recorder on', () => {
    expect(featuresOf([], silentLogger).recordsEvents).toBe(false)
    expect(featuresOf(['event-recorder'], silentLogger).recordsEvents).toBe(true)
  })

  it('has an effect for each feature that the help lists', () => {
    const without = featuresOf([], silentLogger)
    for (const name of featureNames) {
      expect(featuresOf([name], silentLogger), name).not.toEqual(without)
    }
  })

  it('refuses both matcher modes at once', () => {
    expect(() => featuresOf(['classic-mode,utf8-strict-mode'], silentLogger)).toThrow(
      'classic-mode and utf8-strict-mode exclude each other',
    )
  })

  it('logs unknown features and those without effect', () => {
    const warnings: unknown[] = []
    const logger = {
      ...silentLogger,
      warn: (fields: object, message: string) => warnings.push([fields, message]),
    }
    featuresOf(['auto-gomemlimit', 'teleport'], logger)
    expect(warnings).toEqual([
      [{ feature: 'auto-gomemlimit' }, 'the feature has no effect'],
      [{ feature: 'teleport' }, 'unknown feature'],
    ])
  })
})
