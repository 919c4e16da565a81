import { describe, expect, it } from 'vitest'
import type { ConfigProblem } from '../../document/config-problem.ts'
import { isGatehouseError } from '../../errors.ts'
import { type AlertsConfig, loadAlertsConfig } from './config.ts'
import type { ConfigReferenceSources } from './references.ts'

const sources: ConfigReferenceSources = {
  environment: {
    HOOK: 'https://hooks.example.com/services/T0/hidden',
    TOKEN: 'hidden-token',
    BAD: 'no url hidden',
    EMPTY: '',
  },
  readFile: (path) => {
    if (path === '/etc/gatehouse/secrets/key') return 'hidden-key\n'
    throw Object.assign(new Error('hidden'), { code: 'ENOENT' })
  },
}

const load = (fields: string, references: 'unresolved' | ConfigReferenceSources = sources) =>
  loadAlertsConfig(`route: { receiver: r }\nreceivers:\n- name: r\n${fields}`, {
    references,
    directory: '/etc/gatehouse',
  })

/** The fields of the only integration. */
const settingsOf = (config: AlertsConfig): Readonly<Record<string, unknown>> =>
  Object(config.receivers[0]?.integrations[0])

const revealed = (config: AlertsConfig, key: string): unknown =>
  Object(settingsOf(config)[key]).reveal()

function problemsOf(fields: string): readonly ConfigProblem[] {
  try {
    load(fields)
  } catch (error) {
    if (isGatehouseError(error)) return error.info.problems as readonly ConfigProblem[]
    throw error
  }
  return []
}

describe('references in alertmanager.yml', () => {
  it('take secrets and URLs from variables and files, and hide them as if they were written', () => {
    const slack = load(`  slack_configs: [{ api_url: "\${env:HOOK}", channel: '#a' }]`)
    expect(revealed(slack, 'api_url')).toBe('https://hooks.example.com/services/T0/hidden')
    const key = load(`  pagerduty_configs: [{ routing_key: "\${file:secrets/key}" }]`)
    expect(revealed(key, 'routing_key')).toBe('hidden-key')
    const path = load(`  webhook_configs: [{ url: "https://a.example/\${env:TOKEN}/b" }]`)
    expect(revealed(path, 'url')).toBe('https://a.example/hidden-token/b')
    const shownHost = load(
      `  pagerduty_configs: [{ routing_key: a, url: "https://a.example/\${env:TOKEN}" }]`,
    )
    expect(String(settingsOf(shownHost).url)).toBe('https://a.example/<secret>')
    for (const config of [slack, key, path, shownHost]) {
      expect(JSON.stringify(config) + config.original + config.source).not.toContain('hidden')
    }
  })

  it('name the variable or file that is missing, never a value', () => {
    const problems = problemsOf(`  slack_configs:
  - api_url: \${env:MISSING}
  - api_url: https://a.example/\${env:EMPTY}
  - api_url: \${env:BAD}
  - api_url: \${file:nothing}
  - api_url: \${env:HOOK
`)
    expect(problems.map(({ line, message }) => [line, message])).toEqual([
      [5, 'the variable "MISSING" is not set'],
      [6, 'the variable "EMPTY" is empty'],
      [7, 'is not a valid URL after its references are resolved'],
      [8, 'the file "nothing" cannot be read (ENOENT)'],
      [9, `\${env: is not closed with }`],
    ])
  })

  it('leave every other text as it is', () => {
    const text = `a\${b}c$\${d}e\${ENV:X}$\${env:TOKEN}`
    const config = load(`  pagerduty_configs: [{ routing_key: '${text}' }]`)
    expect(revealed(config, 'routing_key')).toBe(`a\${b}c$\${d}e\${ENV:X}\${env:TOKEN}`)
    const plain = loadAlertsConfig(
      `route: { receiver: r }\nreceivers: [{ name: r, pagerduty_configs: [{ routing_key: "\${env:TOKEN}$\${env:" }] }]`,
    )
    expect(revealed(plain, 'routing_key')).toBe(`\${env:TOKEN}$\${env:`)
  })

  it('count as set where they are not looked up', () => {
    const config = load(
      `  slack_configs: [{ api_url: "\${env:MISSING}", channel: a }]
  webhook_configs: [{ url: "\${file:nothing}" }]
  opsgenie_configs: [{ api_key: "\${env:MISSING}", api_url: "\${env:MISSING}" }]`,
      'unresolved',
    )
    expect(config.receivers[0]?.integrations).toHaveLength(3)
  })
})
