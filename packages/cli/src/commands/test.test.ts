import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Ended, runCli, runHere } from '../main.fixture.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  for (const [name, text] of Object.entries(documented())) write(name, text)
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)

const guide = readFileSync(new URL('../../../../docs/alerts-config.md', import.meta.url), 'utf8')
const section = guide.split('\n## Tests of a configuration\n')[1]?.split('\n## ')[0] ?? ''

/** The files of the example in the documentation, by the names in their first lines. */
function documented(): Record<string, string> {
  const blocks = section.matchAll(/```yaml\n(# (\S+)\n[^`]*)```/g)
  return Object.fromEntries([...blocks].map(([, text = '', name = '']) => [name, text]))
}

const run = (...args: readonly string[]): Promise<Ended> => runHere(['test', ...args], folder)

describe('gatehouse test', () => {
  it('runs the example of the documentation', async () => {
    const { exitCode, stdout, stderr } = await runCli(['test', 'routes.test.yml'], folder)
    expect(stderr).toBe('')
    expect(stdout).toBe('Unit Testing:  routes.test.yml\n  SUCCESS: 3 tests\n\n')
    expect(exitCode).toBe(0)
  })

  it('prints what the documentation shows of a failed test', async () => {
    const { 'routes.test.yml': text = '' } = documented()
    write('routes.test.yml', text.replace('group_wait: 10s', 'group_wait: 30s'))
    const [, shown] = /```text\n(.*?)```/s.exec(section) ?? []
    expect((await run('routes.test.yml')).stdout).toBe(`${shown}\n`)
  })

  it('prints the difference of what was expected and what came, and exits with 1', async () => {
    write(
      'bad.test.yml',
      `config: alertmanager.yml
tests:
- name: the team is told of everything
  labels: { alertname: DiskFull, team: storage, severity: critical }
  routes:
  - { receiver: everyone, group_labels: { alertname: DiskFull } }
- name: only once
  steps: [{ fire: [{ alertname: A }] }]
  until: 5h
  notifications:
  - { at: 30s, receiver: everyone, firing: [{ alertname: A }] }
`,
    )
    const { exitCode, stdout } = await run('bad.test.yml')
    expect(stdout).toBe(`Unit Testing:  bad.test.yml
  FAILED: 2 of 2 tests (- expected, + got)
    bad.test.yml:3: the team is told of everything
      - receiver: everyone, group_labels: {"alertname":"DiskFull"}
      + receiver: storage-pager, group_labels: {"alertname":"DiskFull"}
    bad.test.yml:7: only once
        at: 30s, receiver: everyone, firing: [{"alertname":"A"}]
      + at: 4h5m30s, receiver: everyone, firing: [{"alertname":"A"}]

`)
    expect(exitCode).toBe(1)
    const json = await run('bad.test.yml', 'routes.test.yml', '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({
      passed: false,
      files: [
        {
          file: 'bad.test.yml',
          tests: [
            { line: 3, passed: false, got: [{ receiver: 'storage-pager' }] },
            { passed: false, expected: [{ at: '30s' }], got: [{ at: '30s' }, { at: '4h5m30s' }] },
          ],
        },
        { file: 'routes.test.yml', tests: [{ passed: true }, { passed: true }, { passed: true }] },
      ],
    })
    expect(json.exitCode).toBe(1)
  })

  it('follows silences, resolved alerts and the mute times of routes', async () => {
    write(
      'more.test.yml',
      `config: alertmanager.yml
tests:
- name: a silenced alert is sent when the silence has ended
  steps:
  - { silence: ['alertname="A"'], for: 10m }
  - { at: 1m, fire: [{ alertname: A }] }
  - { at: 20m, resolve: [{ alertname: A }] }
  until: 1h
  notifications:
  - { at: 11m30s, receiver: everyone, firing: [{ alertname: A }], resolved: [] }
  - { at: 21m30s, receiver: everyone, firing: [], resolved: [{ alertname: A }] }
`,
    )
    expect((await run('more.test.yml')).stdout).toContain('SUCCESS: 1 test\n')
  })

  it('exits with 2 for a file that is not good, with the place of every problem', async () => {
    write(
      'wrong.test.yml',
      `config: alertmanager.yml
tests:
- { name: a, labels: {}, until: 1h }
- { name: b, labels: {} }
- { name: c, time: noon, labels: {}, routes: [{ receiver: a, group_wait: 1 }] }
`,
    )
    const { exitCode, stdout, stderr } = await run('wrong.test.yml')
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(
      stderr,
    ).toBe(`wrong.test.yml:3:3 tests[0]: needs either labels and routes, or steps, until and notifications
wrong.test.yml:4:3 tests[1].routes: is missing
wrong.test.yml:5:20 tests[2].time: must be an instant such as 2026-01-05T10:00:00Z
wrong.test.yml:5:74 tests[2].routes[0].group_wait: must be a duration with a unit, such as 90s
`)
    expect((await run('none.yml')).exitCode).toBe(2)
  })

  it('reads the parts of a file of gatehouse api, without its secrets', async () => {
    write(
      'config.yaml',
      `storage: { postgres: "\${env:GATEHOUSE_TEST_NOT_SET}" }
alerts:
  config: alertmanager.yml
  config_parts: [{ files: [team.yml], matchers: ['team="db"'] }]
`,
    )
    write(
      'team.yml',
      `route: { receiver: db, group_wait: 5s }
receivers: [{ name: db, pagerduty_configs: [{ routing_key: "\${env:GATEHOUSE_TEST_NOT_SET}" }] }]
`,
    )
    write(
      'parts.test.yml',
      `config: config.yaml
tests:
- { name: db, labels: { team: db }, routes: [{ receiver: db, group_wait: 5s }] }
`,
    )
    const { exitCode, stderr } = await run('parts.test.yml')
    expect([stderr, exitCode]).toEqual(['', 0])
  })
})
