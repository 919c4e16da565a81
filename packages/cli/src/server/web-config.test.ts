import { createDecoding, parseConfigDocument } from '@gatehouse/core/config'
import { describe, expect, it } from 'vitest'
import { type WebConfig, webConfigKind } from './web-config.ts'

function decode(yaml: string): { value: WebConfig; problems: string[] } {
  const decoding = createDecoding()
  const value = webConfigKind.decode({ decoding, node: parseConfigDocument(yaml), path: '' })
  const problems = [...decoding.structure, ...decoding.checks].map(({ message }) => message)
  return { value, problems }
}

const hash = `$2y$10$${'a'.repeat(53)}`
const certificate = 'cert_file: a, key_file: b'

describe('the web configuration', () => {
  it('may be empty, which requires nothing', () => {
    const { value, problems } = decode('')
    expect(problems).toEqual([])
    expect(value.tls_server_config).toBeUndefined()
    expect(value.basic_auth_users.size).toBe(0)
  })

  it('accepts every key of the web configuration of Alertmanager', () => {
    const { value, problems } = decode(`
tls_server_config:
  cert_file: server.crt
  key_file: server.key
  client_auth_type: RequireAndVerifyClientCert
  client_ca_file: ca.crt
  client_allowed_sans: [ a.example ]
  min_version: TLS13
  max_version: TLS13
  cipher_suites: [ TLS_AES_128_GCM_SHA256 ]
  prefer_server_cipher_suites: true
  curve_preferences: [ X25519 ]
http_server_config:
  http2: true
  headers: { X-Frame-Options: deny }
basic_auth_users: { ann: ${hash} }
rate_limit: { interval: 1s, burst: 5 }
`)
    expect(problems).toEqual([])
    expect(value.tls_server_config).toMatchObject({ min_version: 'TLS13', cert_file: 'server.crt' })
    expect(value.rate_limit).toEqual({ interval: 1_000, burst: 5 })
    expect([...value.basic_auth_users]).toEqual([['ann', hash]])
  })

  it.each([
    ['bogus: 1', 'field bogus not found in type web configuration'],
    ['tls_server_config: { cert_file: a }', 'missing one of key or key_file'],
    ['tls_server_config: { key: a }', 'missing one of cert or cert_file'],
    [
      `tls_server_config: { ${certificate}, cert: x }`,
      'at most one of cert and cert_file must be configured',
    ],
    [`tls_server_config: { ${certificate}, min_version: TLS99 }`, 'unknown TLS version: TLS99'],
    [
      `tls_server_config: { ${certificate}, min_version: TLS13, max_version: TLS12 }`,
      'min_version is above max_version',
    ],
    [
      `tls_server_config: { ${certificate}, client_auth_type: Maybe }`,
      'unknown client_auth_type: Maybe',
    ],
    [
      `tls_server_config: { ${certificate}, client_auth_type: RequireAndVerifyClientCert }`,
      'client_auth_type RequireAndVerifyClientCert needs client_ca or client_ca_file',
    ],
    [
      `tls_server_config: { ${certificate}, client_ca_file: ca }`,
      'client CAs are configured without a client_auth_type that asks for certificates',
    ],
    [
      `tls_server_config: { ${certificate}, client_allowed_sans: [ a ] }`,
      'client_allowed_sans needs a client_auth_type that verifies certificates',
    ],
    [
      'http_server_config: { headers: { Content-Type: x } }',
      'HTTP header "Content-Type" can not be configured',
    ],
    ['basic_auth_users: { ann: secret }', 'the password of "ann" is not a bcrypt hash'],
    ['rate_limit: { interval: 1s }', 'burst must be at least 1'],
  ])('refuses %s', (yaml, message) => {
    expect(decode(yaml).problems).toEqual([message])
  })

  it('never shows a value that should have been a hash', () => {
    expect(decode('basic_auth_users: { ann: hunter2 }').problems.join()).not.toContain('hunter2')
  })
})
