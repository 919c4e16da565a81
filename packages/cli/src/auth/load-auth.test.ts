import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { httpLimitsOf, listenPlacesOf, servesWebhooks } from '../api/api-config.ts'
import { configWarnings } from '../api/config-warnings.ts'
import { changedFixedSettings } from '../api/fixed-settings.ts'
import { type LoadedApi, loadApi } from '../api/load-api.ts'
import { failureLines } from '../config/failure.ts'
import { createReadFiles } from '../config/read-files.ts'
import type { LoadedAuth } from './load-auth.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
const path = join(folder, 'gatehouse.yml')
const key = 'a test key that is certainly long enough'
const howToMake = 'make one with: openssl rand -base64 32'

beforeAll(() => {
  writeFileSync(
    join(folder, 'authgear.yaml'),
    'id: a\nhttp: { public_origin: "https://a.example" }\n',
  )
  writeFileSync(join(folder, 'auth.key'), `${key}\n`)
  writeFileSync(join(folder, 'raw.key'), Buffer.from([...Array(31).fill(200), 10]))
  writeFileSync(join(folder, 'short.key'), 'short\n')
  writeFileSync(join(folder, 'domains.txt'), '\ufeff# ours\nexample.com # and\n\n  example.org\r\n')
  writeFileSync(join(folder, 'password'), 'pass word\n')
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

function load(text: string): Promise<LoadedApi> {
  writeFileSync(path, text)
  return loadApi(path, createReadFiles())
}

const storage = 'storage: { memory: true }\n'
const minimal = 'auth: { config: authgear.yaml, key_file: auth.key }\n'

async function loadedAuth(section: string): Promise<LoadedAuth> {
  const { auth } = await load(`${storage}auth:\n  config: authgear.yaml\n${section}`)
  if (auth === undefined) throw new Error('nothing was loaded')
  return auth
}

async function problemsOf(text: string): Promise<readonly string[]> {
  const lines = await load(text).then(() => [], failureLines)
  return lines.map((line) => line.replaceAll(`${folder}/`, '').replace('gatehouse.yml:', ':'))
}

const textOf = (bytes: Uint8Array | string | undefined): string =>
  Buffer.from(bytes ?? '').toString('latin1')

describe('the section auth', () => {
  it('leads links of recoveries to its pages, if they are on', async () => {
    const key = '  key_file: auth.key\n'
    const linksOf = async (more: string) =>
      (await loadedAuth(`${key}${more}`)).configAt('http://x.example').links.reset_password
    expect(await linksOf('')).toBeUndefined()
    expect(await linksOf('  pages: {}\n')).toBe('https://a.example/recovery?code={code}')
  })

  it('is served if the file has it; then webhooks are served only if the file has them too', async () => {
    const { auth, config } = await load(storage + minimal)
    expect(auth?.configAt('http://x.example').http.public_origin).toBe('https://a.example')
    expect(auth?.takesOrigin).toBe(false)
    expect(servesWebhooks(config)).toBe(false)
    expect(listenPlacesOf(config, {})).toEqual([{ port: 8081 }])
    expect(httpLimitsOf(config)).toMatchObject({ headerTimeout: 10_000, maxConnections: undefined })
    const { config: other } = await load(`${storage}${minimal}limits: { max_connections: 9 }\n`)
    expect(httpLimitsOf(other).maxConnections).toBe(9)
    const { auth: none } = await load('port: 1\n')
    expect(none).toBe(undefined)
  })

  it('has messages from files, and names the line of a mistake in one', async () => {
    writeFileSync(join(folder, 'code.txt'), '{{.Code}} para {{.Name}}\n')
    writeFileSync(join(folder, 'code.html'), '<p>\n{{.Kode}}</p>\n')
    const section = (more: string) =>
      `  key_file: auth.key\n  messages: { pt-BR: { verification: { text: code.txt${more} } } }\n`
    expect((await loadedAuth(section(', subject: code.txt'))).settings.messages).toEqual({
      'pt-BR': {
        verification: { text: '{{.Code}} para {{.Name}}\n', subject: '{{.Code}} para {{.Name}}' },
      },
    })
    const whole = (more: string) => `${storage}auth:\n  config: authgear.yaml\n${section(more)}`
    expect(await problemsOf(whole(', html: code.html'))).toEqual([
      expect.stringMatching(
        /^:5:\d+ auth\.messages\.pt-BR\.verification\.html: is no template: code\.html:2.*Kode/,
      ),
    ])
    expect(await problemsOf(whole(', sms: none.txt'))).toEqual([
      expect.stringMatching(/cannot be read/),
    ])
    expect(await problemsOf(whole('').replace('verification', 'verifikation'))).toEqual([
      expect.stringMatching(/verifikation/),
    ])
  })

  it('looks passwords up only if the file says so, at a URL that digits can follow', async () => {
    const sectionOf = async (section: string) =>
      (await loadedAuth(`  key_file: auth.key\n${section}`)).settings.leakedPasswords
    expect(await sectionOf('')).toBe(undefined)
    expect(await sectionOf('  leaked_passwords: {}\n')).toEqual({})
    const url = 'https://ranges.example/range/'
    expect(await sectionOf(`  leaked_passwords: { url: ${url} }\n`)).toEqual({ url })
    const wrong = 'leaked_passwords: { url: https://ranges.example }'
    const text = `${storage}auth: { config: authgear.yaml, key_file: auth.key, ${wrong} }\n`
    expect((await problemsOf(text)).join()).toContain('an https or http URL that ends with "/"')
  })

  it('takes keys from files, variables and the file itself', async () => {
    vi.stubEnv('AUTH_KEY_OF_TESTS', key)
    const secretsOf = async (section: string) => (await loadedAuth(section)).settings.secrets
    const [fromFile] = await secretsOf('  key_file: auth.key\n')
    const [fromVariable] = await secretsOf(`  keys: \${env:AUTH_KEY_OF_TESTS}\n`)
    expect(textOf(fromFile?.key)).toBe(key)
    expect(fromVariable).toEqual(fromFile)
    expect(fromFile?.id).toMatch(/^[0-9a-f]{12}$/)
    const several = await secretsOf(
      `  keys:\n    - { id: new, file: raw.key }\n    - ${key}\n    - { id: old, key: 'another ${key}' }\n`,
    )
    expect(several.map(({ id }) => id)).toEqual(['new', fromFile?.id, 'old'])
    expect(textOf(several[0]?.key)).toHaveLength(32)
  })

  it.each([
    [
      '',
      [
        `:2:7 auth: needs key_file: FILE, or keys: \${env:NAME}, to seal states and secrets; ${howToMake}`,
      ],
    ],
    [
      'key_file: none.key',
      [`:2:42 auth.key_file: cannot be read: no such file or directory; ${howToMake} > FILE`],
    ],
    [
      'key_file: short.key',
      [`:2:42 auth.key_file: must hold a key of at least 32 bytes; ${howToMake}`],
    ],
    ['keys: short', [`:2:38 auth.keys: must be a key of at least 32 bytes; ${howToMake}`]],
    [`keys: ["${key}", { id: b }]`, [':2:83 auth.keys[1]: needs key or file']],
    [`keys: [{ key: "${key}", file: b }]`, [':2:96 auth.keys[0].file: set key or file, not both']],
    [
      `keys: ["${key}", "${key}"]`,
      [':2:83 auth.keys[1]: has the id of another key, or is the same key'],
    ],
    [
      `keys: [{ id: "a b", key: "${key}" }]`,
      [':2:45 auth.keys[0].id: must be 1 to 64 letters, digits, "_" and "-"'],
    ],
    [`keys: "${key}", key_file: auth.key`, [':2:92 auth.key_file: set keys or key_file, not both']],
    [
      `keys: "\${env:NO_SUCH_VARIABLE_OF_TESTS}"`,
      [':2:38 auth.keys: the variable "NO_SUCH_VARIABLE_OF_TESTS" is not set'],
    ],
  ])('refuses %j for keys', async (keys, expected) => {
    const found = await problemsOf(`${storage}auth: { config: authgear.yaml, ${keys} }\n`)
    expect(found).toEqual(expected)
  })

  it('reports all problems of the section and its document in order', async () => {
    expect(
      await problemsOf(`auth:
  key_fil: a
  key_file: auth.key
  smtp: { host: mail.example.com, from: nobody, tls: of, pasword: a }
  sms: { url: "mailto:a", timeout: 5m }
  whatsapp: {}
  lists: { reserved_usernames: none.txt, excluded_words: [] }
  max_body_bytes: 0
  config:
    http: { public_origin: "https://a.example/path" }
    authentication:
      primary_authenticators: [pasword]
port: 1
`),
    ).toMatchInlineSnapshot(`
      [
        ":1:1 storage: is missing: { sqlite: FILE }, { postgres: URL } or { memory: true }",
        ":2:3 auth.key_fil: unknown key "key_fil"; did you mean "key_file"?",
        ":4:41 auth.smtp.from: must be the address mails are from: Example <no-reply@example.com>",
        ":4:54 auth.smtp.tls: must be one of auto, starttls, implicit, off; did you mean "off"?",
        ":4:58 auth.smtp.pasword: unknown key "pasword"; did you mean "password"?",
        ":5:15 auth.sms.url: must be an http or https URL",
        ":5:36 auth.sms.timeout: must be from 100ms to 1m",
        ":6:13 auth.whatsapp.url: is missing",
        ":7:32 auth.lists.reserved_usernames: cannot be read: no such file or directory",
        ":7:42 auth.lists.excluded_words: unknown key "excluded_words"; did you mean "excluded_keywords"?",
        ":8:19 auth.max_body_bytes: must be at least 1",
        ":10:5 auth.config.id: is missing",
        ":10:28 auth.config.http.public_origin: must be an origin such as https://auth.example.com, without a path",
        ":12:32 auth.config.authentication.primary_authenticators[0]: must be one of password, passkey, oob_otp_email, oob_otp_sms; did you mean "password"?",
      ]
    `)
  })

  it('reports the problems of a document in a file of its own', async () => {
    writeFileSync(join(folder, 'bad.yaml'), 'id: a\nhttp:\n  public_orign: "https://a.example"\n')
    writeFileSync(join(folder, 'torn.yaml'), 'id: "a\n')
    const refused = (name: string) =>
      problemsOf(`${storage}auth: { config: ${name}, key_file: auth.key, smtp: {} }\n`)
    expect(await refused('bad.yaml')).toMatchInlineSnapshot(`
      [
        ":2:53 auth.smtp.host: is missing",
        ":2:53 auth.smtp.from: is missing",
        "bad.yaml:3:3 http.public_origin: is missing",
        "bad.yaml:3:3 http.public_orign: unknown key "public_orign"; did you mean "public_origin"?",
      ]
    `)
    expect(await refused('torn.yaml')).toMatchInlineSnapshot(`
      [
        ":2:54 auth.smtp.host: is missing",
        ":2:54 auth.smtp.from: is missing",
        "torn.yaml:2:1: missing closing "quote",
      ]
    `)
    expect(await refused('none.yaml')).toMatchInlineSnapshot(`
      [
        ":2:54 auth.smtp.host: is missing",
        ":2:54 auth.smtp.from: is missing",
        "none.yaml: no such file or directory",
      ]
    `)
    expect(await refused('[]')).toMatchInlineSnapshot(`
      [
        ":2:17 auth.config: must be a path or a mapping",
        ":2:47 auth.smtp.host: is missing",
        ":2:47 auth.smtp.from: is missing",
      ]
    `)
    expect(await refused('""')).toMatchInlineSnapshot(`
      [
        ":2:17 auth.config: must not be empty",
        ":2:47 auth.smtp.host: is missing",
        ":2:47 auth.smtp.from: is missing",
      ]
    `)
  })

  it('needs a storage', async () => {
    expect(await problemsOf(minimal)).toEqual([
      ':1:1 storage: is missing: { sqlite: FILE }, { postgres: URL } or { memory: true }',
    ])
  })

  it('configures senders with passwords from environment variables', async () => {
    vi.stubEnv('SMS_TOKEN_OF_TESTS', 'a token')
    const { settings } = await loadedAuth(
      `  key_file: auth.key
  smtp: { host: mail.example.com, from: A <a@example.com>, username: u, password_file: password }
  sms: { url: "https://sms.example.com/send", token: "\${env:SMS_TOKEN_OF_TESTS}", timeout: 2s }
`,
    )
    expect(settings).toMatchObject({
      smtp: {
        host: 'mail.example.com',
        port: 587,
        from: 'A <a@example.com>',
        security: 'starttls',
        login: { user: 'u', pass: 'pass word' },
        timeoutMs: 30_000,
      },
      sms: { url: 'https://sms.example.com/send', token: 'a token', timeoutMs: 2_000 },
      whatsapp: undefined,
      printCodes: false,
      isDevelopment: false,
    })
  })

  it('chooses TLS by the port of the mail server', async () => {
    const security = async (keys: string) => {
      const smtp = `  smtp: { host: m, from: a@example.com, ${keys} }\n`
      return (await loadedAuth(`  key_file: auth.key\n${smtp}`)).settings.smtp
    }
    expect(await security('port: 465')).toMatchObject({ security: 'implicit', port: 465 })
    expect(await security('port: 25')).toMatchObject({ security: 'starttls', port: 25 })
    expect(await security('tls: implicit')).toMatchObject({ security: 'implicit', port: 465 })
    expect(await security('tls: off, port: 25')).toMatchObject({ security: 'off', port: 25 })
  })

  it('reads lists, a word on each line or as a list', async () => {
    const { settings } = await loadedAuth(
      '  key_file: auth.key\n  lists: { email_domain_blocklist: domains.txt, excluded_keywords: [a, b] }\n',
    )
    expect(settings.lists).toEqual({
      emailDomainBlocklist: ['example.com', 'example.org'],
      excludedKeywords: ['a', 'b'],
    })
  })

  it('is reached at its listen address in development, also without TLS', async () => {
    const { auth } = await load(
      `${storage}auth: { config: { id: a }, keys: "${key}", dev: { print_codes: true } }\n`,
    )
    expect(auth?.takesOrigin).toBe(true)
    expect(auth?.configAt('http://localhost:8081').http).toMatchObject({
      public_origin: 'http://localhost:8081',
      allow_insecure: true,
    })
    expect(auth?.settings).toMatchObject({ printCodes: true, isDevelopment: true })
  })

  it('warns about settings of the document that have no effect', async () => {
    writeFileSync(
      join(folder, 'odd.yaml'),
      'id: a\nhttp: { public_origin: "http://a.example" }\nsearch: {}\n',
    )
    const loaded = await load(`${storage}auth: { config: odd.yaml, key_file: auth.key }\n`)
    const texts = configWarnings(loaded).map(({ text }) => text.replace(`${folder}/`, ''))
    expect(texts).toEqual([
      expect.stringMatching(/^odd\.yaml http\.public_origin: begins with http:/),
      expect.stringMatching(/^odd\.yaml search: /),
    ])
  })

  it('detects the changes that take effect only after a restart', async () => {
    const first = await load(storage + minimal)
    expect(changedFixedSettings(first, await load(storage + minimal))).toEqual([])
    const inside = 'auth: { config: { id: b }, key_file: auth.key, dev: {} }\n'
    expect(changedFixedSettings(first, await load(`\n${storage}${inside}`))).toEqual([
      'auth, except its config',
    ])
    expect(changedFixedSettings(first, await load('port: 8081\n'))).toContain(
      'whether auth is served',
    )
  })
})
