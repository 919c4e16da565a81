import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { apiConfigKind, listenAddressOf, storageChoiceOf } from './api-config.ts'
import { failureLines, readConfigFile } from './config-file.ts'
import { alertsSettings, readAlertsSource } from './services/alerts.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
const path = join(folder, 'gatehouse.yml')
afterAll(() => rmSync(folder, { recursive: true }))

function read(text: string): ReturnType<typeof readConfigFile<typeof apiConfigKind.zero>> {
  writeFileSync(path, text)
  return readConfigFile(path, apiConfigKind)
}

async function problemsOf(text: string): Promise<readonly string[]> {
  return read(text).then(() => [], failureLines)
}

const oneStorage =
  'name one storage: postgres: URL, postgres_file: FILE, sqlite: FILE, or memory: true'

const badUrl = (line: number, column: number): string =>
  `:${line}:${column}: postgres must be a URL: postgres://user@host:5432/database`

/** A file with a section `storage` that starts in line 1, column 10. */
const withStorage = (section: string): string => `storage: ${section}\nalerts: { config: a }\n`

const withPostgres = (keys: string): string =>
  withStorage(`{ postgres: postgres://db.example/a, ${keys} }`)

const minimal = 'storage: { memory: true }\nalerts: { config: alertmanager.yml }\n'

describe('the file of gatehouse api', () => {
  it('names a storage, an address and services', async () => {
    const { value } = await read(`
listen: 127.0.0.1:8080
storage: { sqlite: data/gatehouse.db, durability: power }
alerts:
  config: alertmanager.yml
  external_url: https://example.com/am
  retention: 5d
  max_silences: 100
  log_silences: true
  matcher_mode: utf8
  cors_methods: [GET, POST, DELETE]
`)
    expect(listenAddressOf(value)).toEqual({ host: '127.0.0.1', port: 8080 })
    expect(await storageChoiceOf(value, '/srv')).toEqual({
      kind: 'sqlite',
      filename: '/srv/data/gatehouse.db',
      durability: 'power',
    })
    expect(value.alerts && alertsSettings(value.alerts, 'http://here:9093')).toMatchObject({
      externalUrl: 'https://example.com/am',
      retentionMs: 432_000_000,
      maxSilences: 100,
      logSilences: true,
      matcherMode: 'utf8',
      corsMethods: ['GET', 'POST', 'DELETE'],
      routePrefix: undefined,
    })
  })

  it('names a PostgreSQL database, and how it is used', async () => {
    const { value } = await read(`
storage:
  postgres: postgres://am:pw@db.example:5432/alerts?sslmode=require
  schema: watch
  prefix: am_
  max_connections: 20
  timeout: 2s500ms
  migrate: manual
alerts: { config: alertmanager.yml }
`)
    expect(await storageChoiceOf(value, '/srv')).toEqual({
      kind: 'postgres',
      url: 'postgres://am:pw@db.example:5432/alerts?sslmode=require',
      schema: 'watch',
      prefix: 'am_',
      maxConnections: 20,
      timeoutMs: 2_500,
      migrate: 'manual',
      prepare: true,
    })
  })

  it('leaves to the storage what is not said about a PostgreSQL database', async () => {
    const { value } = await read(withStorage('{ postgres: postgresql://localhost/alerts }'))
    expect(await storageChoiceOf(value, '/srv')).toEqual({
      kind: 'postgres',
      url: 'postgresql://localhost/alerts',
      migrate: 'auto',
      prepare: true,
    })
  })

  it('takes the URL of the database from a file beside it', async () => {
    const { value, directory } = await read(withStorage('{ postgres_file: secrets/url }'))
    mkdirSync(join(folder, 'secrets'))
    const file = join(folder, 'secrets', 'url')
    await expect(storageChoiceOf(value, directory)).rejects.toThrow(
      `${file}: no such file or directory`,
    )
    writeFileSync(file, ' postgres://am:pw@db.example/alerts\n\n')
    expect(await storageChoiceOf(value, directory)).toMatchObject({
      kind: 'postgres',
      url: 'postgres://am:pw@db.example/alerts',
    })
    writeFileSync(file, 'am:pw@db.example/alerts')
    await expect(storageChoiceOf(value, directory)).rejects.toThrow(
      `${file}: does not hold a URL such as postgres://user@host:5432/database`,
    )
  })

  it('takes a port instead of an address, and listens on 9093 without either', async () => {
    expect(listenAddressOf((await read(`port: 80\n${minimal}`)).value)).toEqual({ port: 80 })
    expect(listenAddressOf((await read(`listen: 80\n${minimal}`)).value)).toEqual({ port: 80 })
    expect(listenAddressOf((await read(minimal)).value)).toEqual({ port: 9093 })
  })

  it.each([
    [
      '',
      [
        ':1:1: name a storage: { sqlite: FILE }, { postgres: URL } or { memory: true }',
        ':1:1: name a service: alerts',
      ],
    ],
    [`${minimal}alert: {}\n`, [':3:1: field alert not found in type gatehouse']],
    [`listen: here\n${minimal}`, [':1:9: address here: missing port in address']],
    [`port: 1\nlisten: :2\n${minimal}`, [':1:7: name either listen or port']],
    [`port: 65536\n${minimal}`, [':1:7: the port is above 65535']],
    ['storage: { memory: true, sqlite: x }\nalerts: { config: a }\n', [`:1:10: ${oneStorage}`]],
    [withStorage('{ postgres: u, postgres_file: f }'), [`:1:10: ${oneStorage}`, badUrl(1, 22)]],
    [withStorage('{ sqlite: x, postgres: postgres://localhost/a }'), [`:1:10: ${oneStorage}`]],
    [withStorage('{ sqlite: x, postgres_file: f }'), [`:1:10: ${oneStorage}`]],
    [withStorage('{}'), [`:1:10: ${oneStorage}`]],
    [withStorage('{ migrate: manual }'), [`:1:10: ${oneStorage}`]],
    [withStorage('{ postgres: localhost/alerts }'), [badUrl(1, 22)]],
    [withStorage('\n  postgres: mysql://localhost/alerts'), [badUrl(2, 13)]],
    [withStorage('{ postgres: postgres://am:p/w@db.example/alerts }'), [badUrl(1, 22)]],
    [withStorage('{ postgres: postgres://am:12/w@db.example/alerts }'), [badUrl(1, 22)]],
    [withStorage('{ postgres: [ postgres://db ] }'), [':1:22: cannot unmarshal !!seq into string']],
    [withPostgres('url: b'), [':1:47: field url not found in type storage']],
    [withPostgres('max_connections: many'), [':1:64: cannot unmarshal !!str `many` into uint']],
    [withPostgres('max_connections: -1'), [':1:64: cannot unmarshal !!int `-1` into uint']],
    [withPostgres('max_connections: 0'), [':1:64: max_connections must be from 1 to 262143']],
    [withPostgres('max_connections: 262144'), [':1:64: max_connections must be from 1 to 262143']],
    [withPostgres('timeout: soon'), [':1:56: not a valid duration string: "soon"']],
    [withPostgres('timeout: 0s'), [':1:56: timeout must be from 1ms to 24d']],
    [withPostgres('timeout: 25d'), [':1:56: timeout must be from 1ms to 24d']],
    [withPostgres('migrate: never'), [':1:56: "never" is none of auto, manual']],
    [
      withPostgres('schema: a b, prefix: A'),
      [
        ':1:55: schema must be 1 to 63 letters, digits and underscores, not starting with a digit, got "a b"',
        ':1:68: prefix must be 1 to 16 lower case letters, digits and underscores, starting with a letter, got "A"',
      ],
    ],
    [
      'storage: { memory: true }\nalerts: {}\n',
      [':2:9: config is missing: the path of an alertmanager.yml, or its content'],
    ],
    [
      'storage: { memory: true }\nalerts:\n  config: a\n  retention: soon\n  matcher_mode: best\n',
      [
        ':4:14: not a valid duration string: "soon"',
        ':5:17: "best" is none of fallback, utf8, classic',
      ],
    ],
    [
      'storage: { memory: true }\nalerts: { config: a, external_url: ftp://x }\n',
      [':2:36: external_url must be an http or https URL, got "ftp://x"'],
    ],
  ])('refuses %j', async (text, problems) => {
    expect(await problemsOf(text)).toEqual(problems.map((problem) => path + problem))
  })
})

describe('readAlertsSource()', () => {
  it('reads the file that is named, relative to the file that names it', async () => {
    writeFileSync(join(folder, 'alertmanager.yml'), 'route: {}\n')
    const file = await read(minimal)
    const section = file.value.alerts
    expect(section && (await readAlertsSource(section, file))).toEqual({
      text: 'route: {}\n',
      directory: folder,
      filename: join(folder, 'alertmanager.yml'),
    })
  })

  it.each([
    [
      'a block',
      'storage: { memory: true }\nalerts:\n  config:\n    route: # é\n      receiver: a\n',
    ],
    ['in braces', 'alerts: { config: { route: { receiver: a } } }\nstorage: { memory: true }\n'],
  ])(
    'keeps the lines and columns of a configuration that stands in the section, %s',
    async (_, text) => {
      const file = await read(text)
      const section = file.value.alerts
      const source = section && (await readAlertsSource(section, file))
      expect(source?.filename).toBe(path)
      expect(source?.text.indexOf('receiver')).toBe(text.indexOf('receiver'))
      expect(source?.text.trim().replace(/\s+/g, ' ')).toMatch(/^({ )?route: .*receiver: a( })*$/)
    },
  )
})
