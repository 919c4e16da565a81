import type { OutgoingMessage } from '@gatehouse/core/auth'
import {
  built,
  type Checking,
  checked,
  duration,
  filledText,
  integer,
  mapping,
  oneOf,
  optional,
  required,
  type Schema,
  secretText,
  textLike,
  withDefault,
} from '@gatehouse/core/document'
import { fileText, filledOutsideText } from '../config/kinds.ts'
import type { MessageSender } from './message-sender.ts'

/** The section `smtp`: the server that takes mails. */
interface SmtpSection {
  readonly host: string
  readonly port: number | undefined
  readonly from: string
  readonly username: string | undefined
  readonly password: string | undefined
  /** The content of the file. */
  readonly password_file: string | undefined
  readonly tls: 'auto' | 'starttls' | 'implicit' | 'off'
  /** The content of the file. */
  readonly ca_file: string | undefined
  /** In ms. */
  readonly timeout: number
}

const from: Schema<string> = textLike(
  (address) => /^[^\r\n]*@[^\r\n@]+$/.test(address),
  'the address mails are from: Example <no-reply@example.com>',
)

const parts = mapping<SmtpSection>(
  {
    host: required(filledText, 'The mail server.'),
    port: optional(integer(1, 65_535), 'Its port. Default: 587, or 465 with `tls: implicit`.'),
    from: required(from, 'The sender of emails, such as `Example <no-reply@example.com>`.'),
    username: optional(filledOutsideText, 'Logs in, together with a password.'),
    password: optional(secretText, 'The password.'),
    password_file: optional(fileText, 'A file that holds the password.'),
    tls: withDefault(
      oneOf('auto', 'starttls', 'implicit', 'off'),
      'auto',
      'How TLS begins: by STARTTLS, which must succeed (`starttls`), at once (`implicit`), or not at all (`off`). `auto` is `implicit` at port 465 and `starttls` at others.',
    ),
    ca_file: optional(
      fileText,
      'A PEM file of the authorities that have signed the certificate of the server. Default: those of Node.js.',
    ),
    timeout: withDefault(
      duration({ least: 1_000, most: 600_000 }),
      '30s',
      'How long a mail may take.',
    ),
  },
  { title: 'Smtp' },
)

const isThisMachine = (host: string): boolean => ['localhost', '127.0.0.1', '::1'].includes(host)

function checkLogin({ value, isBroken, report }: Checking<SmtpSection>): void {
  const { host, tls } = value
  const isThere = (key: keyof SmtpSection): boolean => value[key] !== undefined || isBroken(key)
  const hasPassword = isThere('password') || isThere('password_file')
  if (hasPassword !== isThere('username')) {
    report([], 'conflict', 'needs both a username and a password, or neither')
  }
  if (isThere('password') && isThere('password_file')) {
    report(['password_file'], 'conflict', 'set password or password_file, not both')
  }
  if (tls === 'off' && hasPassword && host !== undefined && !isThisMachine(host)) {
    report(['tls'], 'conflict', 'must not be off: a password is sent to another machine')
  }
}

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

const implicitTlsPort = 465

/** How the section `smtp` is read. */
export const smtpSection: Schema<SmtpSettings> = built(
  checked(parts, checkLogin),
  ({ host, from, tls, username: user, password, password_file: pass = password, ...rest }) => {
    const port = rest.port ?? (tls === 'implicit' ? implicitTlsPort : 587)
    const usual = port === implicitTlsPort ? 'implicit' : 'starttls'
    return {
      host,
      port,
      from,
      security: tls === 'auto' ? usual : tls,
      login: user === undefined || pass === undefined ? undefined : { user, pass },
      ca: rest.ca_file,
      timeoutMs: rest.timeout,
    }
  },
)

/** Concurrent connections to the server. Further mails wait. */
const maxConnections = 5
/** Above it a mail is refused: the user would have given up long before it was sent. */
const maxWaiting = 1_000

/** Sends mail through a server, over pooled connections. */
export function createSmtpSender(settings: SmtpSettings): MessageSender {
  const { host, port, from, security, login, ca, timeoutMs } = settings
  const openTransport = async () =>
    (await import('nodemailer')).createTransport({
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
  let transport: ReturnType<typeof openTransport> | undefined
  let waiting = 0
  return {
    async send(message) {
      if (waiting >= maxWaiting) throw new Error('too many mails are waiting for the server')
      waiting++
      transport ??= openTransport()
      const sending = transport
        .then((open) => open.sendMail(mailOf(message, from)))
        .finally(() => {
          waiting--
        })
      await within(timeoutMs, sending)
    },
    close: () => void transport?.then((open) => open.close()),
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
