import type { OutgoingMessage } from '@gatehouse/core/auth'
import { type ConfigKind, integer, optional, text } from '@gatehouse/core/config'
import { createTransport } from 'nodemailer'
import { duration, oneOfThese } from '../config/config-file.ts'
import { section } from '../config/config-section.ts'
import {
  type Outside,
  outsideFile,
  outsideText,
  type PlacedText,
  placedText,
} from '../config/outside-text.ts'
import type { MessageSender } from './message-sender.ts'

/** The section `smtp`: the server that takes mails. */
export interface SmtpSection {
  readonly host: string
  readonly port: number | undefined
  /** Who the mails are from, as `Example <no-reply@example.com>`. */
  readonly from: string
  readonly username: PlacedText | undefined
  readonly password: PlacedText | undefined
  readonly password_file: PlacedText | undefined
  /** Whether TLS is spoken after STARTTLS, at once, or not at all. */
  readonly tls: 'auto' | 'starttls' | 'implicit' | 'off'
  /** PEM file of who has signed the certificate of the server. */
  readonly ca_file: PlacedText | undefined
  /** How long a mail may take, in ms. */
  readonly timeout: number
}

const implicitTlsPort = 465
const isThisMachine = (host: string): boolean => ['localhost', '127.0.0.1', '::1'].includes(host)

/** How the section is read. */
export const smtpSection: ConfigKind<SmtpSection> = section<SmtpSection>({
  typeName: 'smtp',
  fields: {
    host: { kind: text },
    port: { kind: optional(integer('uint')) },
    from: { kind: text },
    username: { kind: placedText },
    password: { kind: placedText },
    password_file: { kind: placedText },
    tls: { kind: oneOfThese(['auto', 'starttls', 'implicit', 'off']) },
    ca_file: { kind: placedText },
    timeout: { kind: duration, default: 30_000 },
  },
  check(given, report) {
    const { host, port, from, username, password, password_file: file, tls, timeout } = given
    if (host === '') report('host is missing: the name of the mail server')
    if (port !== undefined && (port < 1 || port > 65_535)) report('port is from 1 to 65535', 'port')
    if (!/^[^\r\n]*@[^\r\n@]+$/.test(from)) {
      report('from must be the address mails are from: Example <no-reply@example.com>', 'from')
    }
    const hasPassword = password !== undefined || file !== undefined
    if (hasPassword !== (username !== undefined)) report('username and password go together')
    if (password !== undefined && file !== undefined) {
      report('either password or password_file', 'password_file')
    }
    if (tls === 'off' && hasPassword && !isThisMachine(host)) {
      report('a password does not travel without TLS', 'tls')
    }
    if (timeout < 1_000 || timeout > 600_000) report('timeout is from 1s to 10m', 'timeout')
  },
})

/** A mail server, and who logs in there. */
export interface SmtpSettings {
  readonly host: string
  readonly port: number
  readonly from: string
  readonly security: 'starttls' | 'implicit' | 'off'
  readonly login: { readonly user: string; readonly pass: string } | undefined
  readonly ca: string | undefined
  readonly timeoutMs: number
}

/** What a section says; what it takes from outside and is not there is noted. */
export async function readSmtp(given: SmtpSection, outside: Outside): Promise<SmtpSettings> {
  const { host, from, tls, timeout: timeoutMs } = given
  const port = given.port ?? (tls === 'implicit' ? implicitTlsPort : 587)
  const usual = port === implicitTlsPort ? 'implicit' : 'starttls'
  const user = given.username && outsideText(outside, given.username)
  const pass =
    given.password_file === undefined
      ? given.password && outsideText(outside, given.password)
      : await outsideFile(outside, given.password_file)
  return {
    host,
    port,
    from,
    security: tls === 'auto' ? usual : tls,
    login: user === undefined || pass === undefined ? undefined : { user, pass },
    ca: given.ca_file && (await outsideFile(outside, given.ca_file)),
    timeoutMs,
  }
}

/** Connections to the server at a time; further mails wait for one. */
const maxConnections = 5
/** Above it a mail is refused: who waits that long has gone. */
const mostWaiting = 1_000

/** Sends mails by a server, over connections that are kept for the next one. */
export function createSmtpSender(settings: SmtpSettings): MessageSender {
  const { host, port, from, security, login, ca, timeoutMs } = settings
  const transport = createTransport({
    pool: true,
    maxConnections,
    host,
    port,
    secure: security === 'implicit',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'off',
    ...(login === undefined ? {} : { auth: login }),
    ...(ca === undefined ? {} : { tls: { ca } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  let waiting = 0
  return {
    async send(message) {
      if (waiting >= mostWaiting) throw new Error('too many mails wait for the server')
      waiting++
      const sending = transport.sendMail(mailOf(message, from)).finally(() => {
        waiting--
      })
      await within(timeoutMs, sending)
    },
    close: () => transport.close(),
  }
}

function mailOf({ target, subject = '', text: plain, html }: OutgoingMessage, from: string) {
  return {
    from,
    // As parts, since a text would be read as a list of addresses.
    to: { name: '', address: target },
    subject,
    text: plain,
    ...(html === undefined ? {} : { html }),
    // Nobody's holiday notice answers it. See RFC 3834, section 5.
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

async function within<T>(timeoutMs: number, sending: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    const told = `the mail server took longer than ${timeoutMs / 1_000} s`
    timer = setTimeout(() => reject(new Error(told)), timeoutMs)
  })
  try {
    return await Promise.race([sending, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
