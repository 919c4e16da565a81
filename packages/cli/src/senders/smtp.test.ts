import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { OutgoingMessage } from '@gatehouse/core/auth'
import type { SMTPServerOptions } from 'smtp-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type MailServer, startMailServer } from '../../../../test-support/mail-server.ts'
import { createSmtpSender, type SmtpSettings } from './smtp.ts'

const fixture = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url)))

const message: OutgoingMessage = {
  kind: 'verification',
  channel: 'email',
  target: 'maya@example.com',
  code: '123456',
  subject: 'Your code – 123456',
  text: 'It is 123456.',
  html: '<p>It is <b>123456</b>.</p>',
  locale: 'en',
  client_id: null,
  user_id: null,
  expires_at: 0,
}

/** A mail server with a certificate that accepts users with the password. */
const mailServer = (options: SMTPServerOptions = {}): Promise<MailServer> =>
  startMailServer({
    key: fixture('server.key'),
    cert: fixture('server.pem'),
    onAuth({ username, password }, _session, done) {
      if (password === 'right') done(null, { user: username })
      else done(new Error('no such user'))
    },
    onRcptTo({ address }, _session, done) {
      done(address.startsWith('nobody') ? new Error('no such box') : null)
    },
    ...options,
  })

function senderTo(port: number, settings: Partial<SmtpSettings> = {}) {
  const sender = createSmtpSender({
    host: '127.0.0.1',
    port,
    from: 'Example <no-reply@example.com>',
    security: 'starttls',
    login: undefined,
    ca: fixture('ca.pem').toString(),
    timeoutMs: 5_000,
    ...settings,
  })
  onTestFinished(() => sender.close())
  return sender
}

describe('createSmtpSender()', () => {
  it('sends a mail with text and HTML after STARTTLS and login', async () => {
    const { port, mails } = await mailServer()
    await senderTo(port, { login: { user: 'u', pass: 'right' } }).send(message)
    const [mail] = mails
    expect(mail).toMatchObject({
      from: 'no-reply@example.com',
      to: ['maya@example.com'],
      isSecure: true,
      user: 'u',
    })
    expect(mail?.message).toMatch(/^From: Example <no-reply@example\.com>\r$/m)
    expect(mail?.message).toMatch(/^To: maya@example\.com\r$/m)
    expect(mail?.message).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    expect(mail?.message).toContain('multipart/alternative')
    expect(mail?.message).toContain('It is 123456.')
    expect(mail?.message).toContain('<b>123456</b>')
  })

  it('keeps its connection for the next mail', async () => {
    const { port, mails, connections } = await mailServer()
    const sender = senderTo(port)
    await sender.send(message)
    await sender.send({ ...message, target: 'noah@example.com' })
    expect(mails.map(({ to }) => to)).toEqual([['maya@example.com'], ['noah@example.com']])
    expect(connections()).toBe(1)
  })

  it('uses implicit TLS, or none at all', async () => {
    const implicit = await mailServer({ secure: true })
    await senderTo(implicit.port, { security: 'implicit' }).send(message)
    expect(implicit.mails).toMatchObject([{ isSecure: true }])
    const plain = await mailServer({ disabledCommands: ['STARTTLS'] })
    await senderTo(plain.port, { security: 'off' }).send(message)
    expect(plain.mails).toMatchObject([{ isSecure: false }])
  })

  it('does not split one address into two', async () => {
    const { port, mails } = await mailServer()
    const two = { ...message, target: 'maya@example.com, eve@example.com' }
    await expect(senderTo(port).send(two)).rejects.toThrow()
    expect(mails).toEqual([])
  })

  it.each<[string, SMTPServerOptions, Partial<SmtpSettings>, RegExp]>([
    ['has no STARTTLS', { disabledCommands: ['STARTTLS'] }, {}, /STARTTLS/],
    ['has an untrusted certificate', {}, { ca: undefined }, /certificate/],
    ['refuses the login', {}, { login: { user: 'u', pass: 'wrong' } }, /Invalid login/],
  ])('sends nothing to a server that %s', async (_, options, settings, reason) => {
    const { port, mails } = await mailServer(options)
    const failure: unknown = await senderTo(port, settings)
      .send(message)
      .catch((error: unknown) => error)
    expect(String(failure)).toMatch(reason)
    expect(String(failure)).not.toMatch(/wrong|123456/)
    expect(mails).toEqual([])
  })

  it('reports a refused address', async () => {
    const { port } = await mailServer()
    const refused = senderTo(port).send({ ...message, target: 'nobody@example.com' })
    await expect(refused).rejects.toThrow('no such box')
  })

  it('gives up on a silent server', async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    await expect(senderTo(port, { timeoutMs: 100 }).send(message)).rejects.toThrow()
  })
})
