import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ConfigProblem } from '../../document/config-problem.ts'
import { isGatehouseError } from '../../errors.ts'
import { integrationTypes } from '../receivers/integrations.ts'
import { loadAlertsConfig } from './config.ts'

/** The kinds of fields whose values may be references. */
const kinds =
  /^\{?\s*(?:\.{3})?(?:secret|secretItem|secrets|secretUrl|url|folderUrl|anyUrl|urlText|templateUrl)\b/

interface WrittenField {
  readonly key: string
  readonly isReference: boolean
}

const sendsByHttp = (type: string): boolean => type !== 'email' && type !== 'webhook_run'

/** The fields of a source file with a secret, a URL or another value. */
function fieldsIn(file: string): readonly WrittenField[] {
  const source = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
  return [...source.matchAll(/^ +(\w+): \{\s*kind: (.*)$/gm)].map(([, key = '', kind = '']) => ({
    key,
    isReference: kinds.test(kind),
  }))
}

let count = 0
const missing = (): string => `\${env:MISSING_${++count}}`

const references = (file: string, ...nested: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    fieldsIn(file)
      .filter(({ key, isReference }) => isReference && !nested.includes(key))
      .map(({ key }) => [key, missing()]),
  )

const httpConfig = () => ({
  basic_auth: { password: missing() },
  authorization: { credentials: missing() },
  bearer_token: missing(),
  oauth2: {
    client_secret: missing(),
    token_url: missing(),
    proxy_url: missing(),
    proxy_connect_header: { 'X-Proxy': [missing()] },
    tls_config: { key: missing() },
  },
  proxy_url: missing(),
  proxy_connect_header: { 'X-Proxy': [missing()] },
  tls_config: { key: missing() },
  http_headers: { 'X-Key': { secrets: [missing(), missing()] } },
})

/** A configuration with a reference in every field that may have one. */
const everyField = {
  global: {
    ...references('fields/global.ts'),
    http_config: httpConfig(),
    smtp_tls_config: { key: missing() },
  },
  route: { receiver: 'r' },
  receivers: [
    {
      name: 'r',
      ...Object.fromEntries(
        integrationTypes.map((type) => [
          `${type}_configs`,
          [
            {
              ...references(`receivers/${type.replace('_', '-')}/config.ts`, 'secret_key'),
              ...(type === 'sns' ? { sigv4: { secret_key: missing() } } : {}),
              ...(type === 'email' ? { tls_config: { key: missing() } } : {}),
              ...(type === 'webhook_run' ? { webhook: 'a' } : {}),
              ...(sendsByHttp(type) ? { http_config: httpConfig() } : {}),
            },
          ],
        ]),
      ),
    },
  ],
  tracing: { http_headers: { 'X-Key': missing() }, tls_config: { key: missing() } },
  event_recorder: {
    webhook_outputs: [{ url: missing(), http_config: httpConfig() }],
    kafka_outputs: [{ tls_config: { key: missing() } }],
  },
}

function problemsOf(config: object): readonly ConfigProblem[] {
  try {
    loadAlertsConfig(JSON.stringify(config), { references: { environment: {} } })
  } catch (error) {
    if (isGatehouseError(error)) return error.info.problems as readonly ConfigProblem[]
    throw error
  }
  return []
}

/** Names that sound like a secret or an address, with another kind. */
const plain = new Map([
  ['access_key', 'the id of a key, as Alertmanager shows it'],
  ['routing_key', 'of VictorOps: the name of a route'],
  ['endpoint', 'of tracing, which is not sent'],
  ['key', 'of a map'],
])

describe('every secret and every URL of alertmanager.yml', () => {
  it('may be a reference', () => {
    const names = Array.from({ length: count }, (_, index) => `MISSING_${index + 1}`)
    expect(count).toBeGreaterThan(200)
    const unset = /^the variable "(MISSING_\d+)" is not set$/
    const found = problemsOf(everyField)
    expect(found.filter(({ message }) => !unset.test(message))).toEqual([])
    const reported = found.map(({ message }) => unset.exec(message)?.[1])
    expect(new Set(reported)).toEqual(new Set(names))
  })

  it('has the kind of a secret or of a URL', () => {
    const files = ['receivers', 'fields', 'config'].flatMap((folder) =>
      readdirSync(new URL(`../${folder}`, import.meta.url), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
        .map((name) => `${folder}/${name}`),
    )
    const sensitive =
      /(?:^|_)(?:api_url|webhook_url|token_url|proxy_url|token|secret|password|key|credentials|endpoint)$/
    const others = files.flatMap((file) =>
      fieldsIn(file)
        .filter(({ key, isReference }) => sensitive.test(key) && !isReference && !plain.has(key))
        .map(({ key }) => `${file}: ${key}`),
    )
    expect(others).toEqual([])
  })
})
