import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith, pathOf, webhookBinary } from '../../../test-support/binaries.ts'
import { runCli, runHere } from '../src/main.fixture.ts'
import { launchFile } from './support/api-server.ts'
import { until } from './support/poll.ts'
import { type Server, temporaryFolder } from './support/server.ts'

const script = `#!/bin/sh
echo "argc=$#"
for word in "$@"; do echo "[$word]"; done
echo "ref=\${REF-unset} name=\${HOOK_name-unset} fixed=\${FIXED-unset}" >&2
echo "file=$(cat "\${HOOK_FILE:-/dev/null}")"
exit "\${STATUS:-0}"
`

const github = 'a-secret-of-the-tests'
const key = ['a-key-of-the-tests-with-', '{braces}'].join('$')

const payload = (name: string, more: object = {}) => ({ source: 'payload', name, ...more })
const rule = (source: string, name: string, match: object) => ({
  match: { parameter: { source, name }, ...match },
})
const signed = rule('header', 'X-Hub-Signature-256', {
  type: 'payload-hmac-sha256',
  secret: github,
})

function hooksIn(folder: string): readonly object[] {
  const shown = {
    'execute-command': join(folder, 'show it.sh'),
    'command-working-directory': folder,
    'include-command-output-in-response': true,
    'include-command-output-in-response-on-error': true,
    'pass-arguments-to-command': [
      payload('head.id'),
      { source: 'string', name: 'two words' },
      { source: 'header', name: 'X-A' },
      { source: 'url', name: 'q' },
      payload('list.1.x'),
    ],
    'pass-environment-to-command': [
      payload('ref', { envname: 'REF' }),
      payload('name'),
      payload('status', { envname: 'STATUS' }),
      { source: 'string', envname: 'FIXED', name: '$HOME' },
    ],
    'pass-file-to-command': [payload('file')],
  }
  const main = rule('payload', 'ref', { type: 'regex', regex: '^refs/heads/ma' })
  return [
    { id: 'open', ...shown },
    { id: 'team/signed', ...shown, 'trigger-rule': { and: [signed, main] } },
    { id: 'query', ...shown, 'trigger-rule': rule('url', 'key', { type: 'value', value: key }) },
    {
      id: 'answer',
      'execute-command': '/bin/true',
      'response-message': 'done ✓',
      'success-http-response-code': 201,
      'response-headers': [{ name: 'X-Own', value: 'a' }],
      'http-methods': ['get', 'PUT'],
    },
    {
      id: 'network',
      ...shown,
      'trigger-rule': { match: { type: 'ip-whitelist', 'ip-range': '127.0.0.1/8 ::1/128' } },
    },
    { id: 'never', ...shown, 'trigger-rule': {} },
    { id: 'unknown', ...shown, 'pass-arguments-to-command': [{ source: 'context', name: 'a' }] },
  ]
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

describeWith([webhookBinary], 'hooks of adnanh/webhook', () => {
  let folder: string
  let peer: ChildProcess
  let here: Server
  let there: string
  let imported: Awaited<ReturnType<typeof runCli>>

  beforeAll(async () => {
    folder = await temporaryFolder()
    const program = join(folder, 'show it.sh')
    await writeFile(program, script)
    await chmod(program, 0o755)
    const hooks = join(folder, 'hooks.json')
    await writeFile(hooks, JSON.stringify(hooksIn(folder)))
    imported = await runCli(['import', 'hooks', hooks], folder)
    const settings = 'host: 127.0.0.1\nport: 0\nstorage: { memory: true }\n'
    const config = join(folder, 'config.yaml')
    await writeFile(config, settings + imported.stdout)
    here = await launchFile(config)
    const port = await freePort()
    there = `http://127.0.0.1:${port}`
    const flags = ['-hooks', hooks, '-ip', '127.0.0.1', '-port', `${port}`]
    peer = spawn(pathOf(webhookBinary), flags, { stdio: 'ignore' })
    await until('the peer listens', () =>
      fetch(there).then(
        () => true as const,
        () => undefined,
      ),
    )
  })
  afterAll(async () => {
    peer?.kill()
    await here?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  async function both(path: string, init: RequestInit): Promise<readonly (readonly unknown[])[]> {
    const answers = [there, here.url].map(async (url) => {
      const response = await fetch(`${url}/hooks/${path}`, init)
      return [response.status, await response.text(), response.headers.get('x-own')]
    })
    return Promise.all(answers)
  }

  const json = { 'content-type': 'application/json' }
  const bodies = [
    {},
    { ref: 'refs/heads/main', head: { id: '; id' }, name: 'ä $(id)', file: 'a\nb' },
    { ref: 'refs/heads/main', head: { id: '--flag' }, list: [1, { x: 'y z' }], status: '3' },
    { ref: 'refs/heads/main', head: { id: 7 }, name: '', list: [] },
  ]

  it.each(bodies)('get the same words and variables from %j, and answer the same', async (body) => {
    const text = JSON.stringify(body)
    const signature = `sha256=${createHmac('sha256', github).update(text).digest('hex')}`
    const headers = { ...json, 'x-a': 'b', 'x-hub-signature-256': signature }
    const paths = ['open?q=%26', 'network', `query?key=${encodeURIComponent(key)}`]
    if ('ref' in body) paths.push('team/signed?q=1')
    for (const path of paths) {
      const [old, now] = await both(path, { method: 'POST', headers, body: text })
      expect(now, path).toEqual(old)
      expect(JSON.stringify(now)).toContain('argc=')
    }
  })

  it('answer at once with their text, status and headers, for their methods', async () => {
    for (const method of ['GET', 'PUT']) {
      const [old, now] = await both('answer', { method })
      expect(now).toEqual([201, 'done ✓', 'a'])
      expect(now).toEqual(old)
    }
    const refused = await both('answer', { method: 'POST' })
    expect(refused.map(([status]) => status)).toEqual([405, 405])
  })

  it('run nothing without their proof', async () => {
    const init = { method: 'POST', headers: json, body: '{"ref":"refs/heads/main"}' }
    for (const path of ['team/signed', 'query', 'query?key=x', 'never', 'unknown']) {
      const [, now] = await both(path, init)
      expect(JSON.stringify(now), path).not.toContain('argc=')
    }
  })

  it('are listed if they had no proof, or are disabled', () => {
    expect(imported.exitCode).toBe(1)
    expect(imported.stderr.trim().split('\n')).toEqual([
      'never: disabled, because its empty rule never matched',
      expect.stringMatching(/^unknown: disabled, because the source "context"/),
      'without authentication, every sender may run: open, answer',
      'without authentication, only addresses protect: network',
    ])
    expect(imported.stdout).toMatch(/# every sender could run it.*\n {2}- id: "open"/)
  })

  it('are rendered if they are templates, and say what is wrong with one', async () => {
    const hook = (secret: string) =>
      `[{"id":"a","execute-command":"/bin/true","trigger-rule":{"match":{"type":"payload-hmac-sha256","secret":"${secret}","parameter":{"source":"header","name":"X-Sig"}}}}]`
    await writeFile(join(folder, 'good.json'), hook('{{ getenv "KEY" | js }}'))
    await writeFile(join(folder, 'escaped.json'), hook('{{ getenv \\"KEY\\" | js }}'))
    await writeFile(join(folder, 'mapping.json'), '{}')
    const importing = (...args: string[]) => runHere(['import', 'hooks', ...args], folder)
    const good = await importing('good.json', '--template')
    expect(good).toMatchObject({ exitCode: 0, stderr: '' })
    expect(good.stdout).toContain(`"secret":"${['$', '{env:KEY}'].join('')}"`)
    for (const [args, message] of [
      [['good.json'], 'good.json: is a template; add --template'],
      [['escaped.json', '--template'], 'escaped.json: line 1: a quote between {{ and }}'],
      [['mapping.json'], 'mapping.json: must be a list of hooks'],
      [['none.json'], 'none.json: no such file'],
      [['good.json', '--template', '--header', 'X-A'], '--header X-A: must be name=value'],
    ] as const) {
      const { exitCode, stdout, stderr } = await importing(...args)
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
      expect(stderr).toContain(message)
    }
  })

  it('leave a file that can be loaded, whatever they are', async () => {
    const command = { 'execute-command': '/bin/true' }
    const hostile = [
      { id: 'twice', ...command },
      { id: 'twice', ...command },
      { id: 'a\nb # c', ...command },
      { id: '__proto__', ...command, 'response-headers': [{ name: 'X\r\nY', value: 'z' }] },
      {
        id: 'loader',
        ...command,
        'pass-environment-to-command': [payload('x', { envname: 'LD_PRELOAD' })],
      },
      { id: '' },
      null,
      7,
    ]
    await writeFile(join(folder, 'hostile.json'), JSON.stringify(hostile))
    const { exitCode, stdout, stderr } = await runHere(['import', 'hooks', 'hostile.json'], folder)
    expect(exitCode).toBe(1)
    expect(stderr).toContain('a b # c: disabled, because id must be')
    expect(stderr).toContain('twice: disabled, because another hook has its id')
    await writeFile(join(folder, 'hostile.yaml'), stdout)
    const loaded = await runHere(['check', '--config', 'hostile.yaml'], folder)
    expect(loaded).toMatchObject({ exitCode: 0, stdout: 'hostile.yaml is good: 1 webhook\n' })

    await writeFile(join(folder, 'none.json'), '[{}]')
    const { stdout: empty } = await runHere(['import', 'hooks', 'none.json'], folder)
    await writeFile(join(folder, 'none.yaml'), empty)
    expect(await runHere(['check', '--config', 'none.yaml'], folder)).toMatchObject({ exitCode: 0 })
  })
})
