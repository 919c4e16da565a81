import { describe, expect, it } from 'vitest'
import { parseAddressRange } from '../../http/ip-address.ts'
import {
  codesIn,
  problemsIn,
  readConfig,
  readWebhook,
  settingProblems,
  withWebhook,
} from './config.fixture.ts'

describe('the keys of a webhook', () => {
  it('are read', () => {
    const webhook = readWebhook({
      enabled: false,
      allow_ips: ['192.0.2.1', '2001:db8::/32'],
      dedupe: { key: 'header:X-GitHub-Delivery' },
      stdin: 'data',
      mode: 'stream',
      concurrency: 0,
      on_busy: 'latest',
      rate_limit: { runs: 10, per: '1m' },
      output_keep: 'tail',
      on_output_limit: 'kill',
      success_status: 204,
      failure_status: 503,
      exit_status_map: { 0: 201, 255: 404 },
      response: 'text',
      response_headers: { 'X-One': 'a', __proto: 'b' },
      on_disconnect: 'cancel',
      leftovers: 'kill',
      accept: ['json', 'form'],
      max_body_bytes: '64KiB',
      pass_env: ['*', 'DOCKER_HOST'],
    })
    expect(webhook).toMatchObject({
      enabled: false,
      allow_ips: [parseAddressRange('192.0.2.1'), parseAddressRange('2001:db8::/32')],
      dedupe: { from: { kind: 'header', name: 'x-github-delivery' }, ttl: 86_400_000 },
      stdin: 'data',
      mode: 'stream',
      concurrency: 0,
      on_busy: 'latest',
      rate_limit: { runs: 10, per: 60_000 },
      output_keep: 'tail',
      on_output_limit: 'kill',
      success_status: 204,
      failure_status: 503,
      exit_status_map: new Map([
        [0, 201],
        [255, 404],
      ]),
      response: 'text',
      response_headers: { 'X-One': 'a', __proto: 'b' },
      on_disconnect: 'cancel',
      leftovers: 'kill',
      accept: ['json', 'form'],
      max_body_bytes: 65_536,
      pass_env: ['*', 'DOCKER_HOST'],
    })
  })

  it.each([
    [{ id: '' }, ['id empty']],
    [{ id: '\u00a0 ' }, ['id empty']],
    [{ id: 7 }, ['id wrong_type']],
    [{ id: 'x'.repeat(129) }, ['id out_of_range']],
    [{ id: 'a\nb' }, ['id out_of_range']],
    [{ token: '' }, ['token empty']],
    [{ token: null }, ['token wrong_type']],
    [{ tokens: 'a' }, ['tokens wrong_type']],
    [{ tokens: ['a', '', 5] }, ['tokens[1] empty', 'tokens[2] wrong_type']],
    [{ token_format: 'md5' }, ['token_format out_of_range']],
    [{ execute_command: '\t' }, ['execute_command empty']],
    [{ execute_command: '""' }, ['execute_command bad_command']],
    [{ execute_command: 'a\0b' }, ['execute_command out_of_range']],
    [{ workdir: '~' }, ['workdir bad_path']],
    [{ workdir: null }, ['workdir wrong_type']],
    [{ enabled: 'true' }, ['enabled wrong_type']],
    [{ allow_ips: [] }, ['allow_ips empty']],
    [{ allow_ips: ['localhost'] }, ['allow_ips[0] bad_cidr']],
    [{ dedupe: {} }, ['dedupe.key required']],
    [{ dedupe: { key: 'header:Cookie' } }, ['dedupe.key secret_source']],
    [{ shell: 'bash' }, ['shell bad_path']],
    [{ shell: 1 }, ['shell wrong_type']],
    [{ stdin: true }, ['stdin wrong_type']],
    [{ mode: 'asynk' }, ['mode out_of_range']],
    [{ concurrency: -1 }, ['concurrency out_of_range']],
    [{ concurrency: 1.5 }, ['concurrency wrong_type']],
    [{ concurrency: 2 ** 60 }, ['concurrency out_of_range']],
    [{ rate_limit: {} }, ['rate_limit.runs required', 'rate_limit.per required']],
    [
      { rate_limit: { runs: 0, per: 0 } },
      ['rate_limit.runs out_of_range', 'rate_limit.per out_of_range'],
    ],
    [{ include_output: 'on-error' }, ['include_output out_of_range']],
    [{ success_status: 400 }, ['success_status out_of_range']],
    [{ failure_status: 200 }, ['failure_status out_of_range']],
    [{ exit_status_map: [] }, ['exit_status_map wrong_type']],
    [
      { exit_status_map: { 256: 200, x: 200, '01': 200, 3: 199 } },
      [
        'exit_status_map["256"] out_of_range',
        'exit_status_map.x out_of_range',
        'exit_status_map["01"] out_of_range',
        'exit_status_map["3"] out_of_range',
      ],
    ],
    [{ accept: [] }, ['accept empty']],
    [{ accept: ['yaml'] }, ['accept[0] out_of_range']],
    [{ pass_env: ['A=B'] }, ['pass_env[0] out_of_range']],
    [{ executor: 'shell' }, ['executor out_of_range']],
  ])('are refused as %j', (settings, codes) => {
    expect([...settingProblems(settings)].sort()).toEqual([...codes].sort())
  })

  it('may have ids of 128 characters of any kind', () => {
    expect(readWebhook({ id: '😀'.repeat(128) }).id).toHaveLength(256)
    expect(settingProblems({ id: '😀'.repeat(129) })).toEqual(['id out_of_range'])
  })

  it('report numbers that should be text, and text that should be a number', () => {
    const messages = (text: string): readonly string[] =>
      problemsIn(text).map(({ path, message }) => `${path}: ${message}`)
    expect(
      messages(
        'history: { max_runs: "8080" }\nbase_path: 007\nhide_ids: "true"\nmetrics: yes\nlimits:\n',
      ),
    ).toEqual([
      'history.max_runs: must be a whole number: write it without quotes',
      'base_path: must be text: put it in quotes',
      'hide_ids: must be true or false: write it without quotes',
      'metrics: must be true or false',
      'limits: is empty, but must be a mapping',
    ])
  })

  it('accept true and false for shell and include_output, quoted or not', () => {
    for (const shell of [true, 'true']) {
      expect(readWebhook({ shell }).command).toEqual({
        kind: 'shell',
        shell: '/bin/sh',
        text: 'true',
      })
    }
    for (const shell of [false, 'false']) {
      const { command } = readWebhook({ shell, execute_command: 'echo *' })
      expect(command).toEqual({ kind: 'words', words: ['echo', '*'] })
    }
    expect(readWebhook({ shell: '/bin/bash' }).command).toMatchObject({ shell: '/bin/bash' })
    expect(readWebhook({ shell: 'auto' }).command).toMatchObject({ kind: 'words' })
    expect(readWebhook({ include_output: true }).include_output).toBe('always')
    expect(readWebhook({ include_output: false }).include_output).toBe('never')
    expect(readWebhook({ include_output: 'on_error' }).include_output).toBe('on_error')
  })

  it('resolve a relative workdir from the folder of the configuration', () => {
    const workdirOf = (workdir: string, directory?: string): string | undefined => {
      const text = JSON.stringify(withWebhook({ workdir }))
      const source = directory === undefined ? { text } : { text, directory }
      return readConfig(source).webhooks[0]?.workdir
    }
    expect(workdirOf('', '/etc')).toBe('')
    expect(workdirOf('app', '/etc')).toBe('/etc/app')
    expect(workdirOf('./app', '/etc')).toBe('/etc/app')
    expect(workdirOf('.', '/etc')).toBe('/etc')
    expect(workdirOf('../app', '/etc')).toBe('/etc/../app')
    expect(workdirOf('/app', '/etc')).toBe('/app')
    expect(workdirOf('app')).toBe('/srv/app')
    expect(readWebhook({ workdir: 'app' }).workdir).toBe('/srv/app')
  })

  it('accept several tokens in the configured forms', () => {
    const { token } = readWebhook({ token: 'new', tokens: ['old'], token_format: 'plain' })
    expect(['new', 'old', 'none', ''].map((text) => token.accepts(text))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('are checked together even if others are invalid', () => {
    expect(
      settingProblems({
        id: 5,
        execute_command: 'server &',
        command_arguments: [{ source: 5 }],
        auth: 'both',
      }),
    ).toEqual([
      'id wrong_type',
      'execute_command arguments_not_placeable',
      'command_arguments[0].source wrong_type',
      'auth conflict',
    ])
  })

  it('must not repeat an id, enabled or not', () => {
    const base = { token: 't', execute_command: 'true', workdir: '' }
    const ids = ['a', '__proto__', 'a', '__proto__', 'b', 'a']
    const webhooks = ids.map((id, index) => ({ id, ...base, enabled: index % 2 === 0 }))
    expect(problemsIn({ webhooks }).map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'webhooks[2].id: webhooks[0] already has this id',
      'webhooks[3].id: webhooks[1] already has this id',
      'webhooks[5].id: webhooks[0] already has this id',
    ])
  })
})

describe('arguments', () => {
  const problemsOf = (...command_arguments: readonly unknown[]): readonly string[] =>
    settingProblems({ command_arguments }).map((line) => line.replace('command_arguments', ''))

  it('have the documented defaults', () => {
    const { command_arguments } = readWebhook({
      command_arguments: [
        { name: '--image', source: 'data.image' },
        { name: 'fixed', source: '' },
      ],
    })
    expect(command_arguments).toEqual([
      {
        name: '--image',
        source: 'data.image',
        from: { kind: 'body', segments: ['data', 'image'] },
        format: 'separate',
        on_missing: 'error',
        default: undefined,
        pattern: undefined,
        max_length: 65_536,
        allow_dash: false,
      },
      expect.objectContaining({ name: 'fixed', source: '', from: undefined }),
    ])
  })

  it('are read', () => {
    const written = {
      source: 'query:tag',
      format: 'concat',
      on_missing: 'skip',
      default: '',
      max_length: 131_071,
      allow_dash: true,
    }
    const { command_arguments } = readWebhook({ command_arguments: [written] })
    expect(command_arguments).toMatchObject([{ ...written, name: '' }])
  })

  it('have patterns that match the whole value', () => {
    const [argument] = readWebhook({
      command_arguments: [{ source: 'a', pattern: 'a|ab|\\p{Lu}' }],
    }).command_arguments
    const matches = ['a', 'ab', 'Ä', 'abc', 'xa', '', 'a\n'].map((text) =>
      argument?.pattern?.test(text),
    )
    expect(matches).toEqual([true, true, true, false, false, false, false])
  })

  it('are refused if they are empty or invalid', () => {
    expect(problemsOf({}, { name: '', source: '' }, { format: 'equals' })).toEqual([
      '[0] empty',
      '[1] empty',
      '[2] empty',
    ])
    expect(problemsOf('x', null)).toEqual(['[0] wrong_type', '[1] wrong_type'])
    expect(problemsOf({ name: 1 }, { source: 2 }, { name: '', source: 3 })).toEqual([
      '[0].name wrong_type',
      '[1].source wrong_type',
      '[2].source wrong_type',
    ])
    expect(
      problemsOf({
        source: 'a',
        format: 'x',
        on_missing: 'null',
        default: 0,
        pattern: 'a)(b',
        max_length: 131_072,
        allow_dash: 1,
      }),
    ).toEqual([
      '[0].format out_of_range',
      '[0].on_missing out_of_range',
      '[0].default wrong_type',
      '[0].pattern bad_pattern',
      '[0].max_length out_of_range',
      '[0].allow_dash wrong_type',
    ])
  })

  it('do not quote an invalid pattern', () => {
    const [problem] = problemsIn(
      withWebhook({ command_arguments: [{ source: 'a', pattern: 'b: (' }] }),
    )
    expect(problem?.message).toBe('must be a regular expression: missing closing )')
  })
})

describe('a token', () => {
  const withoutToken = (settings: object): object => ({ ...settings, token: undefined })

  it('is not needed if a signature is the only proof, and then no token is accepted', () => {
    const signature = { scheme: 'github', secret: 's' }
    const { token } = readWebhook(withoutToken({ signature }))
    expect(['', 'undefined', 'a-token-that-is-long'].map((one) => token.accepts(one))).toEqual([
      false,
      false,
      false,
    ])
    for (const auth of ['token', 'both', 'either']) {
      expect(settingProblems(withoutToken({ signature, auth }))).toEqual(['token required'])
    }
    expect(settingProblems(withoutToken({}))).toEqual(['token required'])
  })

  it('that stood in an example draws a warning', () => {
    const { warnings } = readConfig(withWebhook({ token: 'not-used-by-github' }))
    expect(warnings).toEqual([expect.stringContaining('is public')])
  })
})

describe('an id', () => {
  it.each(['.', '..', 'a\n', 'x'.repeat(129)])('is not %j', (id) => {
    expect(settingProblems({ id })).toEqual(['id out_of_range'])
    expect(problemsIn(withWebhook({ id }))[0]?.message).toMatch(/^must be a text of at most 128/)
  })
})

describe('variables and files', () => {
  it('are texts or values of a request', () => {
    const { env, files } = readWebhook({
      env: {
        STAGE: 'prod',
        EMPTY: '',
        REF: { source: 'data.ref', default: 'main' },
        NODE_OPTIONS: '-x',
      },
      files: [
        { env: 'CERT', source: 'data.cert', base64: true },
        { env: 'RAW', source: 'body:' },
      ],
    })
    const texts = [...env].map(([name, value]) => [
      name,
      value.kind === 'text' ? value.value.reveal() : value,
    ])
    expect(Object.fromEntries(texts)).toEqual({
      STAGE: 'prod',
      EMPTY: '',
      REF: {
        kind: 'source',
        source: 'data.ref',
        from: { kind: 'body', segments: ['data', 'ref'] },
        default: 'main',
        on_missing: 'error',
        pattern: undefined,
        max_length: undefined,
        allow_dash: true,
      },
      NODE_OPTIONS: '-x',
    })
    const checks = { on_missing: 'error', pattern: undefined, max_length: undefined }
    expect(files).toEqual([
      {
        env: 'CERT',
        source: 'data.cert',
        from: { kind: 'body', segments: ['data', 'cert'] },
        base64: true,
        ...checks,
      },
      { env: 'RAW', source: 'body:', from: { kind: 'raw' }, base64: false, ...checks },
    ])
  })

  it('accept names such as __proto__', () => {
    const env: unknown = JSON.parse('{"__proto__": "a", "constructor": "b", "toString": "c"}')
    expect([...readWebhook({ env }).env.keys()]).toEqual(['__proto__', 'constructor', 'toString'])
    const headers: unknown = JSON.parse('{"__proto__": "a"}')
    expect(Object.entries(readWebhook({ response_headers: headers }).response_headers)).toEqual([
      ['__proto__', 'a'],
    ])
    expect(({} as { a?: unknown }).a).toBeUndefined()
  })

  it('are refused under names that no request may set', () => {
    const names = (
      'PATH HOME LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES GCONV_PATH BASH_ENV ENV IFS PS4 SHELLOPTS ' +
      'NODE_OPTIONS NODE_PATH PYTHONPATH PYTHONSTARTUP PERL5OPT PERL5LIB RUBYOPT JAVA_TOOL_OPTIONS CLASSPATH PHPRC ' +
      'GIT_SSH_COMMAND GIT_SSH GIT_EXEC_PATH GIT_CONFIG_COUNT GIT_DIR SSH_ASKPASS SSH_AUTH_SOCK RSYNC_RSH ' +
      'npm_config_registry NPM_CONFIG_PREFIX PIP_INDEX_URL CARGO_HOME GOFLAGS MAKEFLAGS EDITOR PAGER LESSOPEN DOCKER_HOST ' +
      'KUBECONFIG http_proxy HTTPS_PROXY SSL_CERT_FILE GATEHOUSE_ANYTHING'
    ).split(' ')
    for (const name of names) {
      expect(settingProblems({ env: { [name]: { source: 'a' } } })).toEqual([
        `env.${name} conflict`,
      ])
      expect(settingProblems({ files: [{ env: name, source: 'a' }] })).toEqual([
        'files[0].env conflict',
      ])
      expect(settingProblems({ env: { [name]: 'text' } })).toEqual([])
    }
  })

  it('are accepted under names that direct nothing', () => {
    const names =
      'BRANCH GIT_BRANCH GIT_COMMIT DOCKER_IMAGE NODE_ENV TF_VAR_tag AWS_REGION USERNAME'
    for (const name of names.split(' ')) {
      expect(settingProblems({ env: { [name]: { source: 'data.a' } } })).toEqual([])
    }
  })

  it('are refused under names that the service sets itself', () => {
    for (const name of ['GATEHOUSE_RUN_ID', 'GATEHOUSE_ATTEMPT']) {
      expect(settingProblems({ env: { [name]: 'text' } })).toEqual([`env.${name} conflict`])
    }
  })

  it.each([
    [
      { env: { 'A=B': 'x', 'A\n': 'x', '': 'x' } },
      ['env["A\\n"] out_of_range', 'env["A=B"] out_of_range', 'env[""] out_of_range'],
    ],
    [{ env: { A: 5 } }, ['env.A wrong_type']],
    [{ env: { A: [] } }, ['env.A wrong_type']],
    [{ env: { A: { default: 'x' } } }, ['env.A required']],
    [{ env: { A: { source: '' } } }, ['env.A.source empty']],
    [{ env: { A: { source: 'a.' } } }, ['env.A.source bad_path']],
    [{ env: { A: 'a\0' } }, ['env.A out_of_range']],
    [{ env: { A: '\ud800' } }, ['env.A out_of_range']],
    [{ files: [{}] }, ['files[0].env required', 'files[0].source required']],
    [
      { files: [{ env: 'A=B', source: 'token' }] },
      ['files[0].env out_of_range', 'files[0].source secret_source'],
    ],
    [
      {
        files: [
          { env: 'A', source: 'a' },
          { env: 'A', source: 'b' },
        ],
      },
      ['files conflict'],
    ],
    [{ env: { A: 'x' }, files: [{ env: 'A', source: 'a' }] }, ['files conflict']],
    [
      { response_headers: { 'Content-Length': '1', 'a b': 'c', ok: 'x\ny', X: '1', x: '2' } },
      [
        'response_headers.Content-Length conflict',
        'response_headers["a b"] out_of_range',
        'response_headers.ok out_of_range',
        'response_headers.x conflict',
      ],
    ],
  ])('are refused as %j', (settings, codes) => {
    expect([...settingProblems(settings)].sort()).toEqual([...codes].sort())
  })
})

describe('a hostile configuration', () => {
  it('with keys such as __proto__ is refused like any other', () => {
    const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']
    const members = names.map((name) => `"${name}": {"port": 1}`).join(', ')
    for (const text of [`{${members}}`, `webhooks: []\ndefaults: {${members}}`]) {
      const codes = codesIn(text)
      expect(codes).toHaveLength(names.length)
      expect(codes.every((line) => line.endsWith('unknown_key'))).toBe(true)
    }
    const spread = JSON.parse('{"__proto__": {"port": 1}}')
    expect(codesIn(spread)).toEqual(['__proto__ unknown_key'])
  })

  it('with long or odd keys is shortened in messages', () => {
    const [long, odd] = problemsIn({ ['x'.repeat(100_000)]: 1, '\u001b[31m\n': 1 })
    expect(long?.path).toHaveLength(64 + '[""]'.length + 1)
    expect(long?.message.length).toBeLessThan(100)
    expect(odd).toMatchObject({
      path: '["\\u001b[31m\\n"]',
      message: 'unknown key "\\u001b[31m\\n"',
    })
  })

  it('with thousands of problems is reported completely and fast', () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => [`execute_comman${index}`, 1])
    expect(problemsIn(withWebhook(Object.fromEntries(keys)))).toHaveLength(20_000)
  })

  it('that is empty or not a mapping is refused', () => {
    for (const source of ['', 'null', '- a', 'text', '5', [], new Map()]) {
      expect(codesIn(source)).toEqual([' wrong_type'])
    }
    const circle: Record<string, unknown> = {}
    circle.defaults = circle
    expect(codesIn(circle)).toEqual([' syntax'])
    expect(codesIn({ metrics: 10n, base_path: Symbol('x'), webhooks: new Date(0) })).toEqual([
      'metrics wrong_type',
      'base_path wrong_type',
      'webhooks wrong_type',
    ])
  })
})

describe('response', () => {
  it.each([
    ['json', 'json'],
    ['text', 'text'],
    [{ text: 'OK' }, { text: ['OK'], type: 'text/plain; charset=utf-8' }],
    [{ text: '' }, { text: [] }],
  ])('%j is read', (response, read) => {
    expect(readWebhook({ response, stderr: 'stdout' })).toMatchObject({
      response: read,
      stderr: 'stdout',
    })
  })

  it.each([
    ['xml', 'response out_of_range'],
    [{}, 'response.text required'],
    [{ text: 1 }, 'response.text wrong_type'],
    [{ text: 'a', status: 200 }, 'response.status unknown_key'],
    [true, 'response wrong_type'],
  ])('%j is refused', (response, problem) => {
    expect(settingProblems({ response })).toEqual([problem])
  })

  it('a stream has no fixed text', () => {
    expect(settingProblems({ response: { text: 'OK' }, mode: 'stream' })).toEqual([
      'response conflict',
    ])
  })
})
