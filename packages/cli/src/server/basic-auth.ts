import { type BcryptVerify, passwordForms } from '@gatehouse/core/auth'

/** The result for the credentials of a request. */
export type SignIn = 'accepted' | 'refused' | 'busy'

/** Options of {@link createBasicAuth}. */
export interface BasicAuthOptions {
  /** User names and their bcrypt hashes. */
  readonly users: ReadonlyMap<string, string>
  /** Compares a password with a bcrypt hash, without blocking the event loop. */
  readonly verify: BcryptVerify
}

/** Checks the `Authorization` header of a request. */
export type BasicAuth = (authorization: string | null) => Promise<SignIn>

/** A comparison takes about 100 ms of processor time, so only a few may wait. */
const maxWaiting = 64
const maxRemembered = 256
/** The bytes that bcrypt uses; hash-wasm refuses longer passwords. */
const maxPasswordBytes = 72

/**
 * Checks user names and passwords, one comparison at a time. Caches accepted passwords by a digest, so that a client that sends
 * its password with every request costs one comparison. Unknown names cost as much as known ones.
 */
export function createBasicAuth({ users, verify }: BasicAuthOptions): BasicAuth {
  const remembered = new Set<string>()
  const [someHash = ''] = users.values()
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  return async (authorization) => {
    const credentials = readCredentials(authorization)
    if (credentials === undefined) return 'refused'
    const { name, password } = credentials
    const hash = users.get(name)
    const digest = await digestOf([name, hash ?? '', password])
    if (remembered.has(digest)) return 'accepted'
    if (waiting >= maxWaiting) return 'busy'
    waiting++
    const compared = last.then(() => compare(verify, password, hash ?? someHash))
    last = compared.catch(() => undefined)
    try {
      if (!(await compared) || hash === undefined) return 'refused'
    } finally {
      waiting--
    }
    const [oldest] = remembered
    if (remembered.size >= maxRemembered && oldest !== undefined) remembered.delete(oldest)
    remembered.add(digest)
    return 'accepted'
  }
}

async function compare(verify: BcryptVerify, password: string, hash: string): Promise<boolean> {
  for (const form of passwordForms(password)) {
    if (await compareText(verify, form, hash)) return true
  }
  return false
}

async function compareText(verify: BcryptVerify, password: string, hash: string): Promise<boolean> {
  const bytes = new TextEncoder().encode(password)
  const fits = bytes.length > 0 && bytes.length <= maxPasswordBytes
  const matches = await verify({ password: fits ? bytes : new Uint8Array(1), hash })
  return fits && matches
}

function readCredentials(
  authorization: string | null,
): { name: string; password: string } | undefined {
  const encoded = /^basic ([a-z0-9+/]+=*)$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** The name in an `Authorization` header with a password; it is not verified. */
export const userNameOf = (authorization: string | null): string | undefined =>
  readCredentials(authorization)?.name

async function digestOf(parts: readonly string[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(parts))
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('base64')
}

/** Whether a text is a bcrypt hash. */
export function isBcryptHash(text: string): boolean {
  return /^\$2[abxy]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/.test(text)
}
