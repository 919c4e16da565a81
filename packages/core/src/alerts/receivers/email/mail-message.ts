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
  /** By canonical names, in their order. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly date: Instant
  /** From the simplest to the richest format. */
  readonly parts: readonly MailPart[]
  /** Separates the parts; occurs in none of them. */
  readonly boundary: string
}

/** An email as it is sent: ASCII lines that end with CRLF. @see RFC 5322; RFC 2046, section 5.1.4 */
export function mailMessage({ headers, date, parts, boundary }: MailContent): string {
  const written = headers.map(([name, value]) => mailHeader(name, value))
  return [
    ...written,
    mailHeader('Date', mailDate(date)),
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
