import { describe, expect, it } from 'vitest'
import { readConfig, settingProblems, withWebhook } from './config.fixture.ts'

/** A webhook that names this source at every place that takes one. */
const everywhere = (source: string): object => ({
  command_arguments: [{ source }],
  env: { A: { source } },
  files: [{ env: 'B', source }],
  dedupe: { key: source },
  rules: { all: [{ not: { source, exists: true } }] },
  signature: { scheme: 'github', secret: 's', timestamp_source: source },
})

const places = [
  'command_arguments[0].source',
  'env.A.source',
  'files[0].source',
  'dedupe.key',
  'rules.all[0].not.source',
  'signature.timestamp_source',
]

describe('wherever a source is named', () => {
  it.each(['data.a[0].b', '$.ref', 'a[0]'])('%s is refused', (source) => {
    const expected = places.map((path) => `${path} bad_path`)
    expect([...settingProblems(everywhere(source))].sort()).toEqual(expected.sort())
  })

  it.each([
    ['ref', 'data.ref'],
    ['payload.ref', 'data.ref'],
    ['ref.0', 'data.ref.0'],
    ['headers.X-Event', 'header:X-Event'],
    ['Header:X-Event', 'header:X-Event'],
  ])('%s is accepted with a warning to write %s', (source, instead) => {
    const { warnings } = readConfig(withWebhook(everywhere(source)))
    const seen = warnings.filter((line) => line.endsWith(`write ${instead}`))
    expect(seen.map((line) => line.slice(0, line.indexOf(': '))).sort()).toEqual(
      places.map((path) => `webhooks[0].${path}`).sort(),
    )
  })

  it('a value of data or of the request draws no warning', () => {
    for (const source of ['data', 'data.a.0', 'body:data.a']) {
      expect(readConfig(withWebhook(everywhere(source))).warnings).toEqual([])
    }
    const { warnings } = readConfig(withWebhook({ command_arguments: [{ source: 'body:' }] }))
    expect(warnings).toEqual([])
  })
})
