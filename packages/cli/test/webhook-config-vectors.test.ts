import { readFileSync } from 'node:fs'
import { isGatehouseError } from '@gatehouse/core'
import type { ConfigNode } from '@gatehouse/core/document'
import {
  decodeWebhooksConfig,
  parseWebhooksDocument,
  readWebhooksConfig,
  type WebhooksConfigProblem,
} from '@gatehouse/core/webhook'
import { describe, expect, it } from 'vitest'
import { gatehouseSettings } from '../src/api/api-config.ts'

interface ConfigVector {
  readonly name: string
  readonly input: { readonly file_name: string; readonly text: string }
  readonly expect:
    | {
        readonly valid: true
        readonly summary: { readonly port: number; readonly ids: readonly string[] }
      }
    | {
        readonly valid: false
        readonly errors: readonly Pick<WebhooksConfigProblem, 'path' | 'code'>[]
      }
}

interface Vectors {
  readonly configs: Readonly<Record<string, object>>
  readonly cases: readonly (ConfigVector & { readonly group: string })[]
}

const { configs, cases }: Vectors = JSON.parse(
  readFileSync(new URL('../../core/vectors/webhook.json', import.meta.url), 'utf8'),
)
const ports = { environment: {}, workdir: '/srv' }

function outcome({ file_name: filename, text }: ConfigVector['input']): unknown {
  let document: ConfigNode
  try {
    document = parseWebhooksDocument({ text, filename })
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    return { valid: false, errors: pathsAndCodes(error.info.problems) }
  }
  const { config, own, problems } = decodeWebhooksConfig(document, ports, gatehouseSettings)
  if (config === undefined) return { valid: false, errors: pathsAndCodes(problems) }
  const { port = 8_081 } = own ?? {}
  return { valid: true, summary: { port, ids: config.webhooks.map(({ id }) => id) } }
}

const pathsAndCodes = (problems: unknown): unknown =>
  Array.isArray(problems) ? problems.map(({ path, code }) => ({ path, code })) : []

describe('the vectors of the group config', () => {
  const ofGroup = cases.filter(({ group }) => group === 'config')

  it('are all here', () => {
    expect(ofGroup).toHaveLength(28)
  })

  it.each(ofGroup)('$name', ({ input, expect: expected }) => {
    expect(outcome(input)).toEqual(expected)
  })

  it.each(Object.entries(configs))('include the shared configuration %s', (_, config) => {
    expect(readWebhooksConfig(config, ports).webhooks.length).toBeGreaterThan(0)
  })
})
