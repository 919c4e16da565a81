import { describe, expect, it } from 'vitest'
import { startMailServer } from '../../../../../../test-support/mail-server.ts'
import { createCertificate } from '../../../http-client/certificate.fixture.ts'
import { notifyByMail } from './mail.fixture.ts'
import { startScriptedServer } from './mail-server.fixture.ts'

/** A self-signed certificate. */
const { cert, key } = createCertificate('server')
const client = createCertificate('client')
const tls_config = { ca: cert }

const refusal = (detail: string) => ({
  outcome: 'retry',
  reason: 'other',
  detail: expect.stringContaining(detail),
})

describe('TLS', () => {
  it('is used after STARTTLS if required, or at once if configured', async () => {
    const settings = { require_tls: true, tls_config, auth_username: 'u', auth_password: 'p' }
    for (const secure of [false, true]) {
      const { port, mails } = await startMailServer({
        secure,
        cert,
        key,
        onAuth: ({ username }, _, done) => done(null, { user: username }),
      })
      const given = secure ? { ...settings, force_implicit_tls: true } : settings
      expect(await notifyByMail(port, given)).toEqual({ outcome: 'sent' })
      expect(mails).toMatchObject([{ isSecure: true, user: 'u' }])
    }
  })

  it('is not used if it is not required', async () => {
    const { port, mails } = await startMailServer({ cert, key })
    expect(await notifyByMail(port, { require_tls: false, tls_config })).toEqual({
      outcome: 'sent',
    })
    expect(mails).toMatchObject([{ isSecure: false }])
  })

  it('is used only with a trusted server', async () => {
    for (const secure of [false, true]) {
      const { port, mails } = await startMailServer({ secure, cert, key })
      const settings = { require_tls: true, force_implicit_tls: secure }
      expect(await notifyByMail(port, settings)).toEqual(refusal('certificate'))
      const other = { ...settings, tls_config: { ...tls_config, server_name: 'mail.example.org' } }
      expect(await notifyByMail(port, other)).toEqual(refusal("does not match certificate's"))
      expect(mails).toEqual([])
      const trusting = { ...settings, tls_config: { insecure_skip_verify: true } }
      expect(await notifyByMail(port, trusting)).toEqual({ outcome: 'sent' })
    }
  })

  it('may use its own certificate, read from files each time', async () => {
    const { port, mails } = await startMailServer({
      secure: true,
      cert,
      key,
      requestCert: true,
      rejectUnauthorized: true,
      ca: client.cert,
    })
    const settings = {
      force_implicit_tls: true,
      tls_config: { ca_file: '/ca', cert_file: '/cert', key_file: '/key' },
    }
    const files = new Map([
      ['/ca', cert],
      ['/cert', client.cert],
      ['/key', client.key],
    ])
    const ports = { readFile: async (path: string) => files.get(path) ?? '' }
    expect(await notifyByMail(port, settings, { ports })).toEqual({ outcome: 'sent' })
    expect(mails).toMatchObject([{ isSecure: true }])
    files.set('/ca', createCertificate('another').cert)
    expect(await notifyByMail(port, settings, { ports })).toMatchObject({ outcome: 'retry' })
  })

  it('is reported as missing if it is required and not offered, whatever the server would reply', async () => {
    const problem = (port: number) => ({
      outcome: 'retry',
      reason: 'other',
      detail: `'require_tls' is true (default) but "127.0.0.1:${port}" does not advertise the STARTTLS extension`,
    })
    const hidden = await startMailServer({ cert, key, hideSTARTTLS: true })
    const settings = { require_tls: true, tls_config }
    expect(await notifyByMail(hidden.port, settings)).toEqual(problem(hidden.port))
    expect(hidden.mails).toEqual([])
    const unknown = await startScriptedServer({ STARTTLS: '502 what?' })
    expect(await notifyByMail(unknown.port, settings)).toEqual(problem(unknown.port))
  })

  it('may be refused although it is offered', async () => {
    const answers = { EHLO: '250-sink\r\n250 STARTTLS', STARTTLS: '454 not now' }
    const { port, dialog } = await startScriptedServer(answers)
    expect(await notifyByMail(port, { require_tls: true })).toEqual(refusal('454 not now'))
    expect(dialog.join('\n')).not.toContain('MAIL')
  })
})
