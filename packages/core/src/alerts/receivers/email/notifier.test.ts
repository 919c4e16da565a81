import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { startMailServer } from '../../../../../../test-support/mail-server.ts'
import { systemIds } from '../../../crypto/ids.ts'
import { createManualClock } from '../../../testing/index.ts'
import { recordedIntegration } from '../configured.fixture.ts'
import { renderedNotification, testPorts } from '../delivery.fixture.ts'
import { sampleAlert } from '../notifier.fixture.ts'
import { boundary, clock, type Given, ids, notifyByMail as notify } from './mail.fixture.ts'
import { startScriptedServer } from './mail-server.fixture.ts'
import { email } from './notifier.ts'
import { loadSmtpConnection } from './smtp-connection.ts'

describe('recorded mails', () => {
  const recording: {
    readonly emails: readonly { smtp: readonly string[]; headersAndTextPart: string }[]
  } = JSON.parse(
    readFileSync(new URL('../../../../vectors/alerts/receivers.json', import.meta.url), 'utf8'),
  )

  it.each([
    ['firing', 0],
    ['resolved', 1],
  ] as const)('are sent in the same form, %s', async (phase, index) => {
    const { port, dialog, messages } = await startScriptedServer()
    const integration = {
      ...recordedIntegration('email', 'http://127.0.0.1'),
      smarthost: { host: '127.0.0.1', port: String(port) },
    }
    const notifier = email.create(integration, testPorts({ clock, ids }))
    const notification = renderedNotification({ resolved: phase === 'resolved' })
    expect(await notifier.notify(notification, new AbortController().signal)).toEqual({
      outcome: 'sent',
    })
    await expect.poll(() => dialog.at(-1)).toBe('closed')
    expect(dialog.slice(0, -1)).toEqual(recording.emails[index]?.smtp)
    const comparable = messages[0]
      ?.replaceAll('\r\n', '\n')
      .replaceAll(boundary, '<boundary>')
      .replace(/^(Message-Id|Date): .*$/gm, '$1: <any>')
    const recorded = recording.emails[index]?.headersAndTextPart ?? ''
    expect(comparable?.slice(0, recorded.length)).toBe(recorded)
  })
})

/** The lines of the email that these settings send. */
async function linesOf(settings: object, given: Given = {}): Promise<readonly string[]> {
  const { port, mails } = await startMailServer()
  expect(await notify(port, settings, given)).toEqual({ outcome: 'sent' })
  expect(mails).toHaveLength(1)
  return mails[0]?.message.split('\r\n') ?? []
}

const subject = 'Subject: [FIRING:2] DiskFull (critical)'
const messageId = '<1795222923000000000.9305357566071262703@localhost.localdomain>'

describe('the message', () => {
  it('has the configured headers, then those of every email', async () => {
    const lines = await linesOf(
      {
        from: 'AM <am@example.org>',
        headers: { 'x-status': 'is {{ .Status }}', 'reply-to': 'Jörg <j@example.org>' },
        text: 'one {{ .Status }}\n.\nend ',
        html: '<b>{{ .CommonAnnotations.summary }}</b>',
      },
      { ports: { hostname: 'am-1' } },
    )
    expect(lines).toEqual([
      'X-Status: is firing',
      'Reply-To: =?utf-8?q?J=C3=B6rg?= <j@example.org>',
      subject,
      'To: a@example.org',
      'From: AM <am@example.org>',
      `Message-Id: ${messageId.replace('localhost.localdomain', 'am-1')}`,
      'Date: Sat, 21 Nov 2026 01:02:03 +0000',
      `Content-Type: multipart/alternative;  boundary=${boundary}`,
      'MIME-Version: 1.0',
      '',
      `--${boundary}`,
      'Content-Transfer-Encoding: quoted-printable',
      'Content-Type: text/plain; charset=UTF-8',
      '',
      'one firing',
      '.',
      'end=20',
      `--${boundary}`,
      'Content-Transfer-Encoding: quoted-printable',
      'Content-Type: text/html; charset=UTF-8',
      '',
      '<b>Disk &lt;full&gt; &amp; &#34;hot&#34;</b>',
      `--${boundary}--`,
      '',
    ])
  })

  it('lets the configuration override default headers', async () => {
    const headers = { subject: 's', to: 'undisclosed', from: 'f', 'message-id': '<m@h>' }
    const lines = await linesOf({ headers })
    expect(lines.slice(0, 5)).toEqual([
      'Subject: s',
      'To: undisclosed',
      'From: f',
      'Message-Id: <m@h>',
      'Date: Sat, 21 Nov 2026 01:02:03 +0000',
    ])
  })

  it('has each header once that may stand only once', async () => {
    const headers = {
      date: 'Thu, 1 Jan 1970 00:00:00 +0000',
      'mime-version': '2.0',
      'CONTENT-TYPE': 'text/plain',
      'content-transfer-encoding': 'base64',
      references: '<a@b>',
      'in-reply-to': '<c@d>',
      sender: 's@h',
      'reply-to': 'r@h',
      cc: 'c@h',
      'message-ID': '<m@h>',
      subject: 's',
      from: 'f@h',
      to: 't@h',
    }
    const lines = await linesOf({ headers, threading: { enabled: false } })
    expect(lines.slice(0, lines.indexOf('')).toSorted()).toEqual([
      'Cc: c@h',
      `Content-Type: multipart/alternative;  boundary=${boundary}`,
      'Date: Thu, 1 Jan 1970 00:00:00 +0000',
      'From: f@h',
      'In-Reply-To: <c@d>',
      'MIME-Version: 1.0',
      'Message-Id: <m@h>',
      'References: <a@b>',
      'Reply-To: r@h',
      'Sender: s@h',
      'Subject: s',
      'To: t@h',
    ])
  })

  it.each([
    ['none', '<alert-17c4e445d234645c-@alertmanager>'],
    ['daily', '<alert-17c4e445d234645c-2026-11-21@alertmanager>'],
  ])('joins a thread, a new one each day: %s', async (thread_by_date, root) => {
    const lines = await linesOf({ threading: { enabled: true, thread_by_date } })
    expect(lines.slice(3, 7)).toEqual([
      `Message-Id: ${messageId}`,
      `References: ${root}`,
      `In-Reply-To: ${root}`,
      'Date: Sat, 21 Nov 2026 01:02:03 +0000',
    ])
  })

  it('has a unique id', async () => {
    const { port, mails, connections } = await startMailServer()
    for (let count = 0; count < 2; count++) {
      expect(await notify(port, {}, { ports: { ids: systemIds } })).toEqual({ outcome: 'sent' })
    }
    const found = mails.map(({ message }) => /^Message-Id: (.*)\r$/m.exec(message)?.[1])
    expect(found[0]).toMatch(/^<1795222923000000000\.\d{15,20}@localhost\.localdomain>$/)
    expect(new Set(found).size).toBe(2)
    expect(connections()).toBe(2)
  })

  it('lets no alert add a header', async () => {
    const summary = 'all is well\r\nBcc: thief@example.org\r\n\r\n<script>'
    const alerts = [sampleAlert({ annotations: { summary } })]
    const lines = await linesOf(
      { headers: { subject: '{{ .CommonAnnotations.summary }}', 'x-why': 'é{{ .Status }}' } },
      { notification: { alerts } },
    )
    expect(lines.slice(0, 3)).toEqual([
      'Subject: =?utf-8?q?all_is_well=0D=0ABcc:_thief@example.org=0D=0A=0D=0A<script>?=',
      'X-Why: =?utf-8?q?=C3=A9firing?=',
      'To: a@example.org',
    ])
  })

  it('is sent with bare addresses in the envelope', async () => {
    const { port, mails } = await startMailServer()
    const settings = {
      from: '"Alert, Manager" <am@example.org>',
      to: 'A <a@example.org>, {{ .CommonLabels.severity }}@example.org',
    }
    expect(await notify(port, settings)).toEqual({ outcome: 'sent' })
    const to = ['a@example.org', 'critical@example.org']
    expect(mails).toMatchObject([{ from: 'am@example.org', to, isSecure: false }])
  })
})

describe('a failure that no retry can fix', () => {
  it.each<[problem: string, settings: object, error: object]>([
    ['a template', { text: '{{ .Nope }}' }, { reason: 'TemplateExecution' }],
    ['a template of a header', { headers: { a: '{{ .Nope }}' } }, { reason: 'TemplateExecution' }],
    ['a header', { headers: { 'a\r\nb': 'c' } }, { reason: 'InvalidHeader' }],
    [
      'several senders',
      { from: 'a@b, c@d' },
      { message: "must be exactly one 'from' address (got: 2)" },
    ],
    [
      'the sender',
      { from: 'me' },
      { message: `parse 'from' addresses: mail: missing '@' or angle-addr` },
    ],
    [
      'a recipient',
      { to: 'you,' },
      { message: `parse 'to' addresses: mail: missing '@' or angle-addr` },
    ],
    ['a recipient, rendered', { to: '{{ .CommonLabels.nobody }}' }, { reason: 'InvalidAddress' }],
    ['the port', { smarthost: '127.0.0.1:post' }, { reason: 'InvalidPort' }],
    [
      'the file of the authorities',
      { require_tls: true, tls_config: { ca_file: '/ca.pem' } },
      { reason: 'UnreadableFile' },
    ],
    [
      'the certificate',
      { force_implicit_tls: true, tls_config: { cert: 'no PEM', key: 'none either' } },
      { reason: 'UnusableTls', message: expect.not.stringContaining('none either') },
    ],
    [
      'the file of the password',
      { auth_username: 'u', auth_password_file: '/p' },
      { message: /\/p/ },
    ],
  ])('is an error: %s', async (_, settings, error) => {
    const { port, connections } = await startMailServer()
    await expect(notify(port, settings)).rejects.toMatchObject(
      'message' in error && error.message instanceof RegExp
        ? { message: expect.stringMatching(error.message) }
        : error,
    )
    expect(connections()).toBe(0)
  })

  it('can be a missing package', async () => {
    const load = () => Promise.reject(new Error('Cannot find package'))
    await expect(loadSmtpConnection(load)).rejects.toMatchObject({
      reason: 'MissingPackage',
      message: expect.stringContaining('npm install nodemailer'),
    })
  })
})

describe('a refusal', () => {
  it.each([
    ['greeting', '554 no service'],
    ['EHLO', '421 too busy'],
    ['MAIL', '451 try later'],
    ['RCPT', '550 no such user'],
    ['DATA', '554 no'],
    ['message', '552 too much'],
  ])('of the %s is retried', async (command, answer) => {
    const { port } = await startScriptedServer({ [command]: answer })
    expect(await notify(port, {})).toEqual({
      outcome: 'retry',
      reason: 'other',
      detail: expect.stringContaining(answer),
    })
  })

  it.each([
    ['with pipelining', '250-sink\r\n250 PIPELINING'],
    ['one by one', '250 sink'],
  ])('of one recipient keeps the email from all: %s', async (_, EHLO) => {
    const refused = { EHLO, 'RCPT TO:<b@example.org>': '550 no such user' }
    const { port, messages } = await startScriptedServer(refused)
    const to = 'a@example.org, b@example.org, c@example.org'
    expect(await notify(port, { to })).toEqual({
      outcome: 'retry',
      reason: 'other',
      detail: expect.stringContaining('550 no such user'),
    })
    expect(messages).toEqual([])
  })

  it('can be a missing response', async () => {
    expect(await notify(1, {})).toEqual({
      outcome: 'retry',
      reason: 'other',
      detail: expect.stringContaining('ECONNREFUSED'),
    })
  })

  it('can be a closed connection', async () => {
    const { port } = await startScriptedServer({ MAIL: 'close' })
    expect(await notify(port, {})).toMatchObject({ outcome: 'retry', reason: 'other' })
  })
})

describe('the end of an attempt', () => {
  it.each(['greeting', 'EHLO', 'AUTH PLAIN', 'MAIL', 'message'])(
    'may come while it waits for the reply to the %s',
    async (command) => {
      const { port, dialog } = await startScriptedServer({ [command]: '' })
      const ending = new AbortController()
      const login = { auth_username: 'u', auth_password: 'p' }
      const result = notify(port, login, { signal: ending.signal })
      const last = { greeting: undefined, message: 'C: DATA' }[command]
      await expect.poll(() => dialog.length === 0 || dialog.at(-1)).toBeTruthy()
      if (last !== undefined) await expect.poll(() => dialog).toContain(last)
      ending.abort()
      expect(await result).toMatchObject({
        outcome: 'retry',
        reason: 'contextCanceled',
        ...(command === 'message' ? { mayHaveArrived: true } : {}),
      })
    },
  )

  it('may come by timeout, or before it has started', async () => {
    const { port, dialog } = await startScriptedServer({ EHLO: '' })
    const ending = new AbortController()
    const late = notify(port, {}, { signal: ending.signal })
    await expect.poll(() => dialog.at(-1)).toBe('C: EHLO localhost')
    ending.abort(new DOMException('', 'TimeoutError'))
    expect(await late).toMatchObject({ outcome: 'retry', reason: 'contextDeadlineExceeded' })
    const never = await notify(port, {}, { signal: AbortSignal.abort() })
    expect(never).toMatchObject({ outcome: 'retry', reason: 'contextCanceled' })
  })

  it('does not wait for the reply to QUIT forever', async () => {
    const { port, dialog } = await startScriptedServer({ QUIT: '' })
    const manual = createManualClock()
    expect(await notify(port, {}, { ports: { clock: manual } })).toEqual({ outcome: 'sent' })
    await expect.poll(() => dialog.at(-1)).toBe('C: QUIT')
    expect(manual.pendingTimers).toBe(1)
    manual.advance(5_000)
    await expect.poll(() => dialog.at(-1)).toBe('closed')
  })
})
