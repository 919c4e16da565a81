import { sha256Hex } from '../../crypto/crypto.ts'
import { equalBytes } from '../../crypto/crypto-secrets.ts'
import type { Storage } from '../../storage/storage.ts'
import { deviceTokenCollection } from '../accounts/device-token-record.ts'
import { sessionCollection } from '../accounts/session-record.ts'
import type { WithConfig } from '../config/config.ts'
import type { FlowRun } from '../flow/run.ts'
import { sessionExpiry, sessionIdOf } from '../flow/session/session.ts'

/** What browsers are recognized by. */
export interface BrowserPorts extends WithConfig {
  readonly storage: Storage
}

/**
 * A name for the browser of a request in which a user is signed in or has trusted the device; `undefined` for other browsers.
 * Strangers cannot use up the attempts of such a browser.
 *
 * @see NIST SP 800-63B-4, section 3.2.2
 */
export async function knownBrowser(
  run: FlowRun<BrowserPorts>,
  userId: string,
): Promise<string | undefined> {
  return (await sessionOf(run, userId)) ?? (await deviceOf(run, userId))
}

async function sessionOf(
  { auth, request, now }: FlowRun<BrowserPorts>,
  userId: string,
): Promise<string | undefined> {
  const token = request.session_token
  const id = token === null ? undefined : sessionIdOf(token)
  if (token === null || id === undefined) return undefined
  const { value } = (await sessionCollection.get(auth.storage, id)) ?? {}
  // An operator who acts as the user has no browser of the user.
  if (value?.impersonated_by !== undefined) return undefined
  if (value?.user_id !== userId || sessionExpiry(value, auth.config.current) <= now) {
    return undefined
  }
  const isTheirs = equalBytes(Buffer.from(value.token_hash), Buffer.from(sha256Hex(token)))
  return isTheirs ? `session ${id}` : undefined
}

async function deviceOf(
  { auth, request }: FlowRun<BrowserPorts>,
  userId: string,
): Promise<string | undefined> {
  const ids = request.device_tokens.map((token) => sha256Hex(token))
  const found = ids.length === 0 ? [] : await deviceTokenCollection.getAll(auth.storage, ids)
  const own = found.find((record) => record?.value.user_id === userId)
  return own && `device ${own.id}`
}
