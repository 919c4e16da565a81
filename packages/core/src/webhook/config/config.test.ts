import { describe, expect, it } from 'vitest'
import { integer, oneOf, withDefault } from '../../document/schema.ts'
import { isGatehouseError } from '../../errors.ts'
import {
  codesIn,
  problemsIn,
  readConfig,
  readWebhook,
  reference,
  withWebhook,
} from './config.fixture.ts'
import {
  decodeWebhooksConfig,
  formatWebhooksConfigProblem,
  parseWebhooksDocument,
} from './config.ts'

const yaml = `
executor: 8080        # a number
webhooks:
  - token: 12345
    execute_comand: ls
    workdir: ~/app
    timeout: ten
  - &twin {id: a, token: first-token-of-all, execute_command: "true", workdir: ""}
  - *twin
`

describe('readWebhooksConfig', () => {
  it('reports every problem at once, in the order of the document, with its position', () => {
    expect(
      problemsIn({ text: yaml, filename: 'c.yaml' }).map(
        ({ path, code, line, column }) => `${line}:${column} ${path} ${code}`,
      ),
    ).toEqual([
      '2:11 executor wrong_type',
      '4:5 webhooks[0].id required',
      '4:5 webhooks[0].execute_command required',
      '4:12 webhooks[0].token wrong_type',
      '5:5 webhooks[0].execute_comand unknown_key',
      '6:14 webhooks[0].workdir bad_path',
      '7:14 webhooks[0].timeout bad_duration',
      '8:16 webhooks[2].id duplicate_id',
    ])
  })

  it('suggests the nearest key for an unknown one, at any place', () => {
    const text = `
metric: true
limits: {bodyBytes: 1}
defaults: {modes: sync, id: x}
webhooks:
  - {id: a, token: long-enough-token, execute_command: ls, workdir: "", command_arguments: [{nmae: x, source: y}]}
`
    expect(
      problemsIn(text).map(({ path, code, message }) => `${path} ${code}: ${message}`),
    ).toEqual([
      'metric unknown_key: unknown key "metric"; did you mean "metrics"?',
      'limits.bodyBytes unknown_key: unknown key "bodyBytes"; did you mean "max_body_bytes"?',
      'defaults.modes unknown_key: unknown key "modes"; did you mean "mode"?',
      'defaults.id unknown_key: unknown key "id": every webhook has its own',
      'webhooks[0].command_arguments[0].nmae unknown_key: unknown key "nmae"; did you mean "name"?',
    ])
  })

  it('refuses the keys of a program, and keys that do not exist', () => {
    expect(codesIn({ storage: {}, port: 1, log: { level: 'info' } })).toEqual([
      'storage unknown_key',
      'port unknown_key',
      'log.level unknown_key',
    ])
    expect(codesIn(withWebhook({ repeats: {}, run_as: {}, notify: {} }))).toEqual([
      'webhooks[0].repeats unknown_key',
      'webhooks[0].run_as unknown_key',
      'webhooks[0].notify unknown_key',
    ])
  })

  it('throws one error with the first five problems and the number of the others', () => {
    const read = (text: string): unknown => {
      try {
        return readConfig({ text, filename: 'c.yaml' })
      } catch (error) {
        return isGatehouseError(error) ? [error.reason, error.message, error.info.filename] : error
      }
    }
    expect(read('limits: { queue: -1 }\nhide_ids: 1\nmetrics: 0\n')).toEqual([
      'InvalidConfig',
      [
        'c.yaml:1:18 limits.queue: must be at least 0',
        'c.yaml:2:11 hide_ids: must be true or false',
        'c.yaml:3:10 metrics: must be true or false',
      ].join('\n'),
      'c.yaml',
    ])
    const unknown = (count: number): string => 'x: 1\n'.replace('x', 'x'.repeat(count))
    const many = [1, 2, 3, 4, 5, 6, 7].map(unknown)
    expect(read(many.slice(0, 6).join(''))).toMatchObject({
      1: expect.stringMatching(/^(c\.yaml:\d:1 .*\n){5}and 1 more problem$/),
    })
    expect(read(many.join(''))).toMatchObject({
      1: expect.stringMatching(/\nand 2 more problems$/),
    })
    expect(read('[')).toMatchObject({ 1: expect.stringMatching(/^c\.yaml:\d+:\d+: /) })
  })

  it('accepts a text in either format, an object, and a text with its origin', () => {
    const metrics = true
    expect(readConfig('metrics: true').metrics).toBe(metrics)
    expect(readConfig('\n {"metrics": true}').metrics).toBe(metrics)
    expect(readConfig({ metrics }).metrics).toBe(metrics)
    expect(readConfig({ text: 'metrics: true', filename: 'x.YML' }).metrics).toBe(metrics)
    expect(readConfig({ text: '{"metrics": true}', format: 'json' }).metrics).toBe(metrics)
    expect(readConfig({ text: '{metrics: true}', filename: 'x.yaml' }).metrics).toBe(metrics)
    expect(codesIn({ text: '{metrics: true}', filename: 'x.json' })).toEqual([' syntax'])
    expect(codesIn({ text: '{metrics: true}', filename: 'x.conf' })).toEqual([' syntax'])
    expect(codesIn({ text: 'metrics: true', filename: 'x.json' })).toEqual([' syntax'])
  })

  it('drops a byte-order mark and refuses more than 4 MiB', () => {
    expect(readConfig('\ufeffmetrics: true').metrics).toBe(true)
    expect(readConfig('\ufeff{"metrics": true}').metrics).toBe(true)
    const blanks = ' '.repeat(4 * 2 ** 20 - 16)
    expect(readConfig(`{"metrics":true${blanks}}`).metrics).toBe(true)
    expect(problemsIn(`{"metrics":true${blanks}}  `)).toEqual([
      { path: '', code: 'syntax', message: 'larger than 4 MiB', line: 1, column: 1 },
    ])
    expect(problemsIn(`# ${'é'.repeat(2 ** 21)}`)[0]?.message).toBe('larger than 4 MiB')
  })

  it('has no positions for an object, and keeps its order', () => {
    expect(problemsIn({ metrics: 1, webhooks: [{}], hide_ids: 'x' })).toEqual([
      { path: 'metrics', code: 'wrong_type', message: 'must be true or false' },
      { path: 'webhooks[0].id', code: 'required', message: 'is missing' },
      { path: 'webhooks[0].token', code: 'required', message: 'is missing' },
      { path: 'webhooks[0].execute_command', code: 'required', message: 'is missing' },
      { path: 'webhooks[0].workdir', code: 'required', message: 'is missing' },
      { path: 'hide_ids', code: 'wrong_type', message: 'must be true or false' },
    ])
  })

  it('fills in the defaults of the service', () => {
    const config = readConfig({})
    expect(config).toMatchObject({
      base_path: '',
      webhooks: [],
      hash_endpoint: true,
      hide_ids: false,
      executor: 'auto',
      admin: undefined,
      history: { max_runs: 500, max_age: 86_400_000, output_bytes: 65_536, argv: false },
      log: { run_output: false },
      metrics: false,
    })
    const { concurrency, ...limits } = config.limits
    expect(concurrency).toBeGreaterThanOrEqual(4)
    expect(limits).toEqual({
      max_body_bytes: 4_194_304,
      body_total_bytes: 67_108_864,
      queue: 5_000,
      json_depth: 64,
      command_line_bytes: 131_072,
    })
  })

  it('merges single keys of a group with the defaults', () => {
    const { limits, log, history } = readConfig({
      limits: { queue: 0, max_body_bytes: '1MiB' },
      log: { run_output: true },
      history: { max_age: '7d' },
    })
    expect(limits).toMatchObject({ queue: 0, max_body_bytes: 1_048_576 })
    expect(limits.json_depth).toBe(64)
    expect(log).toEqual({ run_output: true })
    expect(history).toMatchObject({ max_runs: 500, max_age: 604_800_000 })
  })

  it('reads the keys of the service', () => {
    expect(
      readConfig(
        {
          text: JSON.stringify({
            base_path: '/hooks/',
          }),
          directory: '/etc/gatehouse',
        },
        {},
      ),
    ).toMatchObject({
      base_path: '/hooks',
    })
    const { admin } = readConfig({ admin: { token: 'the-token-of-the-admin' } })
    expect(admin?.token.accepts('the-token-of-the-admin')).toBe(true)
    expect(admin?.token.accepts('the-token-of-another')).toBe(false)
  })

  it('refuses invalid values of the service', () => {
    expect(
      codesIn({
        base_path: 'hooks',
        limits: { json_depth: 0, max_body_bytes: '4 TB', concurrency: 0 },
        executor: 'thread',
        admin: {},
        log: { run_output: null },
      }),
    ).toEqual([
      'base_path bad_path',
      'limits.json_depth out_of_range',
      'limits.max_body_bytes bad_size',
      'limits.concurrency out_of_range',
      'executor out_of_range',
      'admin.token required',
      'log.run_output wrong_type',
    ])
    for (const base_path of ['/a/:b', '/a*', '/a b', '//', '/../x', '/a%2f']) {
      expect(codesIn({ base_path })).toEqual(['base_path bad_path'])
    }
  })

  it('warns of probable mistakes', () => {
    expect(readConfig({}).warnings).toEqual(['webhooks: there are none'])
    const { warnings } = readConfig(
      withWebhook({
        id: 'same-as-its-token',
        token: 'same-as-its-token',
        tokens: ['short', `sha1:${'a'.repeat(40)}`, 'sha256:aaaaaaaaaaaa'],
        command_arguments: [{ name: 'two words' }, { name: 'x', pattern: 'y' }],
      }),
    )
    expect(warnings).toEqual([
      'webhooks[0].token: equals the id',
      'webhooks[0].tokens: is shorter than 16 characters',
      'webhooks[0].tokens: is not a valid digest, so it is used as the token itself',
      'webhooks[0].command_arguments[0].name: contains a blank, but stays one argument',
      'webhooks[0].command_arguments[1].pattern: has no effect without a source',
    ])
    expect(readConfig({ admin: { token: 'x' } }).warnings).toContain(
      'admin.token: is shorter than 16 characters',
    )
  })

  it('records whether it contains secrets', () => {
    const environment = { TOKEN: 'a-token-that-is-long' }
    const holds = (settings: object): boolean =>
      readConfig(withWebhook(settings), { environment }).holdsLiteralSecrets
    expect(holds({})).toBe(true)
    expect(holds({ token: reference('env', 'TOKEN') })).toBe(false)
    expect(holds({ token: { env: 'TOKEN' } })).toBe(false)
    expect(holds({ token: `sha256:${'0'.repeat(64)}` })).toBe(false)
    expect(holds({ token: reference('env', 'TOKEN'), tokens: ['another-token-in-here'] })).toBe(
      true,
    )
    expect(
      holds({
        token: reference('env', 'TOKEN'),
        signature: { scheme: 'github', secret: 'in here' },
      }),
    ).toBe(true)
    expect(readConfig({ admin: { token: 'x' } }).holdsLiteralSecrets).toBe(true)
  })

  it('records the positions of commands and workdirs in a text', () => {
    const text = 'webhooks:\n  - id: a\n    token: t\n    execute_command: ls\n    workdir: /srv\n'
    expect([...readConfig(text).places]).toEqual([
      ['webhooks[0].execute_command', { line: 4, column: 22 }],
      ['webhooks[0].workdir', { line: 5, column: 14 }],
    ])
    expect(readConfig(withWebhook()).places.size).toBe(0)
  })
})

describe('a damaged text', () => {
  it('is read or refused, whatever was removed or inserted', () => {
    const json = JSON.stringify({
      metrics: true,
      ...withWebhook({ tokens: ['x'], env: { A: 'b' } }),
    })
    const inserted = [...':-{}[]"\'#&*!|>%@\t\n,?', '\n ', '--- ', '&a ', '*a ', '!!int ', '<<: ']
    let refused = 0
    for (const text of [yaml, json]) {
      for (let at = 0; at < text.length; at += 3) {
        const piece = inserted[at % inserted.length] ?? ''
        const changes = [text.slice(0, at), text.slice(0, at) + text.slice(at + 2)]
        changes.push(text.slice(0, at) + piece + text.slice(at))
        refused += changes.filter((change) => problemsIn(change).length > 0).length
      }
    }
    expect(refused).toBeGreaterThan(100)
  })
})

describe('defaults', () => {
  it('apply to every webhook that does not override them', () => {
    const base = { token: 'a-token-that-is-long', execute_command: 'true', workdir: '' }
    const [plain, own] = readConfig({
      executor: 'direct',
      defaults: { timeout: 'none', env: { A: 'x' }, mode: 'async', shell: true },
      webhooks: [
        { id: 'plain', ...base },
        { id: 'own', ...base, timeout: 5, env: {}, executor: 'launcher', shell: false },
      ],
    }).webhooks
    expect(plain).toMatchObject({
      timeout: undefined,
      mode: 'async',
      executor: 'direct',
      command: { kind: 'shell' },
    })
    expect([...(plain?.env.keys() ?? [])]).toEqual(['A'])
    expect(own).toMatchObject({
      timeout: 5_000,
      mode: 'async',
      executor: 'launcher',
      command: { kind: 'words' },
    })
    expect(own?.env.size).toBe(0)
  })

  it('are checked once by themselves, and again with each webhook', () => {
    const base = { token: 'a-token-that-is-long', workdir: '' }
    expect(
      codesIn({
        defaults: { queue: -1, auth: 'both', command_arguments: [{ source: 'data.v' }] },
        webhooks: [
          { id: 'a', ...base, execute_command: 'server &' },
          { id: 'b', ...base, execute_command: 'ls', auth: 'token' },
        ],
      }),
    ).toEqual([
      'defaults.queue out_of_range',
      'webhooks[0].auth conflict',
      'webhooks[0].execute_command arguments_not_placeable',
    ])
  })
})

describe('decodeWebhooksConfig', () => {
  const settings = {
    fields: { port: withDefault(integer(0, 65_535), 8_081, 'Where to listen.') },
    limits: { max_connections: withDefault(integer(1), 9, 'How many connections.') },
    log: { level: withDefault(oneOf('info', 'debug'), 'info', 'How much is logged.') },
  }
  const options = { environment: {}, workdir: '/srv', filename: 'all.yaml' }
  const decode = (text: string) =>
    decodeWebhooksConfig(parseWebhooksDocument({ text }), options, settings)

  it('reads a document with settings of a program', () => {
    const document = decode('port: 9\nmetrics: true\nlimits: { queue: 1 }\nlog: { level: debug }\n')
    expect(document.config?.metrics).toBe(true)
    expect(document.config?.limits.queue).toBe(1)
    expect(document.own?.port).toBe(9)
    expect(document.own?.limits.max_connections).toBe(9)
    expect(document.own?.log.level).toBe('debug')
  })

  it('reports the problems of both together, with the valid parts', () => {
    const { config, own, sound, problems } = decode(
      'prot: 9\nport: 8\nmetrics: 1\nlimits: { max_conections: 1 }\n',
    )
    expect([config, own]).toEqual([undefined, undefined])
    expect(sound.port).toBe(8)
    expect(problems.map((problem) => formatWebhooksConfigProblem(problem))).toEqual([
      '1:1 prot: unknown key "prot"; did you mean "port"?',
      '3:10 metrics: must be true or false',
      '4:11 limits.max_conections: unknown key "max_conections"; did you mean "max_connections"?',
    ])
  })
})

describe('formatWebhooksConfigProblem', () => {
  it('writes the known parts', () => {
    const problem = { path: 'port', code: 'wrong_type', message: 'must be text' } as const
    const placed = { ...problem, line: 3, column: 7 }
    expect(formatWebhooksConfigProblem(placed, 'c.yaml')).toBe('c.yaml:3:7 port: must be text')
    expect(formatWebhooksConfigProblem(placed)).toBe('3:7 port: must be text')
    expect(formatWebhooksConfigProblem(problem, 'c.yaml')).toBe('c.yaml port: must be text')
    expect(formatWebhooksConfigProblem(problem)).toBe('port: must be text')
    expect(formatWebhooksConfigProblem({ ...problem, path: '' })).toBe('must be text')
  })
})

describe('the defaults of a webhook', () => {
  it('are the documented ones', () => {
    expect(readWebhook()).toMatchObject({
      id: 'deploy',
      enabled: true,
      signature: undefined,
      auth: 'token',
      allow_ips: undefined,
      dedupe: undefined,
      rules: undefined,
      execute_command: 'true',
      command: { kind: 'words', words: ['true'] },
      workdir: '',
      command_arguments: [],
      env: new Map(),
      pass_env: [],
      stdin: 'none',
      files: [],
      mode: 'sync',
      sync_wait: undefined,
      timeout: 600_000,
      kill_grace: 5_000,
      concurrency: 1,
      queue: 1_000,
      on_busy: 'queue',
      rate_limit: undefined,
      include_output: 'never',
      output_bytes: 1_048_576,
      output_keep: 'head',
      on_output_limit: 'truncate',
      success_status: 200,
      failure_status: 500,
      exit_status_map: new Map(),
      response: 'json',
      response_headers: {},
      on_disconnect: 'continue',
      leftovers: 'leave',
      accept: ['json'],
      max_body_bytes: undefined,
      executor: 'auto',
    })
  })
})

describe('a configuration of another tool', () => {
  const messagesOf = (text: string): string =>
    problemsIn(text)
      .map(({ message }) => message)
      .join('\n')

  it.each([
    ['webhooks: [{ id: a, command: x }]', 'unknown key "command": the command is execute_command'],
    ['webhooks: [{ id: a, secret: x }]', 'it is written signature: { scheme: …, secret: … }'],
    ['webhooks: [{ id: a, execute-command: x }]', 'the command is execute_command'],
    ['webhooks: [{ id: a, trigger-rule: {} }]', 'it is rules'],
    ['webhooks: [{ id: a, pass-arguments-to-command: [] }]', 'it is command_arguments'],
    ['webhooks: [{ id: a, signature: { type: github, secret: s } }]', 'it is scheme'],
    [
      'webhooks: [{ id: a, command_arguments: [{ envname: X, source: data.x }] }]',
      'variables are in env',
    ],
    ['hooks: []', 'the list is webhooks'],
    ['defaults: { secret: x }', 'it is written signature'],
    ['command: x', 'it belongs to an element of webhooks'],
    ['webhooks: [{ <<: 1 }]', 'YAML 1.2 has no merge keys'],
    ['[{ "id": "a", "execute-command": "/x" }]', 'this is a hooks file of adnanh/webhook'],
    ['- id: a\n  execute-command: /x\n', 'this is a hooks file of adnanh/webhook'],
    ['[]', 'must be a mapping'],
  ])('is told what to write instead: %s', (text, message) => {
    expect(messagesOf(text)).toContain(message)
  })

  it.each([
    `webhooks:\n  - id: a\n    signature: { scheme: github, secret: ${reference('env', 'X')} }`,
    `webhooks: [{ id: a, token: ${reference('file', 'secret')} }]`,
    `webhooks:\n  - { id: a, tokens: [${reference('env', 'X')}] }`,
    `webhooks:\n  - id: a\n    signature: {\n      scheme: github,\n      secret: ${reference('env', 'X')}\n    }`,
  ])('needs quotes around a reference in braces: %s', (text) => {
    expect(messagesOf(text)).toMatch(/put "\$\{(?:env|file):…\}" in quotes/)
  })
})
