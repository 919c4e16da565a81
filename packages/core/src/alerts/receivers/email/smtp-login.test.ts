import { describe, expect, it } from 'vitest'
import { startMailServer } from '../../../../../../test-support/mail-server.ts'
import { notifyByMail } from './mail.fixture.ts'
import { startScriptedServer } from './mail-server.fixture.ts'
import { chooseMechanism, offeredMechanisms } from './smtp-login.ts'

describe('offeredMechanisms', () => {
  it.each([
    ['250-sink\n250-AUTH PLAIN LOGIN\n250 8BITMIME', ['PLAIN', 'LOGIN']],
    ['250-sink\n250 auth  cram-md5 plain ', ['CRAM-MD5', 'PLAIN']],
    ['250-sink\r\n250-AUTH LOGIN\r\n250 SIZE', ['LOGIN']],
    ['250 sink', undefined],
    ['250-AUTHOR\n250 X-AUTH PLAIN', undefined],
  ])('parses %j', (answer, mechanisms) => {
    expect(offeredMechanisms(answer)).toEqual(mechanisms)
  })
})

describe('chooseMechanism', () => {
  const nothing = { username: 'u', identity: '', password: '', secret: '' }
  const both = { ...nothing, password: 'p', secret: 's' }

  it.each([
    ['PLAIN LOGIN CRAM-MD5', both, 'PLAIN'],
    ['LOGIN PLAIN', both, 'LOGIN'],
    ['XOAUTH2 CRAM-MD5 PLAIN', both, 'CRAM-MD5'],
    ['CRAM-MD5 PLAIN', { ...nothing, password: 'p' }, 'PLAIN'],
    ['PLAIN CRAM-MD5', { ...nothing, secret: 's' }, 'CRAM-MD5'],
  ])('chooses from %s the first mechanism with credentials', (offered, login, mechanism) => {
    expect(chooseMechanism(offered.split(' '), login)).toBe(mechanism)
  })

  it.each([
    ['CRAM-MD5', 'missing secret for CRAM-MD5 auth mechanism'],
    [
      'PLAIN X LOGIN',
      'missing password for PLAIN auth mechanism; missing password for LOGIN auth mechanism',
    ],
    ['XOAUTH2 NTLM', 'unknown auth mechanism: XOAUTH2 NTLM'],
  ])('reports the missing credentials for %s', (offered, message) => {
    expect(() => chooseMechanism(offered.split(' '), nothing)).toThrow(message)
  })
})

const credentials = { auth_username: 'us', auth_password: 'p&ss wörd', auth_secret: 's3cret' }

describe('logging in', () => {
  it.each(['PLAIN', 'LOGIN', 'CRAM-MD5'])('works by %s', async (mechanism) => {
    const { port, mails } = await startMailServer({
      authMethods: [mechanism],
      allowInsecureAuth: true,
      authOptional: false,
      onAuth(auth, _session, done) {
        const isRight =
          auth.method === 'CRAM-MD5'
            ? auth.validatePassword('s3cret')
            : auth.password === 'p&ss wörd'
        const user = auth.username === 'us' && isRight ? `${auth.method} ${auth.username}` : ''
        done(null, { user })
      },
    })
    expect(await notifyByMail(port, credentials)).toEqual({ outcome: 'sent' })
    expect(mails).toMatchObject([{ user: `${mechanism} us` }])
  })

  it('sends the identity by PLAIN', async () => {
    const { port, dialog } = await startScriptedServer()
    const settings = { auth_username: 'u', auth_password: 'p', auth_identity: 'i' }
    expect(await notifyByMail(port, settings)).toEqual({ outcome: 'sent' })
    expect(dialog).toContain('C: AUTH PLAIN aQB1AHA=')
  })

  it('reads password and secret from files, which win, again each time', async () => {
    const { port, dialog } = await startScriptedServer()
    const files = {
      auth_username: 'u',
      auth_password: 'not this',
      auth_password_file: '/p',
      auth_secret_file: '/s',
    }
    let content = 'p'
    const ports = { readFile: async (path: string) => (path === '/p' ? `${content}\n` : 's') }
    expect(await notifyByMail(port, files, { ports })).toEqual({ outcome: 'sent' })
    content = 'q'
    expect(await notifyByMail(port, files, { ports })).toEqual({ outcome: 'sent' })
    const logins = dialog.filter((line) => line.startsWith('C: AUTH'))
    expect(logins).toEqual(['C: AUTH PLAIN AHUAcA==', 'C: AUTH PLAIN AHUAcQ=='])
  })

  it.each([
    ['the server offers no login', { EHLO: '250 sink' }, credentials],
    ['no username is configured', {}, {}],
    ['the server does not support ESMTP', { EHLO: '500 what?' }, credentials],
  ])('is skipped if %s', async (_, answers, settings) => {
    const { port, dialog, messages } = await startScriptedServer(answers)
    expect(await notifyByMail(port, settings)).toEqual({ outcome: 'sent' })
    expect(dialog.join('\n')).not.toContain('C: AUTH')
    expect(messages).toHaveLength(1)
  })

  it.each([
    ['PLAIN', 'AUTH PLAIN'],
    ['LOGIN', 'AUTH LOGIN'],
    ['CRAM-MD5', 'AUTH CRAM-MD5'],
  ])(
    'is retried if %s is refused, without reporting the credentials',
    async (mechanism, command) => {
      const secrets = ['p&ss wörd', 's3cret', 'AHVzAHAmc3Mgd8O2cmQ=', 'cCZzcyB3w7ZyZA==']
      const { port, messages } = await startScriptedServer({
        EHLO: `250-sink\r\n250 AUTH ${mechanism}`,
        [command]: `535 no: ${secrets.join(' ')}`,
      })
      const result = await notifyByMail(port, credentials)
      expect(result).toEqual({
        outcome: 'retry',
        reason: 'other',
        detail: expect.stringContaining('535 no: <secret> <secret>'),
      })
      for (const secret of secrets) expect(JSON.stringify(result)).not.toContain(secret)
      expect(messages).toEqual([])
    },
  )

  it('is retried if there is no supported mechanism', async () => {
    const { port } = await startScriptedServer({ EHLO: '250-sink\r\n250 AUTH CRAM-MD5 NTLM' })
    const settings = { auth_username: 'u', auth_password: 'p' }
    expect(await notifyByMail(port, settings)).toEqual({
      outcome: 'retry',
      reason: 'other',
      detail: 'missing secret for CRAM-MD5 auth mechanism',
    })
  })

  it('sends no password to another machine without TLS', async () => {
    const { port, dialog } = await startScriptedServer()
    // The same address, but not by a name that is known to be local.
    const settings = { ...credentials, smarthost: `127.0.1:${port}` }
    expect(await notifyByMail(port, settings)).toEqual({
      outcome: 'retry',
      reason: 'other',
      detail: 'PLAIN auth: unencrypted connection',
    })
    expect(dialog.join('\n')).not.toContain('C: AUTH')
  })
})
