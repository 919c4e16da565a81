import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { alertsCollections } from '@gatehouse/core/alerts'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Ended, runCli, runHere } from './main.fixture.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  const route = 'route: { receiver: a }\nreceivers: [{ name: a }]\n'
  writeFileSync(join(folder, 'good.yml'), route)
  writeFileSync(join(folder, 'moved.yml'), route.replaceAll(' a }', ' b }'))
  writeFileSync(join(folder, 'bad.yml'), 'route: { receiver: nobody }\n')
  writeFileSync(join(folder, 'alerts.json'), '[{ "labels": { "alertname": "x" } }]')
  writeFileSync(
    join(folder, 'config.yaml'),
    'storage: { sqlite: a.db }\nalerts: { config: good.yml }\n',
  )
  const test =
    'config: good.yml\ntests: [{ name: x, labels: { alertname: x }, routes: [{ receiver: a }] }]\n'
  writeFileSync(join(folder, 'good.test.yml'), test)
  writeFileSync(join(folder, 'failing.test.yml'), test.replace('receiver: a', 'receiver: b'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const exitCode = async (
  line: string,
  run: (args: readonly string[], cwd: string) => Promise<Ended> = runHere,
): Promise<number | null> => (await run(line.split(' '), folder)).exitCode

/** Runs the first line with the built command, and the others in this process, as there are many. */
const expectCodes = async (code: number, lines: readonly string[]): Promise<void> => {
  const found = await Promise.all(
    lines.map(
      async (line, index) => [line, await exitCode(line, index === 0 ? runCli : runHere)] as const,
    ),
  )
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(lines.map((line) => [line, code] as const)),
  )
}

/** Each command, such as `storage backup`, with the words that may follow it. */
async function placesOfCompletion(): Promise<readonly { place: string; words: string[] }[]> {
  const { stdout } = await runHere(['completion', 'bash'], folder)
  return [...stdout.matchAll(/^ +"( [^"-][^"]*)"\) words="([^"]*)"/gm)].map(
    ([, place = '', words = '']) => ({ place: place.trim(), words: words.split(' ') }),
  )
}

/** A database with a record that cannot be read. */
async function writeBrokenDatabase(): Promise<void> {
  const storage = createSqliteStorage({ filename: join(folder, 'broken.db') })
  const alerts = alertsCollections.find(({ name }) => name === 'alerts')
  if (alerts === undefined) throw new Error('there is no such collection')
  const value = { labels: {}, annotations: {}, startsAt: 0, endsAt: 1e18, updatedAt: 0 }
  await storage.commit([{ collection: alerts, id: 'bad', value }])
  await storage.close()
}

/** The commands that a line of the documentation names. */
const namedIn = (isLine: (line: string) => boolean): readonly string[] => {
  const page = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8')
  const line = page.split('\n').find(isLine) ?? ''
  return [...line.matchAll(/`([a-z][a-z -]*)`/g)].map(([, name = '']) => name).toSorted()
}

const prometheus = ['alertmanager', 'check-config', 'template']

describe('a command', () => {
  it('exits with 0 after it did its work with good news', () =>
    expectCodes(0, [
      '--version',
      '--help',
      'hash x',
      'check --config config.yaml',
      'check-config good.yml',
      'diff good.yml good.yml --alerts alerts.json',
      'test good.test.yml',
      'template render --template.text=x',
      'storage sql',
    ]))

  it('exits with 1 after it did its work with bad news, if the documentation names it', async () => {
    await writeBrokenDatabase()
    writeFileSync(join(folder, 'users.json'), '[{ "email": "not an address" }]')
    writeFileSync(join(folder, 'hooks.json'), '[{ "id": "without-a-command" }]')
    const clients = 'oauth: { clients: [{ client_id: a, redirect_uris: [/x] }] }'
    const document = `id: a\nhttp: { public_origin: 'https://a.example.com' }\n${clients}\n`
    writeFileSync(join(folder, 'authgear.yaml'), document)
    await expectCodes(0, ['init sign-in --yes --services sign-in'])
    mkdirSync(join(folder, 'old'))
    // A silence with the id `none`, kept until 2100, and without matchers.
    writeFileSync(
      join(folder, 'old/silences'),
      Buffer.from('100a060a046e6f6e6512060880ae99a40f', 'hex'),
    )
    const badNews = {
      diff: 'diff good.yml moved.yml --alerts alerts.json',
      'import alertmanager': 'import alertmanager old --sqlite new.db',
      'import clients': 'import clients authgear.yaml',
      'import hooks': 'import hooks hooks.json',
      'import users': 'import users users.json --from gatehouse --config sign-in/config.yaml',
      init: `init alerts --yes --services alerts --receiver webhook --receiver-url \${env:NOT_SET}`,
      'receiver test': 'receiver test --config-file good.yml',
      'storage check-records': 'storage check-records --sqlite broken.db',
      'storage verify': 'storage verify --sqlite broken.db',
      test: 'test failing.test.yml',
      'webhook test': 'webhook test unknown --config config.yaml',
    }
    await expectCodes(1, [...Object.values(badNews), 'check-config bad.yml'])
    expect(namedIn((line) => line.startsWith('| 1 |'))).toEqual(Object.keys(badNews))
    expect(namedIn((line) => line.includes('stand in for programs of Prometheus'))).toEqual(
      prometheus,
    )
  })

  it('exits with 2 if a file, a storage or a server cannot be used', () =>
    expectCodes(2, [
      'api --config none.yaml',
      'auth preview --config none.yaml',
      'auth preview --config config.yaml',
      'check --config bad.yml',
      'diff bad.yml good.yml --alerts alerts.json',
      'diff good.yml good.yml --url http://127.0.0.1:1',
      'explain alertname=x --url http://127.0.0.1:1',
      'test none.test.yml',
      'import users none.db --from better-auth --config config.yaml',
      'keys list --config config.yaml',
      'receiver test --config-file none.yml',
      'storage verify --sqlite none.db',
      'storage verify --from none.backup',
      'storage check-records --sqlite none.db',
    ]))

  it('exits with 2 after wrong usage at every level, and with 1 if it stands in for a program of Prometheus', async () => {
    const places = (await placesOfCompletion()).map(({ place }) => place)
    const all = places.filter((place) => place !== '' && !place.includes('--'))
    const groups = all.filter((place) => all.some((other) => other.startsWith(`${place} `)))
    expect(all.length).toBeGreaterThan(20)
    expect(groups).toEqual(expect.arrayContaining(['storage', 'receiver', 'import', 'template']))
    const wrong = [
      ...all.map((place) => `${place} --bogus`),
      ...groups.flatMap((place) => [place, `${place} bogus`]),
    ]
    const standsIn = (line: string): boolean => prometheus.includes(line.split(' ')[0] ?? '')
    for (const line of wrong) {
      expect([line, await exitCode(line)]).toEqual([line, standsIn(line) ? 1 : 2])
    }
    await expectCodes(2, ['bogus', '--bogus', 'storage --bogus', 'storage bogus', 'storage'])
    await expectCodes(1, ['check-config --bogus', 'check-config none.yml'])
  })

  it('prints JSON with --json, and the same exit code', async () => {
    const json = async (line: string): Promise<readonly [number | null, unknown]> => {
      const { exitCode, stdout } = await runHere([...line.split(' '), '--json'], folder)
      return [exitCode, JSON.parse(stdout)]
    }
    const sha1 = 'aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d'
    const good = { good: true, problems: [], warnings: [] }
    const problem = expect.stringContaining('bad.yml:1:')
    expect(await json('hash hello')).toEqual([0, { hash: sha1 }])
    expect(await json('check --config config.yaml')).toEqual([0, good])
    expect(await json('check --config bad.yml')).toMatchObject([2, { good: false }])
    expect(await json('check-config good.yml bad.yml')).toEqual([
      1,
      {
        good: false,
        files: [
          { file: 'good.yml', good: true, problems: [] },
          { file: 'bad.yml', good: false, problems: expect.arrayContaining([problem]) },
        ],
      },
    ])
    const saved = 'storage backup --config config.yaml --to a.backup'.split(' ')
    await createSqliteStorage({ filename: join(folder, 'a.db') }).close()
    expect((await runHere(saved, folder)).exitCode).toBe(0)
    const again = 'storage backup --config config.yaml --to b.backup'
    expect(await json(again)).toEqual([0, { file: 'b.backup', records: 0, unreadable: 0 }])
    const restore = 'storage restore --sqlite b.db --from b.backup'
    expect(await json(restore)).toEqual([0, { written: 0, expired: 0, unusable: 0 }])
    expect(await json('storage sql')).toEqual([0, { sql: expect.stringContaining('CREATE') }])
    expect(await json('template render --template.text=x')).toEqual([0, { text: 'x' }])
    expect(await json('receiver test --config-file good.yml')).toEqual([
      1,
      [{ receiver: 'a', integrations: [] }],
    ])
    const verified = [0, { records: 0, problems: [], unchecked: [] }]
    expect(await json('storage verify --from a.backup')).toEqual(verified)
  })

  it('has --json if it prints a result, and flags in one spelling', async () => {
    const cases = await placesOfCompletion()
    expect(cases.length).toBeGreaterThan(18)
    const leaves = cases.filter(
      ({ place, words }) => !place.includes('--') && (words[0] ?? '').startsWith('--'),
    )
    const without = leaves.filter(({ words }) => !words.includes('--json'))
    const places = without.map(({ place }) => place).toSorted()
    expect(namedIn((line) => line.startsWith('Every command has it'))).toEqual(places)
    expect(places).toEqual([
      'alertmanager',
      'api',
      'auth preview', // serves, or writes files
      'completion',
      'demo',
      'import clients',
      'import hooks', // prints a configuration
    ])
    for (const { place, words } of leaves) {
      const isPrometheus = prometheus.some((name) => place.split(' ')[0] === name)
      const spelling = isPrometheus ? /^--[a-z0-9.-]+$/ : /^--[a-z-]+$/
      expect(words.filter((word) => word.startsWith('--') && !spelling.test(word))).toEqual([])
    }
  })

  it('has colors if they are forced, but not in JSON or a pipe', async () => {
    const lines = ['check --config config.yaml', 'test failing.test.yml', 'check --config bad.yml']
    const force = { FORCE_COLOR: '1' }
    for (const [index, line] of lines.entries()) {
      const args = line.split(' ')
      const [plain, forced, json] = await Promise.all(
        index === 0
          ? [
              runCli(args, folder),
              runCli(args, folder, '', force),
              runCli([...args, '--json'], folder, '', force),
            ]
          : [
              runHere(args, folder),
              runHere(args, folder, force),
              runHere([...args, '--json'], folder, force),
            ],
      )
      expect(plain.stdout + plain.stderr + json.stdout).not.toContain('\u001b')
      expect(forced.stdout + forced.stderr).toContain('\u001b[')
    }
  })

  it('takes flags with dots as those with dashes, unless it stands in for a program of Prometheus', async () => {
    const dotted = await runHere(
      ['receiver', 'test', '--config.file=good.yml', '--log.level=debug', '--dry-run'],
      folder,
    )
    expect(dotted).toMatchObject({ exitCode: 1, stdout: 'a: has no integrations\n' })
    const { exitCode, stderr } = await runHere(['alertmanager', '--log-level=debug'], folder)
    expect(exitCode).toBe(1)
    expect(stderr).toContain("unknown option '--log-level=debug'")
  })
})
