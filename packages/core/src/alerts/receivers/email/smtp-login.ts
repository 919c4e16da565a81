/** The credentials for a mail server. Texts are empty if not configured. */
export interface SmtpLogin {
  readonly username: string
  /** The authorization identity, for PLAIN. */
  readonly identity: string
  /** For PLAIN and LOGIN. */
  readonly password: string
  /** For CRAM-MD5. */
  readonly secret: string
}

/** An authentication mechanism. */
export type SmtpMechanism = 'CRAM-MD5' | 'PLAIN' | 'LOGIN'

/**
 * The mechanisms that a server offers in its reply to EHLO, in its order; `undefined` if it offers no login. @see RFC 4954,
 * section 3
 */
export function offeredMechanisms(answer: string): readonly string[] | undefined {
  const found = /^250[- ]AUTH(?: +(.*))?$/im.exec(answer)
  return found === null ? undefined : (found[1] ?? '').trim().toUpperCase().split(/ +/)
}

/**
 * The first mechanism of a server with configured credentials.
 *
 * @throws {Error} if there is none; the message names the missing credentials.
 */
export function chooseMechanism(
  offered: readonly string[],
  { password, secret }: SmtpLogin,
): SmtpMechanism {
  const missing: string[] = []
  for (const mechanism of offered.filter(isMechanism)) {
    const kind = mechanism === 'CRAM-MD5' ? 'secret' : 'password'
    if ((kind === 'secret' ? secret : password) !== '') return mechanism
    missing.push(`missing ${kind} for ${mechanism} auth mechanism`)
  }
  throw new Error(missing.join('; ') || `unknown auth mechanism: ${offered.join(' ')}`)
}

const isMechanism = (name: string): name is SmtpMechanism =>
  name === 'CRAM-MD5' || name === 'PLAIN' || name === 'LOGIN'

/** The initial response of PLAIN. @see RFC 4616, section 2 */
export const plainToken = ({ identity, username, password }: SmtpLogin): string =>
  base64(`${identity}\0${username}\0${password}`)

/**
 * Every form in which a server could repeat a secret of the login: as configured, and as sent. The bytes of a reply may have been
 * read as Latin-1.
 */
export function secretsOfLogin(login: SmtpLogin): readonly string[] {
  const { password, secret } = login
  const plain = [password, secret].filter((text) => text !== '')
  const misread = plain.map((text) => Buffer.from(text, 'utf8').toString('latin1'))
  const sent = password === '' ? [] : [base64(password), plainToken(login)]
  return [...plain, ...misread, ...sent]
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')
