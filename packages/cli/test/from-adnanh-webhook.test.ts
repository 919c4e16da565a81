import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeWith, pathOf, webhookBinary } from '../../../test-support/binaries.ts'
import { type BothPrograms, type Sent, seenBy, startBoth } from './support/both-programs.ts'
import { type HookCase, properties, rules, secret, values } from './support/hook-cases.ts'
import { until } from './support/poll.ts'

const page = readFileSync(new URL('../../../docs/from-adnanh-webhook.md', import.meta.url), 'utf8')

/** The names in the first column of the table below a heading. */
function rowsBelow(heading: string): readonly string[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const [table = ''] = section.split('\n## ')
  return [...table.matchAll(/^\| (?!-)(.*?) \|/gm)]
    .slice(1)
    .flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', '))
}

const cases: readonly HookCase[] = [...properties, ...rules, ...values]

const hooks = cases.map(({ hook = {} }, index) => {
  const { id = `hook-${index}` } = hook as { readonly id?: string }
  return {
    id,
    'execute-command': `PROBE/run-${id.split('/').at(-1)}`,
    'command-working-directory': 'PROBE',
    'include-command-output-in-response': true,
    'include-command-output-in-response-on-error': true,
    ...hook,
  }
})

const runsOf = ({ runs = true, differs }: HookCase) => ({
  there: differs?.there.runs ?? runs,
  here: differs?.here.runs ?? runs,
})

describe('the page about adnanh/webhook', () => {
  it.each([
    ['Properties', properties],
    ['Rules', rules],
    ['Request values', values],
  ] as const)('has the rows of %s that are tested, and no other', (heading, tested) => {
    const rows = [...new Set(tested.flatMap((one) => one.rows))]
    expect(rowsBelow(heading).toSorted()).toEqual(rows.toSorted())
  })
})

/** Keys that do not stand in a hook itself, but in its rules, parameters and headers. */
const innerKeys = [
  ...['and', 'or', 'not', 'match', 'type', 'regex', 'secret', 'value', 'parameter', 'ip-range'],
  ...['source', 'name', 'envname'],
]

describeWith([webhookBinary], 'a hook of adnanh/webhook', () => {
  it('has no key without a row on the page', () => {
    // Go programs contain the names by which they read JSON.
    const program = readFileSync(pathOf(webhookBinary), 'latin1')
    const keys = new Set([...program.matchAll(/json:"([a-z-]+)[",]/g)].map(([, key]) => key))
    const tested = rowsBelow('Properties').filter((row) => row !== 'any other key')
    expect([...keys].toSorted()).toEqual([...new Set([...tested, ...innerKeys])].toSorted())
  })

  let both: BothPrograms
  beforeAll(async () => {
    const files = { 'hooks.json': JSON.stringify(hooks) }
    both = await startBoth({ files, variables: { INHERITED: 'by all' } })
  })
  afterAll(() => both?.stop())

  it.each(
    cases.map(
      (one, index) => [one.rows.join(', '), JSON.stringify(one.sent ?? {}), one, index] as const,
    ),
  )('%s: gets %s as before', async (_row, _sent, one, index) => {
    const runs = runsOf(one)
    const { there, here } = await both.send(`/hooks/${hooks[index]?.id}`, one.sent ?? {}, runs)
    if (one.differs === undefined) {
      // Nothing ran: both say so in words of their own.
      if (!runs.here) return expect(here.status).toBe(there.status)
      expect(seenBy(here)).toEqual(seenBy(there))
      expect(here.given).toEqual(there.given)
      expect(here.given?.env).toMatchObject({ INHERITED: 'by all' })
      return
    }
    for (const [done, expected] of [
      [there, one.differs.there],
      [here, one.differs.here],
    ] as const) {
      expect(done.status).toBe(expected.status)
      if (expected.text !== undefined) expect(done.body).toContain(expected.text)
      if (expected.args !== undefined) expect(done.given?.args).toEqual(expected.args)
    }
  })

  it('runs nothing else', () => {
    for (const side of ['there', 'here'] as const) {
      expect(both.runs()[side]).toBe(cases.filter((one) => runsOf(one)[side]).length)
    }
  })
})

const flags = {
  served: ['-hooks', '-ip', '-port', '-urlprefix', '-template', '-http-methods', '-header'],
  logged: ['-verbose', '-debug', '-logfile', '-x-request-id'],
  reloaded: ['-hotreload'],
  encrypted: ['-secure', '-cert', '-key', '-tls-min-version'],
  empty: ['-nopanic'],
  printed: ['-version', '-list-cipher-suites'],
  none: [
    '-cipher-suites',
    '-pidfile',
    '-setuid',
    '-setgid',
    '-max-multipart-mem',
    '-x-request-id-limit',
  ],
}

describeWith([webhookBinary], 'a flag of adnanh/webhook', () => {
  it('has a row on the page', () => {
    const tested = Object.values(flags).flat()
    const help = execFileSync('sh', ['-c', `"${pathOf(webhookBinary)}" -help 2>&1 || true`])
    const all = [...String(help).matchAll(/^ {2}(-[\w-]+)/gm)].map(([, name]) => name)
    expect(tested.toSorted()).toEqual(all.toSorted())
    expect(rowsBelow('Flags').toSorted()).toEqual(tested.toSorted())
  })

  describe('about what is served', () => {
    let both: BothPrograms
    const hook = (id: string, more: object): object => ({
      id,
      'execute-command': `PROBE/run-${id}`,
      'include-command-output-in-response': true,
      ...more,
    })
    const parameter = { source: 'header', name: 'X-Key' }
    // As webhook -template needs it: quotes inside of a text.
    const value = '{{ getenv "KEY" | js }}'
    const keyed = { 'trigger-rule': { match: { type: 'value', value: 'KEY', parameter } } }
    beforeAll(async () => {
      both = await startBoth({
        files: {
          'hooks-a.json': JSON.stringify([hook('first', keyed)]).replace('"KEY"', `"${value}"`),
          'hooks-b.yaml': JSON.stringify([
            hook('second', { 'response-headers': [{ name: 'X-Own', value: 'b' }] }),
          ]),
        },
        flags: [
          ...[
            '-template',
            '-urlprefix',
            'in/here',
            '-http-methods',
            'put,GET',
            '-header',
            'X-Own=a',
          ],
          ...[
            '-header',
            'X-All=yes',
            '-hotreload',
            '-verbose',
            '-debug',
            '-logfile',
            'PROBE/log',
            '-x-request-id',
          ],
        ],
        importFlags: [
          ...['--template', '--urlprefix', 'in/here', '--http-methods', 'put,GET'],
          ...['--header', 'X-Own=a', 'X-All=yes'],
        ],
        settings: 'watch: true\nlog: { level: debug }\n',
        variables: { KEY: secret },
      })
    })
    afterAll(() => both?.stop())

    const put = (more: Sent = {}): Sent => ({ method: 'PUT', ...more })
    const runs = { there: true, here: true }
    const nothing = { there: false, here: false }

    it('serves the hooks of several files, of which each is a template', async () => {
      const first = await both.send('/in/here/first', put({ headers: { 'x-key': secret } }), runs)
      expect(seenBy(first.here)).toEqual(seenBy(first.there))
      // What a reference reads is withheld from commands.
      expect(first.there.given?.env).toMatchObject({ KEY: secret })
      expect(first.here.given?.env).not.toHaveProperty('KEY')
      const refused = await both.send('/in/here/first', put({ headers: { 'x-key': 'x' } }), nothing)
      expect([refused.there.status, refused.here.status]).toEqual([200, 401])
    })

    it('has methods and headers for all hooks, below a prefix', async () => {
      const { there, here } = await both.send('/in/here/second', put(), runs)
      expect(seenBy(here)).toEqual(seenBy(there))
      expect(here).toMatchObject({ status: 200, headers: { 'x-own': 'b', 'x-all': 'yes' } })
      const posted = await both.send('/in/here/second', {}, nothing)
      expect([posted.there.status, posted.here.status]).toEqual([405, 405])
      const elsewhere = await both.send('/hooks/second', put(), nothing)
      expect([elsewhere.there.status, elsewhere.here.status]).toEqual([404, 404])
    })

    it('logs with the id that the request has', async () => {
      await both.send('/in/here/second', put({ headers: { 'x-request-id': 'from-a-test' } }), runs)
      const log = await until('the log has it', () => {
        const text = readFileSync(join(both.folder, 'log'), 'utf8')
        return text.includes('[from-a-test]') ? text : undefined
      })
      expect(log).toContain('second')
      await until(
        'our log has it',
        () => both.log().includes('request_id=from-a-test') || undefined,
      )
    })

    it('serves a file that changes', async () => {
      const changed = [
        hook('third', { 'response-message': 'new', 'include-command-output-in-response': false }),
      ]
      writeFileSync(
        join(both.folder, 'hooks-b.yaml'),
        JSON.stringify(changed).replaceAll('PROBE', both.folder),
      )
      const text = readFileSync(join(both.folder, 'config.yaml'), 'utf8')
      writeFileSync(join(both.folder, 'config.yaml'), text.replaceAll('second', 'third'))
      await until('both serve it', async () => {
        const { there, here } = await both.send('/in/here/third', { method: 'POST' }, nothing)
        return there.status === 405 && here.status === 405 ? true : undefined
      })
    })
  })

  it('about TLS serves the same certificate, and no older version', async () => {
    const both = await startBoth({
      files: {
        ...certificate(),
        'hooks.json': '[{"id":"a","execute-command":"/bin/true","response-message":"ok"}]',
      },
      flags: [
        '-secure',
        '-cert',
        'PROBE/cert.pem',
        '-key',
        'PROBE/key.pem',
        '-tls-min-version',
        '1.3',
      ],
      settings: 'tls: { cert: PROBE/cert.pem, key: PROBE/key.pem, min_version: "1.3" }\n',
      isSecure: true,
    })
    try {
      const { there, here } = await both.send('/hooks/a', {}, { there: false, here: false })
      expect(seenBy(here)).toEqual({ ...seenBy(there), status: 200, body: 'ok' })
      const old: Sent = { tlsVersion: 'TLSv1.2' }
      await expect(both.send('/hooks/a', old, { there: false, here: false })).rejects.toThrow(
        /alert|version/i,
      )
    } finally {
      await both.stop()
    }
  })

  it('about files without hooks starts without one', async () => {
    const both = await startBoth({ files: { 'hooks.json': '[]' }, flags: ['-nopanic'] })
    try {
      const { there, here } = await both.send('/hooks/a', {}, { there: false, here: false })
      expect([there.status, here.status]).toEqual([404, 404])
    } finally {
      await both.stop()
    }
  })

  it('that prints something has a command, or is for Node.js', () => {
    expect(String(execFileSync(pathOf(webhookBinary), ['-version']))).toMatch(/^webhook version \d/)
    expect(String(execFileSync(pathOf(webhookBinary), ['-list-cipher-suites']))).toContain('TLS_')
  })

  it.each(flags.none)('%s has no counterpart', (flag) => {
    const [row = ''] = page.split('\n').filter((line) => line.startsWith(`| \`${flag}\``))
    expect(row).toMatch(/\| no: |systemd/)
  })
})

/** A certificate for this machine, made for one test. */
function certificate(): Readonly<Record<string, string>> {
  const made = execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-subj',
      '/CN=hooks',
      '-days',
      '2',
      '-keyout',
      '-',
      '-out',
      '-',
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const [key = ''] =
    /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----\n/.exec(made) ?? []
  const [cert = ''] =
    /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----\n/.exec(made) ?? []
  return { 'key.pem': key, 'cert.pem': cert }
}
