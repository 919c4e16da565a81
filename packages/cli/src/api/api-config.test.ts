import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeAt } from '@gatehouse/core/document'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failureLines } from '../config/failure.ts'
import { createReadFiles } from '../config/read-files.ts'
import { storageChoiceOf } from '../config/storage-config.ts'
import type { ListenFlags } from '../flags/api-flags.ts'
import { patientLimits } from '../server/http-limits.ts'
import type { ListenPlace } from '../server/listen-address.ts'
import { alertsSettings, readAlertsSource } from '../services/alerts-section.ts'
import { type ApiConfig, httpLimitsOf, listenPlacesOf, servesWebhooks } from './api-config.ts'
import { readApiDocument, readOwnConfig } from './api-document.ts'
import { type LoadedApi, loadApi } from './load-api.ts'

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
const path = join(folder, 'gatehouse.yml')
beforeAll(() => {
  writeFileSync(
    join(folder, 'alertmanager.yml'),
    'route: { receiver: a }\nreceivers: [{ name: a }]\n',
  )
})
afterAll(() => rmSync(folder, { recursive: true }))

function load(text: string): Promise<LoadedApi> {
  writeFileSync(path, text)
  return loadApi(path, createReadFiles())
}

async function read(text: string): Promise<ApiConfig> {
  return (await load(text)).config
}

function own(text: string): ReturnType<typeof readOwnConfig> {
  writeFileSync(path, text)
  return readOwnConfig(path)
}

async function problemsOf(text: string): Promise<readonly string[]> {
  return load(text).then(() => [], failureLines)
}

const places = async (
  text: string,
  flags: ListenFlags = {},
  inherited: readonly ListenPlace[] = [],
) => listenPlacesOf(await read(text), flags, inherited)

const oneStorage =
  'set one storage: postgres: URL, postgres_file: FILE, sqlite: FILE, or memory: true'

const badUrl = (line: number, column: number): string =>
  `:${line}:${column} storage.postgres: must be a URL: postgres://user@host:5432/database`

/** A file whose section `storage` starts in line 1, column 10. */
const withStorage = (section: string): string =>
  `storage: ${section}\nalerts: { config: alertmanager.yml }\n`

const withPostgres = (keys: string): string =>
  withStorage(`{ postgres: postgres://db.example/a, ${keys} }`)

const minimal = 'storage: { memory: true }\nalerts: { config: alertmanager.yml }\n'
const webhook =
  "{ id: a, token: 'sha1:0000000000000000000000000000000000000000', execute_command: 'true', workdir: '' }"

describe('the file of gatehouse api', () => {
  it('names a storage and services', async () => {
    const { alerts, storage } = await read(`
storage: { sqlite: data/gatehouse.db, durability: power }
alerts:
  config: alertmanager.yml
  external_url: https://example.com/am
  retention: 5d
  max_silences: 100
  severity_label: priority
  severities: [P2, P1]
  log_silences: true
  matcher_mode: utf8
  cors_methods: [GET, POST, DELETE]
`)
    expect(await storageChoiceOf(storage, '/srv')).toEqual({
      kind: 'sqlite',
      filename: '/srv/data/gatehouse.db',
      durability: 'power',
    })
    expect(alerts && alertsSettings(alerts, 'http://here:9093', '/etc')).toMatchObject({
      externalUrl: 'https://example.com/am',
      retentionMs: 432_000_000,
      maxSilences: 100,
      severityLabel: 'priority',
      severities: ['P2', 'P1'],
      logSilences: true,
      matcherMode: 'utf8',
      corsMethods: ['GET', 'POST', 'DELETE'],
      basePath: undefined,
    })
  })

  it('names other servers, with files for their secrets', async () => {
    const servers = (entries: string) =>
      read(`storage: { memory: true }
alerts:
  config: alertmanager.yml
  other_servers: [${entries}]
`)
    const { alerts } = await servers(
      `{ name: paris, url: 'https://p.example/am', username: gate, password_file: paris.txt }, { name: tokyo, url: 'http://10.1.0.7:9093', external_url: 'https://t.example', token_file: /run/t, ca_file: ca.pem }`,
    )
    expect(alerts && alertsSettings(alerts, 'http://here:9093', '/etc').otherServers).toEqual([
      {
        name: 'paris',
        url: 'https://p.example/am',
        username: 'gate',
        passwordFile: '/etc/paris.txt',
      },
      {
        name: 'tokyo',
        url: 'http://10.1.0.7:9093',
        externalUrl: 'https://t.example',
        tokenFile: '/run/t',
        caFile: '/etc/ca.pem',
      },
    ])
    for (const [entry, message] of [
      ['{ name: a, url: ftp://x }', 'an http or https URL without credentials'],
      ["{ name: a, url: 'https://me:pw@x.example' }", 'an http or https URL without credentials'],
      ["{ name: '..', url: 'https://x.example' }", 'a name of at most 100 characters'],
      ["{ name: a, url: 'https://x.example', username: me }", 'set username and password_file'],
      [
        "{ name: a, url: 'https://x.example', username: me, password_file: a, token_file: b }",
        'set token_file or password_file, not both',
      ],
    ] as const) {
      const refused = servers(entry)
      await expect(refused).rejects.toThrow(message)
      await expect(refused).rejects.not.toThrow('me:pw')
    }
  })

  it('holds other servers to the rules of the service, with a place for each problem', async () => {
    const problems = (entries: readonly string[]) =>
      problemsOf(minimal.replace('yml }', `yml, other_servers: [${entries.join(', ')}] }`))
    const server = (name: string, url = 'http://x.example') => `{ name: ${name}, url: '${url}' }`
    expect(await problems([server('a'), server('b', 'http://x:99999'), server('a')])).toEqual([
      expect.stringMatching(/:2:\d+ alerts\.other_servers\[1\]\.url: must be an http or https URL/),
      expect.stringMatching(
        /:2:\d+ alerts\.other_servers\[2\]\.name: another server has this name already$/,
      ),
    ])
    const many = Array.from({ length: 21 }, (_, number) => server(`s${number}`))
    expect(await problems(many)).toEqual([
      expect.stringMatching(/:2:\d+ alerts\.other_servers: must have at most 20 servers$/),
    ])
    expect(await problems(many.slice(1))).toEqual([])
  })

  it('is not one of its further files with webhooks, even if it matches their pattern', async () => {
    writeFileSync(join(folder, 'gate-shop.yml'), `webhooks: [${webhook}]\n`)
    const { webhooks } = await read("port: 1\nwebhook_files: ['gate*.yml', gatehouse.yml]\n")
    expect(webhooks.parts).toMatchObject([
      { filename: join(folder, 'gate-shop.yml'), problems: [] },
    ])
  })

  it('alone has the keys of the server', async () => {
    writeFileSync(join(folder, 'gate-shop.yml'), 'listen: :1\ntrusted_proxies: []\nlissten: 1\n')
    const { webhooks } = await read('port: 1\nwebhook_files: [gate-shop.yml]\n')
    expect(webhooks.parts.flatMap(({ problems }) => problems)).toEqual([
      expect.stringMatching(/:1:1 listen: unknown key "listen": it belongs to the main file$/),
      expect.stringMatching(/:2:1 trusted_proxies: .* it belongs to the main file$/),
      expect.stringMatching(/:3:1 lissten: unknown key "lissten"$/),
    ])
  })

  it('serves webhooks if it has their keys or configures no other service', async () => {
    expect(servesWebhooks(await read('{}'))).toBe(true)
    expect(servesWebhooks(await read('storage: { memory: true }\nport: 1\n'))).toBe(true)
    expect(servesWebhooks(await read(minimal))).toBe(false)
    expect(servesWebhooks(await read(`${minimal}port: 1\nlimits: { max_connections: 9 }\n`))).toBe(
      false,
    )
    expect(servesWebhooks(await read(`${minimal}webhooks: []\n`))).toBe(true)
    expect(servesWebhooks(await read(`${minimal}hash_endpoint: true\n`))).toBe(true)
  })

  it('uses memory without a storage if it serves only webhooks', async () => {
    expect((await load('port: 0\n')).storage).toEqual({ kind: 'memory' })
  })

  it('configures a PostgreSQL database', async () => {
    const { storage } = (
      await own(`
storage:
  postgres: postgres://am:pw@db.example:5432/alerts?sslmode=require
  schema: watch
  prefix: am_
  max_connections: 20
  timeout: 2s500ms
  migrate: manual
alerts: { config: alertmanager.yml }
`)
    ).own
    expect(await storageChoiceOf(storage, '/srv')).toEqual({
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

  it('leaves missing settings of a PostgreSQL database to the storage', async () => {
    const { storage } = (await own(withStorage('{ postgres: postgresql://localhost/alerts }'))).own
    expect(await storageChoiceOf(storage, '/srv')).toEqual({
      kind: 'postgres',
      url: 'postgresql://localhost/alerts',
      migrate: 'auto',
      prepare: true,
    })
  })

  it('reads the URL of the database from another file', async () => {
    const {
      own: { storage },
      directory,
    } = await own(withStorage('{ postgres_file: secrets/url }'))
    mkdirSync(join(folder, 'secrets'))
    const file = join(folder, 'secrets', 'url')
    await expect(storageChoiceOf(storage, directory)).rejects.toThrow(
      `${file}: no such file or directory`,
    )
    writeFileSync(file, ' postgres://am:pw@db.example/alerts\n\n')
    expect(await storageChoiceOf(storage, directory)).toMatchObject({
      kind: 'postgres',
      url: 'postgres://am:pw@db.example/alerts',
    })
    writeFileSync(file, 'am:pw@db.example/alerts')
    await expect(storageChoiceOf(storage, directory)).rejects.toThrow(
      `${file}: does not hold a URL such as postgres://user@host:5432/database`,
    )
  })

  it('listens on its port, by default 8081, or 9093 with alerts', async () => {
    expect(await places('port: 80\n')).toEqual([{ port: 80 }])
    expect(await places('host: 127.0.0.1\n')).toEqual([{ host: '127.0.0.1', port: 8081 }])
    expect(await places('socket: run/socket\n')).toEqual([{ path: join(folder, 'run/socket') }])
    expect(await places('listen: 80\n')).toEqual([{ port: 80 }])
    expect(await places('listen: 127.0.0.1:80\n')).toEqual([{ host: '127.0.0.1', port: 80 }])
    expect(await places('{}')).toEqual([{ port: 8081 }])
    expect(await places(minimal)).toEqual([{ port: 9093 }])
    expect(await places(`${minimal}port: 80\n`)).toEqual([{ port: 80 }])
    expect(await places(`${minimal}webhooks: []\nhost: h\n`)).toEqual([{ host: 'h', port: 9093 }])
  })

  it('lets flags override where it listens', async () => {
    const listen = [{ port: 1 }, { host: '::1', port: 2 }]
    expect(await places('port: 80\n', { listen })).toEqual(listen)
    expect(await places('host: h\nport: 80\n', { port: 0 })).toEqual([{ host: 'h', port: 0 }])
    expect(await places('listen: h:80\n', { host: 'other' })).toEqual([{ host: 'other', port: 80 }])
    expect(await places('socket: s\n', { port: 80 })).toEqual([{ port: 80 }])
    expect(await places(minimal, { host: 'h' })).toEqual([{ host: 'h', port: 9093 }])
  })

  it('listens at the sockets of a service manager, unless a flag says where', async () => {
    const sockets = [{ fd: 3 }, { fd: 4, host: '::1', port: 80 }]
    expect(await places('port: 80\n', {}, sockets)).toBe(sockets)
    expect(await places('socket: s\n', {}, sockets)).toBe(sockets)
    expect(await places('{}', { listen: [{ port: 1 }] }, sockets)).toEqual([{ port: 1 }])
    expect(await places('{}', { port: 1 }, sockets)).toEqual([{ port: 1 }])
    expect(await places('port: 80\n', { host: 'h' }, sockets)).toEqual([{ host: 'h', port: 80 }])
  })

  it('uses the timeouts of the file, by default longer ones for Prometheus', async () => {
    const own = {
      headerTimeout: 10_000,
      requestTimeout: 30_000,
      keepaliveTimeout: 5_000,
      maxConnections: 1_024,
    }
    expect(httpLimitsOf(await read('{}'))).toEqual(own)
    expect(httpLimitsOf(await read(minimal))).toEqual(patientLimits)
    const limits = 'limits: { header_timeout: 1s, max_connections: 9 }\n'
    expect(httpLimitsOf(await read(limits))).toEqual({
      ...own,
      headerTimeout: 1_000,
      maxConnections: 9,
    })
    expect(httpLimitsOf(await read(minimal + limits))).toEqual({
      ...patientLimits,
      headerTimeout: 1_000,
      maxConnections: 9,
    })
  })

  it.each([
    ['', [': must be a mapping']],
    ['- a\n', [': must be a mapping']],
    ['port: [\n', [expect.stringMatching(/:\d:\d: /)]],
    [
      'alerts: { config: alertmanager.yml }\n',
      [':1:1 storage: is missing: { sqlite: FILE }, { postgres: URL } or { memory: true }'],
    ],
    [`${minimal}alert: {}\n`, [':3:1 alert: unknown key "alert"; did you mean "alerts"?']],
    [
      'trusted_proxies: [10.0.0.0/8, nginx]\n',
      [':1:31 trusted_proxies[1]: must be an IP address, or a prefix such as 10.0.0.0/8'],
    ],
    ['url_prefix: /hooks\n', [':1:1 url_prefix: unknown key "url_prefix": it is base_path']],
    [
      'storage: { memory: true }\nalerts: { config: alertmanager.yml, route_prefix: /am }\n',
      [':2:37 alerts.route_prefix: unknown key "route_prefix": it is base_path'],
    ],
    ['prot: 1\n', [':1:1 prot: unknown key "prot"; did you mean "port"?']],
    [
      'storge: {}\nstorage: { memory: true, sqlit: a, x: b }\n',
      [
        ':1:1 storge: unknown key "storge"; did you mean "storage"?',
        ':2:26 storage.sqlit: unknown key "sqlit"; did you mean "sqlite"?',
        ':2:36 storage.x: unknown key "x"',
      ],
    ],
    [`listen: here\n${minimal}`, [':1:9 listen: address here: missing port in address']],
    [`port: 1\nlisten: :2\n${minimal}`, [':1:7 port: set listen or port, not both']],
    [
      'listen: :2\nhost: h\nsocket: s\n',
      [':2:7 host: set listen or host, not both', ':3:9 socket: set listen or socket, not both'],
    ],
    ['port: 65536\n', [':1:7 port: must be from 0 to 65535']],
    [
      'storage: { memory: true, sqlite: x }\nalerts: { config: alertmanager.yml }\n',
      [`:1:10 storage: ${oneStorage}`],
    ],
    [
      withStorage('{ postgres: u, postgres_file: f }'),
      [`:1:10 storage: ${oneStorage}`, badUrl(1, 22)],
    ],
    [
      withStorage('{ sqlite: x, postgres: postgres://localhost/a }'),
      [`:1:10 storage: ${oneStorage}`],
    ],
    [withStorage('{ sqlite: x, postgres_file: f }'), [`:1:10 storage: ${oneStorage}`]],
    [withStorage('{}'), [`:1:10 storage: ${oneStorage}`]],
    [withStorage('{ migrate: manual }'), [`:1:10 storage: ${oneStorage}`]],
    [withStorage('{ postgres: localhost/alerts }'), [badUrl(1, 22)]],
    [withStorage('\n  postgres: mysql://localhost/alerts'), [badUrl(2, 13)]],
    [withStorage('{ postgres: postgres://am:p/w@db.example/alerts }'), [badUrl(1, 22)]],
    [withStorage('{ postgres: postgres://am:12/w@db.example/alerts }'), [badUrl(1, 22)]],
    [withStorage('{ postgres: [ postgres://db ] }'), [':1:22 storage.postgres: must be text']],
    [withPostgres('url: b'), [':1:47 storage.url: unknown key "url"']],
    [
      withPostgres('max_connections: many'),
      [':1:64 storage.max_connections: must be a whole number'],
    ],
    [
      withPostgres('max_connections: -1'),
      [':1:64 storage.max_connections: must be from 1 to 262143'],
    ],
    [
      withPostgres('max_connections: 0'),
      [':1:64 storage.max_connections: must be from 1 to 262143'],
    ],
    [
      withPostgres('max_connections: 262144'),
      [':1:64 storage.max_connections: must be from 1 to 262143'],
    ],
    [
      withPostgres('timeout: soon'),
      [':1:56 storage.timeout: must be a duration with a unit, such as 90s'],
    ],
    [withPostgres('timeout: 0s'), [':1:56 storage.timeout: must be from 1ms to 24d']],
    [withPostgres('timeout: 25d'), [':1:56 storage.timeout: must be from 1ms to 24d']],
    [withPostgres('migrate: never'), [':1:56 storage.migrate: must be one of auto, manual']],
    [
      withPostgres('schema: a b, prefix: A'),
      [
        ':1:55 storage.schema: schema must be 1 to 63 letters, digits and underscores, not starting with a digit, got "a b"',
        ':1:68 storage.prefix: prefix must be 1 to 16 lower case letters, digits and underscores, starting with a letter, got "A"',
      ],
    ],
    ['storage: { memory: true }\nalerts: {}\n', [':2:9 alerts.config: is missing']],
    [
      'storage: { memory: true }\nalerts:\n  config: alertmanager.yml\n  retention: soon\n  matcher_mode: best\n',
      [
        ':4:14 alerts.retention: must be a duration with a unit, such as 90s',
        ':5:17 alerts.matcher_mode: must be one of fallback, utf8, classic',
      ],
    ],
    [
      'storage: { memory: true }\nalerts: { config: alertmanager.yml, external_url: ftp://x }\n',
      [':2:51 alerts.external_url: must be an http or https URL'],
    ],
    [
      'storage: { memory: true }\nalerts: { config: { route: { receiver: b } } }\n',
      [expect.stringMatching(/^:2:\d+ alerts\.config\.route.*: undefined receiver "b"/)],
    ],
  ])('refuses %j', async (text, problems) => {
    const found = await problemsOf(text)
    expect(found.map((problem) => problem.replace(path, ''))).toEqual(problems)
  })

  it('reports all problems of its sections before those of other files', async () => {
    writeFileSync(join(folder, 'bad.yml'), 'route: { receiver: b }\n')
    expect(
      await problemsOf(`webhooks:
  - id: a
storage: {}
alerts: { config: bad.yml, retenion: 1d }
web_config: nope.yml
storge: {}
`),
    ).toEqual([
      `${path}:2:5 webhooks[0].token: is missing`,
      `${path}:2:5 webhooks[0].execute_command: is missing`,
      `${path}:2:5 webhooks[0].workdir: is missing`,
      `${path}:3:10 storage: ${oneStorage}`,
      `${path}:4:28 alerts.retenion: unknown key "retenion"; did you mean "retention"?`,
      `${path}:6:1 storge: unknown key "storge"; did you mean "storage"?`,
      expect.stringContaining(`${folder}/bad.yml:1:20: `),
      `${folder}/nope.yml: no such file or directory`,
    ])
  })

  it('resolves anchors across sections', async () => {
    const config = await read('storage: { sqlite: &name a }\nhost: *name\n')
    expect(config.server.host).toBe('a')
  })

  it.each([
    [`tls: { cert: nope.pem, key: nope.key }\n`, 1],
    [`tls: { cert: nope.pem, key: nope.key }\nprot: 1\n`, 2],
    ['prot: 1\n', 2],
  ])('closes a server with %j after %d', async (text, exitCode) => {
    await expect(load(text)).rejects.toMatchObject({ exitCode })
  })

  it('accepts tls here or in the web configuration, not both', async () => {
    const files = `cert_file: ${fixtures}server.pem, key_file: ${fixtures}server.key`
    writeFileSync(join(folder, 'web.yml'), `tls_server_config: { ${files} }\n`)
    const own = `tls: { cert: ${fixtures}server.pem, key: ${fixtures}server.key }\n`
    expect((await load(own)).rules.tls).toBeDefined()
    expect((await load('web_config: web.yml\n')).rules.tls).toBeDefined()
    expect(await problemsOf(`web_config: web.yml\n${own}`)).toEqual([
      'web.yml: set tls or tls_server_config, not both',
    ])
  })

  it('is UTF-8, with or without a byte-order mark', async () => {
    expect((await read('\ufeffport: 1\n')).server.port).toBe(1)
    writeFileSync(path, Buffer.from([0x61, 0x3a, 0xff]))
    await expect(loadApi(path, createReadFiles())).rejects.toThrow(`${path}: is not UTF-8`)
  })

  it('returns the digest of every file read', async () => {
    writeFileSync(join(folder, 'secret'), 'a long secret\n')
    const files = createReadFiles()
    const token = webhook.replace(/token: '.*?'/, `token: '\${file:secret}'`)
    writeFileSync(path, `${minimal}webhooks:\n  - ${token}\n`)
    await loadApi(path, files)
    const names = [...files.digests.keys()].map((name) => name.replace(`${folder}/`, ''))
    expect(names.sort()).toEqual(['alertmanager.yml', 'gatehouse.yml', 'secret'])
  })
})

async function sectionOf(text: string) {
  writeFileSync(path, text)
  const { file, root } = await readApiDocument(path, createReadFiles())
  return { config: nodeAt(root, 'alerts', 'config'), file }
}

describe('readAlertsSource()', () => {
  it('reads the named file, relative to the file that names it', async () => {
    writeFileSync(join(folder, 'alertmanager.yml'), 'route: {}\n')
    const { file, config } = await sectionOf(minimal)
    expect(await readAlertsSource(config, file)).toMatchObject({
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
  ])('keeps the lines and columns of an inline configuration, %s', async (_, text) => {
    const { file, config } = await sectionOf(text)
    const source = await readAlertsSource(config, file)
    expect(source.filename).toBe(path)
    expect(source.text.indexOf('receiver')).toBe(text.indexOf('receiver'))
    expect(source.text.trim().replace(/\s+/g, ' ')).toMatch(/^({ )?route: .*receiver: a( })*$/)
  })
})
