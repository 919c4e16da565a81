import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Ended, runCli, runHere, serveCli } from '../main.fixture.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-init-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Asks for what `--yes` does not answer. */
const init = (args: readonly string[], answers: readonly string[] = []): Promise<Ended> =>
  args.includes('--yes')
    ? runHere(['init', ...args], folder)
    : runCli(['init', ...args], folder, answers.map((answer) => `${answer}\n`).join(''))

const read = (name: string): string => readFileSync(join(folder, name), 'utf8')

const check = async (name = 'config.yaml'): Promise<unknown> =>
  JSON.parse((await runHere(['check', '--config', name, '--json'], folder)).stdout)

const good = { good: true, problems: [], warnings: [] }

describe('gatehouse init', () => {
  it('asks, and writes a configuration that passes the check and serves', async () => {
    const { exitCode, stdout, stderr } = await init(
      [],
      [
        'alerts webhooks',
        'nowhere',
        '127.0.0.1:0',
        '',
        'slack',
        'https://hooks.example/s3cr3t',
        '',
        '',
      ],
    )
    expect(stderr).toContain('Address, or :PORT for every address [127.0.0.1:9093]: ')
    expect(stderr).toContain('  address nowhere: missing port in address\n')
    expect(exitCode).toBe(0)
    expect(stdout).toContain(
      'Wrote config.yaml, alertmanager.yml, secrets/hello-token, secrets/slack-url.',
    )
    expect(stdout).toContain('gatehouse api --config config.yaml')
    expect(await check()).toEqual(good)
    expect(read('config.yaml') + read('alertmanager.yml') + stdout).not.toContain('s3cr3t')
    expect(read('alertmanager.yml')).toContain(`api_url: "\${file:secrets/slack-url}"`)
    const token = read('secrets/hello-token').trim()
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(statSync(join(folder, 'secrets/hello-token')).mode & 0o777).toBe(0o600)

    const server = await serveCli(['api', '--config', 'config.yaml'], folder)
    const post = (authorization: string): Promise<Response> =>
      fetch(`${server.url}/webhook/hello`, { method: 'POST', headers: { authorization } })
    try {
      expect((await fetch(`${server.url}/api/v2/alerts`)).status).toBe(200)
      expect((await post('Bearer wrong')).status).toBe(401)
      expect(await (await post(`Bearer ${token}`)).json()).toMatchObject({ stdout: 'Hello\n' })
    } finally {
      server.signal('SIGTERM')
      expect((await server.ended).exitCode).toBe(0)
    }
  })

  it('sets up the sign-in, for development or with mails for the public', async () => {
    const services = ['--yes', '--services', 'sign-in', '--listen', '127.0.0.1:0']
    expect((await init([...services, 'dev'])).exitCode).toBe(0)
    expect(await check('dev/config.yaml')).toEqual(good)
    const mail = ['--smtp', 'smtp.example.com:465', '--smtp-from', 'no-reply@example.com']
    const login = ['--smtp-username', 'ann', '--smtp-password', 'hunter2: #']
    const origin = ['--public-origin', 'https://auth.example.com']
    expect((await init([...services, ...origin, ...mail, ...login, 'public'])).exitCode).toBe(0)
    expect(await check('public/config.yaml')).toEqual(good)
    expect(read('public/secrets/smtp-password')).toBe('hunter2: #\n')
    expect(read('public/config.yaml')).not.toContain('dev:')
    expect(read('dev/auth.key')).not.toBe(read('public/auth.key'))
    const server = await serveCli(['api', '--config', 'dev/config.yaml'], folder)
    try {
      const answer = await fetch(`${server.url}/api/v1/authentication_flows`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"type": "signup", "name": "default"}',
      })
      expect(await answer.json()).toMatchObject({ result: { action: { type: 'identify' } } })
    } finally {
      server.signal('SIGTERM')
      await server.ended
    }
  })

  it('takes all answers from flags, and prints the files as JSON', async () => {
    const { exitCode, stdout, stderr } = await init([
      ...'--yes --json --services alerts --receiver email --email-to team@example.com'.split(' '),
      ...'--smtp smtp.example.com --smtp-from alerts@example.com --storage memory'.split(' '),
    ])
    expect([exitCode, stderr]).toEqual([0, ''])
    const files = ['config.yaml', 'alertmanager.yml']
    expect(JSON.parse(stdout)).toEqual({ config: 'config.yaml', files, problems: [] })
    expect(read('alertmanager.yml')).toContain('smtp_smarthost: "smtp.example.com:587"')
    expect(await check()).toEqual(good)
  })

  it('keeps references, and says what they miss', async () => {
    const args =
      '--yes --services alerts --receiver webhook --storage postgres://u:p4ss@db/x'.split(' ')
    const missing = await init([...args, '--receiver-url', `\${env:GATEHOUSE_TEST_NOT_SET}`])
    expect(missing.exitCode).toBe(1)
    expect(missing.stderr).toMatch(
      /^before it starts: .*the variable "GATEHOUSE_TEST_NOT_SET" is not set\n$/,
    )
    expect(read('alertmanager.yml')).toContain(`url: "\${env:GATEHOUSE_TEST_NOT_SET}"`)
    expect(read('config.yaml')).toContain('postgres_file: secrets/postgres-url')
    expect(read('config.yaml')).not.toContain('p4ss')
  })

  it('replaces files with --force alone, and never a generated secret', async () => {
    writeFileSync(join(folder, 'alertmanager.yml'), 'mine')
    const refused = await init(['--yes'])
    expect([refused.exitCode, refused.stdout]).toEqual([2, ''])
    expect(refused.stderr).toBe(
      'alertmanager.yml exists: replace with --force, or name another folder\n',
    )
    expect(existsSync(join(folder, 'config.yaml'))).toBe(false)
    expect((await init(['--yes', '--force'])).exitCode).toBe(0)
    const token = read('secrets/hello-token')
    expect((await init(['--yes', '--force', '--storage', 'memory'])).exitCode).toBe(0)
    expect(read('secrets/hello-token')).toBe(token)
    expect(read('config.yaml')).toContain('memory: true')
    // It asks nothing before.
    expect((await init([])).stderr).toContain('config.yaml exists')
  })

  it('says that a folder cannot be made', async () => {
    const { exitCode, stderr } = await init(['--yes', '/proc/none/here'])
    expect([exitCode, stderr]).toEqual([
      2,
      '/proc/none/here/config.yaml: no such file or directory\n',
    ])
  })

  it('names the flag of a missing or wrong answer, and writes nothing', async () => {
    const closed = await init([], ['alerts'])
    expect(closed.exitCode).toBe(2)
    expect(closed.stderr).toContain('answer it with --listen, take the defaults with --yes')
    const needed = await init(['--yes', '--receiver', 'slack'])
    expect([needed.exitCode, needed.stderr]).toEqual([
      2,
      '--receiver-url is needed: URL of the Slack webhook\n',
    ])
    const wrong = await init(['--yes', '--webhook-id', '../x'])
    expect(wrong.stderr).toBe('--webhook-id: expected letters, digits, dashes and underscores\n')
    expect(existsSync(join(folder, 'config.yaml'))).toBe(false)
  })
})
