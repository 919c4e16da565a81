import { describe, expect, it } from 'vitest'
import { checkCommands } from '../../check-commands.ts'
import { alertRunProblem } from '../../due/run-for-alert.ts'
import { createFixture, endAtOnce } from '../../service.fixture.ts'
import { triggerWebhook } from '../../trigger-webhook.ts'
import { updateWebhooksConfig } from '../../update-webhooks-config.ts'
import type { LoadedWebhooksConfig } from '../../webhook.ts'
import { reference } from '../config.fixture.ts'
import {
  readWebhooksConfig,
  type WebhooksConfigPart,
  type WebhooksConfigSource,
} from '../config.ts'

/** A webhook as a line of a list. */
const hook = (id: string, keys = ''): string =>
  `- { id: ${id}, token: a-token-that-is-long, execute_command: 'true', workdir: ''${keys} }\n`

const listOf = (...hooks: string[]): string => `webhooks:\n${hooks.join('')}`

const part = (filename: string, text: string | Error): WebhooksConfigPart => ({ filename, text })

function source(
  text: string,
  parts: Readonly<Record<string, string | Error>>,
): WebhooksConfigSource {
  return {
    text,
    filename: 'main.yaml',
    parts: Object.entries(parts).map(([filename, content]) => part(filename, content)),
  }
}

const environment = { SECRET_A: 'the-first-secret', SECRET_B: 'the-second-secret' }

const read = (
  text: string,
  parts: Readonly<Record<string, string | Error>>,
): LoadedWebhooksConfig => readWebhooksConfig(source(text, parts), { environment, workdir: '/srv' })

const idsIn = ({ webhooks }: LoadedWebhooksConfig): readonly string[] =>
  webhooks.map(({ id }) => id)

const problemsIn = ({ parts }: LoadedWebhooksConfig): readonly string[] =>
  parts.flatMap(({ problems }) => problems)

describe('a configuration with further files', () => {
  it('has the webhooks of all of them, in their order', () => {
    const config = read(listOf(hook('m')), {
      'a.yaml': listOf(hook('a')),
      'b.yaml': listOf(hook('b')),
    })
    expect(idsIn(config)).toEqual(['m', 'a', 'b'])
    expect(problemsIn(config)).toEqual([])
  })

  it.each<[string, string | Error, RegExp]>([
    [
      'has a wrong key',
      listOf(hook('x', ', tokken: a')),
      /^b\.yaml:2:\d+ webhooks\[0\]\.tokken: unknown key .* "token"/,
    ],
    ['is not YAML', 'webhooks: [', /^b\.yaml:1:\d+: /],
    ['is empty', '', /^b\.yaml:1:1: is empty, but must be a mapping$/],
    ['cannot be read', new Error('permission denied'), /^b\.yaml: permission denied$/],
    [
      'has a key of the service',
      'webhooks: []\nadmin: { token: x }',
      /^b\.yaml:2:1 admin: unknown key "admin": it belongs to the main file$/,
    ],
    [
      'names a secret that is missing',
      listOf(hook('x', `, signature: { scheme: github, secret: '${reference('env', 'NONE')}' }`)),
      /NONE/,
    ],
    [
      'has an id twice',
      listOf(hook('x'), hook('x')),
      /^b\.yaml:3:\d+ webhooks\[1\]\.id: b\.yaml webhooks\[0\] already has this id$/,
    ],
    [
      'has the id of another file',
      listOf(hook('x'), hook('a')),
      /^b\.yaml:3:\d+ webhooks\[1\]\.id: a\.yaml webhooks\[0\] already/,
    ],
    [
      'has the id of the main file',
      listOf(hook('m')),
      /the main file webhooks\[0\] already has this id$/,
    ],
    [
      'has the path of another file',
      listOf(hook('x', ', path: /hooks/a')),
      /^b\.yaml:2:\d+ webhooks\[0\]\.path: a\.yaml webhooks\[0\]\.path already has this path for POST$/,
    ],
    [
      'has a path of Gatehouse',
      listOf(hook('x', ', path: /runs')),
      /^b\.yaml:2:\d+ webhooks\[0\]\.path: Gatehouse itself/,
    ],
    [
      'names a webhook that nobody has',
      listOf(hook('x', ', after: { webhook: none }')),
      /^b\.yaml:2:\d+ webhooks\[0\]\.after\.webhook: no webhook has this id$/,
    ],
  ])('serves the others if one %s', (_, bad, problem) => {
    const main = listOf(hook('m', ', after: { webhook: c }'))
    const config = read(main, {
      'a.yaml': listOf(hook('a', ', path: /hooks/a')),
      'b.yaml': bad,
      'c.yaml': listOf(hook('c', ', after: { webhook: a }')),
    })
    expect(idsIn(config)).toEqual(['m', 'a', 'c'])
    expect(problemsIn(config)).toEqual([expect.stringMatching(problem)])
  })

  it('blames a further file for a circle through the main file', () => {
    const config = read(listOf(hook('m', ', after: { webhook: a }')), {
      'a.yaml': listOf(hook('a', ', after: { webhook: m }')),
      'b.yaml': listOf(hook('b')),
    })
    expect(idsIn(config)).toEqual(['m', 'b'])
    expect(problemsIn(config)).toEqual([
      expect.stringMatching(/^a\.yaml:2:\d+ webhooks\[0\]\.after\.webhook: .* run after itself$/),
    ])
  })

  it('accepts references to webhooks of a refused file, with a warning', () => {
    const main = listOf(hook('m', ', after: { webhook: b }'))
    const config = read(main, {
      'a.yaml': listOf(hook('a', ', after: { webhook: b }')),
      'b.yaml': '[]',
    })
    expect(idsIn(config)).toEqual(['m', 'a'])
    const warning = 'webhooks[0].after.webhook: no webhook has this id now'
    expect(config.warnings).toEqual([warning])
    expect(config.parts.map(({ warnings }) => warnings)).toEqual([[warning], []])
    expect(alertRunProblem(config, 'b')).toBeUndefined()
    expect(alertRunProblem(config, 'm')).toBe('the webhook must have on_alert: true')
    const whole = read(listOf(hook('m')), { 'a.yaml': listOf(hook('a')) })
    expect(alertRunProblem(whole, 'b')).toBe('no webhook has this id')
  })

  it('is refused for problems of its own, also with a webhook that no file has', () => {
    const parts = { 'a.yaml': listOf(hook('a')) }
    expect(() => read(listOf(hook('m', ', after: { webhook: none }')), parts)).toThrow(
      /^main\.yaml:2:\d+ webhooks\[0\]\.after\.webhook: no webhook has this id$/,
    )
    expect(() => read(`port: 1\n${listOf(hook('m'))}`, parts)).toThrow(/unknown key "port"/)
  })

  it('gives each file its defaults, before those of the main file', () => {
    const main = 'defaults: { timeout: 1m, queue: 7 }\nwebhooks: []\n'
    const config = read(main, { 'a.yaml': `defaults: { timeout: 2m }\n${listOf(hook('a'))}` })
    expect(config.webhooks).toMatchObject([{ id: 'a', timeout: 120_000, queue: 7 }])
  })

  it('finds relative paths beside the file that has them, and says which file has a bad one', async () => {
    const text = listOf(
      '- { id: a, token: a-token-that-is-long, execute_command: ./none, workdir: sub }\n',
    )
    const parts = [
      part('/etc/hooks.d/bad.yaml', '[]'),
      { filename: '/etc/hooks.d/a.yaml', directory: '/etc/hooks.d', text },
    ]
    const given = { text: listOf(hook('m')), parts }
    const config = readWebhooksConfig(given, { environment, workdir: '/srv' })
    expect(config.webhooks[1]?.workdir).toBe('/etc/hooks.d/sub')
    expect(
      await checkCommands(config, { environment: { PATH: '/usr/bin:/bin' }, workdir: '/' }),
    ).toEqual([
      expect.objectContaining({
        file: '/etc/hooks.d/a.yaml',
        path: 'webhooks[0].workdir',
        line: 2,
        code: 'workdir_not_found',
      }),
    ])
  })

  it('withholds the secrets of all files from all commands', () => {
    const secret = (name: string): string =>
      listOf(
        hook(
          name.toLowerCase(),
          `, signature: { scheme: github, secret: '${reference('env', name)}' }`,
        ),
      )
    const config = read(secret('SECRET_A'), { 'a.yaml': secret('SECRET_B') })
    expect([...config.withheld].sort()).toEqual(['SECRET_A', 'SECRET_B'])
    expect(config.holdsLiteralSecrets).toBe(true)
    expect(config.parts[0]?.holdsLiteralSecrets).toBe(true)
  })
})

describe('a reload with a bad file', () => {
  const good = {
    'a.yaml': listOf(hook('a')),
    'b.yaml': listOf(
      hook('b', `, signature: { scheme: github, secret: '${reference('env', 'SECRET_B')}' }`),
    ),
  }
  const begin = () =>
    createFixture({ config: source(listOf(hook('m')), good), environment, script: endAtOnce })

  it('keeps what the file had, applies the others, and says so until the file is mended', async () => {
    const { webhooks, lines } = begin()
    const rejected: unknown[] = []
    webhooks.events.on('config.rejected', ({ error }) => void rejected.push(error))
    const exposed = async (): Promise<string> => (await webhooks.metrics.expose(null)).body
    expect(await exposed()).toContain('gatehouse_webhook_config_files_refused 0')

    const bad = { 'a.yaml': listOf(hook('a2')), 'b.yaml': listOf(hook('b2', ', queue: x')) }
    updateWebhooksConfig(webhooks, source(listOf(hook('m')), bad))
    expect(idsIn(webhooks.config.current)).toEqual(['m', 'a2', 'b'])
    expect(await triggerWebhook(webhooks, 'b')).toMatchObject({ webhook_id: 'b' })
    expect(lines.filter(({ level }) => level === 'error')).toEqual([
      {
        level: 'error',
        message: 'a file is refused: its webhooks stay as they were',
        fields: { problem: expect.stringMatching(/^b\.yaml:2:\d+ webhooks\[0\]\.queue: must be/) },
      },
    ])
    expect(rejected).toHaveLength(1)
    expect(await exposed()).toContain('gatehouse_webhook_config_files_refused 1')
    expect(await exposed()).toContain('gatehouse_config_last_reload_successful 0')

    updateWebhooksConfig(
      webhooks,
      source(listOf(hook('m')), { ...bad, 'b.yaml': listOf(hook('b3')) }),
    )
    expect(idsIn(webhooks.config.current)).toEqual(['m', 'a2', 'b3'])
    expect(await exposed()).toContain('gatehouse_webhook_config_files_refused 0')
    expect(await exposed()).toContain('gatehouse_config_last_reload_successful 1')
  })

  it('keeps it over several reloads, and withholds its secrets', () => {
    const { webhooks } = begin()
    const bad = { ...good, 'b.yaml': new Error('no such file or directory') }
    for (let turn = 0; turn < 2; turn++)
      updateWebhooksConfig(webhooks, source(listOf(hook('m')), bad))
    expect(idsIn(webhooks.config.current)).toEqual(['m', 'a', 'b'])
    expect([...webhooks.config.current.withheld]).toEqual(['SECRET_B'])
  })

  it('warns only of references to webhooks that it has not kept', () => {
    const follows = (id: string): string => `, after: { webhook: ${id} }`
    const main = listOf(hook('m', follows('b')), hook('n', follows('x')))
    const parts = { 'a.yaml': listOf(hook('a', follows('b'))), 'b.yaml': listOf(hook('b')) }
    const { webhooks, lines } = createFixture({
      config: source(main, { ...parts, 'x.yaml': listOf(hook('x')) }),
      environment,
      script: endAtOnce,
    })
    updateWebhooksConfig(
      webhooks,
      source(main, { ...parts, 'b.yaml': '[]', 'x.yaml': listOf(hook('m')) }),
    )
    expect(idsIn(webhooks.config.current)).toEqual(['m', 'n', 'a', 'b', 'x'])
    expect(webhooks.config.current.warnings).toEqual([])

    const withoutX = { ...parts, 'b.yaml': '[]', 'y.yaml': '[]' }
    updateWebhooksConfig(webhooks, source(main, withoutX))
    const warning = 'webhooks[1].after.webhook: no webhook has this id now'
    expect(webhooks.config.current.warnings).toEqual([warning])
    expect(webhooks.config.current.parts.flatMap(({ warnings }) => warnings)).toEqual([])
    expect(lines.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
      warning,
    ])
  })

  it('warns of references of a webhook that it keeps', () => {
    const { webhooks } = createFixture({
      config: source(listOf(hook('m')), {
        'a.yaml': listOf(hook('a', ', after: { webhook: b }')),
        'b.yaml': listOf(hook('b')),
      }),
      environment,
      script: endAtOnce,
    })
    updateWebhooksConfig(webhooks, source(listOf(hook('m')), { 'a.yaml': '[]' }))
    expect(webhooks.config.current.parts).toMatchObject([
      { warnings: ['webhooks[0].after.webhook: no webhook has this id now'] },
    ])
  })

  it.each([
    ['an id', listOf(hook('b'))],
    ['an id, beside others', listOf(hook('c'), hook('b'))],
  ])('gives up what it had if another file has taken %s', (_, taken) => {
    const { webhooks, lines } = begin()
    updateWebhooksConfig(webhooks, source(listOf(hook('m')), { 'a.yaml': taken, 'b.yaml': '[]' }))
    expect(idsIn(webhooks.config.current)).not.toContain('a')
    expect(webhooks.config.current.webhooks.filter(({ id }) => id === 'b')).toHaveLength(1)
    expect(lines.at(-1)?.message).toBe('a file is refused: its webhooks are not served')
  })

  it('drops the webhooks of a file that is no longer named', () => {
    const { webhooks } = begin()
    updateWebhooksConfig(webhooks, source(listOf(hook('m')), { 'a.yaml': listOf(hook('a')) }))
    expect(idsIn(webhooks.config.current)).toEqual(['m', 'a'])
  })
})
