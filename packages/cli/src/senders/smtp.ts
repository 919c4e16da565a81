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

/** The section `smtp`: the server that takes mail. */
export interface SmtpSection {
  readonly host: string
  readonly port: number | undefined
  /** The sender of the mails, as `Example <no-reply@example.com>`. */
  readonly from: string
  readonly username: PlacedText | undefined
  readonly password: PlacedText | undefined
  readonly password_file: PlacedText | undefined
  /** Whether TLS starts by STARTTLS, at once, or not at all. */
  readonly tls: 'auto' | 'starttls' | 'implicit' | 'off'
  /** PEM file of the CA that signed the server's certificate. */
  readonly ca_file: PlacedText | undefined
  /** The timeout of a mail, in ms. */
  readonly timeout: number
}

const implicitTlsPort = 465
const isThisMachine = (host: string): boolean => ['localhost', '127.0.0.1', '::1'].includes(host)

/** How the section is decoded. */
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
    if (port !== undefined && (port < 1 || port > 65_535))
      report('port must be from 1 to 65535', 'port')
    if (!/^[^\r\n]*@[^\r\n@]+$/.test(from)) {
      report(
        'from must be the address that mails come from, such as Example <no-reply@example.com>',
        'from',
      )
    }
    const hasPassword = password !== undefined || file !== undefined
    if (hasPassword !== (username !== undefined))
      report('username and password must be set together')
    if (password !== undefined && file !== undefined) {
      report('set either password or password_file, not both', 'password_file')
    }
    if (tls === 'off' && hasPassword && !isThisMachine(host)) {
      report('a password is not sent without TLS', 'tls')
    }
    if (timeout < 1_000 || timeout > 600_000) report('timeout must be from 1s to 10m', 'timeout')
  },
})

/** A mail server, and the login there. */
export interface SmtpSettings {
  readonly host: string
  readonly port: number
  readonly from: string
  readonly security: 'starttls' | 'implicit' | 'off'
  readonly login: { readonly user: string; readonly pass: string } | undefined
  readonly ca: string | undefined
  readonly timeoutMs: number
}

/** Resolves a section; reports missing files and variables. */
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

/** Concurrent connections to the server. Further mails wait. */
const maxConnections = 5
/** Above it a mail is refused: the user would have given up long before it was sent. */
const mostWaiting = 1_000

/** Sends mail through a server, over pooled connections. */
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
      if (waiting >= mostWaiting) throw new Error('too many mails are waiting for the server')
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
    // As an object, since a string would be parsed as a list of addresses.
    to: { name: '', address: target },
    subject,
    text: plain,
    ...(html === undefined ? {} : { html }),
    // Prevents automatic replies, such as holiday notices. See RFC 3834, section 5.
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

async function within<T>(timeoutMs: number, sending: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    const message = `the mail server took longer than ${timeoutMs / 1_000} s`
    timer = setTimeout(() => reject(new Error(message)), timeoutMs)
  })
  try {
    return await Promise.race([sending, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
