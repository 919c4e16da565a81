import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CaptureServer, captureServer } from '../../../core/src/http/capture-server.fixture.ts'
import { type Ended, runCli, runHere } from '../main.fixture.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A server that answers each path with the status named in it. */
const startHook = (): Promise<CaptureServer> =>
  captureServer(({ path }) => ({
    status: Number(/\d{3}/.exec(path)?.[0] ?? 200),
    body: `\x1b[31mwhy ${path}\n`,
  }))

function test(config: object, ...flags: readonly string[]): Promise<Ended> {
  return testBy(runHere, config, ...flags)
}

function testBy(
  run: (args: readonly string[], folder: string) => Promise<Ended>,
  config: object,
  ...flags: readonly string[]
): Promise<Ended> {
  writeFileSync(join(folder, 'alertmanager.yml'), JSON.stringify(config))
  return run(['receiver', 'test', ...flags], folder)
}

const configOf = (...receivers: readonly object[]): object => ({
  route: { receiver: 'team', group_by: ['alertname', 'zone'] },
  receivers: [{ name: 'team', ...receivers[0] }, ...receivers.slice(1)],
})

describe('gatehouse receiver test', () => {
  it('sends one notification about the alert that the flags describe, and exits with 0', async () => {
    const hook = await startHook()
    const { exitCode, stdout, stderr } = await testBy(
      runCli,
      configOf({ webhook_configs: [{ url: `${hook.url}/hook` }] }),
      '--label=zone=eu=1',
      '--label',
      'disk=a',
      '--annotation=summary=It is full',
      '--web-external-url=http://am.example.org/x',
    )
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^team \(webhook\/0\): sent in \d+ ms\n$/)
    expect(exitCode).toBe(0)
    expect(JSON.parse(hook.requests[0]?.body ?? '')).toMatchObject({
      status: 'firing',
      groupLabels: { alertname: 'TestAlert', zone: 'eu=1' },
      commonLabels: { alertname: 'TestAlert', disk: 'a', zone: 'eu=1' },
      commonAnnotations: { summary: 'It is full' },
      externalURL: 'http://am.example.org/x',
    })
  })

  it('prints a line for each integration, and exits with 1 if one failed', async () => {
    const { url } = await startHook()
    const { exitCode, stdout } = await test(
      configOf({
        webhook_configs: [200, 400, 500].map((status) => ({ url: `${url}/s3cr3t${status}` })),
        slack_configs: [{ api_url: `${url}/s3cr3t`, channel: '#c' }],
      }),
      '--resolved',
    )
    const status = (code: number): string => `unexpected status code ${code}: [31mwhy <secret>`
    expect(stdout.replace(/ \d+ ms/, ' N ms').split('\n')).toEqual([
      'team (webhook/0): sent in N ms',
      `team (webhook/1): failed: clientError: ${status(400)}`,
      `team (webhook/2): failed, would be retried: serverError: ${status(500)}`,
      'team (slack/0): not sent: send_resolved is false, and all alerts are resolved',
      '',
    ])
    expect(exitCode).toBe(1)
  })

  it('sends only to named receivers, and sends nothing at all if a name is unknown', async () => {
    const hook = await startHook()
    const webhook_configs = [{ url: `${hook.url}/` }]
    const config = configOf({ webhook_configs }, { name: 'other', webhook_configs })
    expect(await test(config)).toMatchObject({
      exitCode: 2,
      stderr: 'name the receivers to send to with --receiver: team, other\n',
    })
    expect(await test(config, '--receiver=team', '--receiver=nobody')).toMatchObject({
      exitCode: 2,
      stderr: 'no receiver is named "nobody": the receivers are team, other\n',
    })
    expect(hook.requests).toEqual([])
    expect(await test(config, '--receiver=other')).toMatchObject({ exitCode: 0 })
  })

  it('with --dry-run sends nothing, and prints for all receivers what would be sent, without secrets', async () => {
    const hook = await startHook()
    const { exitCode, stdout } = await test(
      configOf(
        {
          webhook_configs: [{ url: `${hook.url}/s3cr3t` }],
          email_configs: [
            {
              to: 'a@b.c',
              from: 'd@e.f',
              smarthost: 'h:25',
              auth_password: 's3cr3t',
              text: 'plain',
              html: '',
            },
          ],
        },
        { name: 'other', pagerduty_configs: [{ routing_key: 's3cr3t', url: hook.url }] },
        { name: 'empty' },
      ),
      '--dry-run',
    )
    const lines = stdout.split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'team (webhook/0):',
        `POST ${hook.url}/<secret>`,
        'content-type: application/json',
        'team (email/0):',
        'RCPT TO:<a@b.c>',
        'Subject: [FIRING:1] TestAlert ',
        '--- text/plain',
        'plain',
        'other (pagerduty/0):',
        expect.stringMatching(/^\{"routing_key":"<secret>"/),
        'empty: has no integrations',
      ]),
    )
    expect(stdout).not.toContain('s3cr3t')
    expect(exitCode).toBe(0)
    expect(hook.requests).toEqual([])
  })

  it('with --dry-run exits with 1 if something cannot be rendered', async () => {
    const broken = { webhook_configs: [{ url: 'http://h/', payload: { a: '{{ .Nope }}' } }] }
    const { exitCode, stdout } = await test(configOf(broken), '--dry-run')
    expect(stdout).toMatch(/^team \(webhook\/0\): failed: template: .*can't evaluate field Nope/)
    expect(exitCode).toBe(1)
  })

  it('exits with 1 if a receiver has no integrations', async () => {
    expect(await test(configOf())).toEqual({
      exitCode: 1,
      stdout: 'team: has no integrations\n',
      stderr: '',
    })
  })

  it.each(['x', '=x'])('refuses --label=%s', async (label) => {
    const { exitCode, stderr } = await test(configOf(), `--label=${label}`)
    expect(stderr).toContain(`"${label}" is not name=value`)
    expect(exitCode).toBe(2)
  })

  it('prints every problem of the configuration with its place', async () => {
    const { exitCode, stderr } = await test({ route: { receiver: 'x' }, bogus: 1 })
    expect(stderr).toContain('alertmanager.yml:1:')
    expect(exitCode).toBe(2)
  })
})
