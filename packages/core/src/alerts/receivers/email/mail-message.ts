import type { Instant } from '../../../time/clock.ts'
import { mailHeader } from './mail-header.ts'
import { quotedPrintable } from './quoted-printable.ts'

/** One of several formats of an email's text. */
export interface MailPart {
  readonly type: 'text/plain' | 'text/html'
  readonly text: string
}

/** The content of an email. */
export interface MailContent {
  /** By canonical names, in their order, without {@link formatHeaders}. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** For the header `Date`, unless that is among the headers. */
  readonly date: Instant
  /** From the simplest to the richest format. */
  readonly parts: readonly MailPart[]
  /** Separates the parts; occurs in none of them. */
  readonly boundary: string
}

/** Headers that describe the format of an email. They follow from its parts. */
export const formatHeaders: ReadonlySet<string> = new Set([
  'Content-Type',
  'Content-Transfer-Encoding',
  'Mime-Version',
])

/** An email as it is sent: ASCII lines that end with CRLF. @see RFC 5322; RFC 2046, section 5.1.4 */
export function mailMessage({ headers, date, parts, boundary }: MailContent): string {
  const hasDate = headers.some(([name]) => name === 'Date')
  return [
    ...headers.map(([name, value]) => mailHeader(name, value)),
    hasDate ? '' : mailHeader('Date', mailDate(date)),
    // Two blanks, as in Alertmanager.
    mailHeader('Content-Type', `multipart/alternative;  boundary=${boundary}`),
    mailHeader('MIME-Version', '1.0'),
    ...parts.map((part) => `\r\n--${boundary}\r\n${mailPart(part)}`),
    `\r\n--${boundary}--\r\n`,
  ].join('')
}

function mailPart({ type, text }: MailPart): string {
  return [
    mailHeader('Content-Transfer-Encoding', 'quoted-printable'),
    mailHeader('Content-Type', `${type}; charset=UTF-8`),
    '\r\n',
    quotedPrintable(text),
  ].join('')
}

/** Such as `Sat, 21 Nov 2026 00:00:00 +0000`. @see RFC 5322, section 3.3 */
const mailDate = (at: Instant): string => new Date(at).toUTCString().replace('GMT', '+0000')
