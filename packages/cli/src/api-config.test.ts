import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
    expect(storageChoiceOf(value, '/srv')).toEqual({
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

  it('takes a port instead of an address, and listens on 9093 without either', async () => {
    expect(listenAddressOf((await read(`port: 80\n${minimal}`)).value)).toEqual({ port: 80 })
    expect(listenAddressOf((await read(`listen: 80\n${minimal}`)).value)).toEqual({ port: 80 })
    expect(listenAddressOf((await read(minimal)).value)).toEqual({ port: 9093 })
  })

  it.each([
    [
      '',
      [
        ':1:1: name a storage: { sqlite: FILE } or { memory: true }',
        ':1:1: name a service: alerts',
      ],
    ],
    [`${minimal}alert: {}\n`, [':3:1: field alert not found in type gatehouse']],
    [`listen: here\n${minimal}`, [':1:9: address here: missing port in address']],
    [`port: 1\nlisten: :2\n${minimal}`, [':1:7: name either listen or port']],
    [`port: 65536\n${minimal}`, [':1:7: the port is above 65535']],
    [
      'storage: { memory: true, sqlite: x }\nalerts: { config: a }\n',
      [':1:10: name one storage: sqlite: FILE, or memory: true'],
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
