import { sha256Hex } from '../../crypto/crypto.ts'
import type { Write } from '../../storage/storage.ts'
import { knownBrowsersCollection } from '../accounts/known-browsers-record.ts'
import type { AuthRun } from '../context.ts'
import { clientNetwork } from '../limits/client-network.ts'
import { knownBrowser } from '../limits/known-browser.ts'
import { knownBrowserName } from './browser-name.ts'

/** The event of a sign-in from a browser or a network that the user has not signed in from before. */
export const newSignInEvent = 'user.new_sign_in'

/** A browser that signs in, for the commit of its session. */
export interface SeenBrowser {
  /** Whether the user should know. */
  readonly isNew: boolean
  readonly writes: readonly Write[]
}

/** More browsers and networks than people use; the one that was used longest ago is forgotten. */
const maxBrowsers = 20
const dayMs = 86_400_000

/**
 * Remembers the browser of a sign-in. It is new if the user has signed in before, but never with this browser from this network,
 * and if it has neither a session of the user nor the user's trust. Of concurrent sign-ins one is new: the record's version is a
 * precondition of their commits.
 */
export async function seeBrowser(run: AuthRun, userId: string): Promise<SeenBrowser> {
  const { auth, request, now } = run
  if (auth.notices?.wants(newSignInEvent) !== true) return { isNew: false, writes: [] }
  const name = knownBrowserName(request.user_agent) ?? request.user_agent ?? ''
  const key = sha256Hex(JSON.stringify([userId, name, clientNetwork(request.ip)])).slice(0, 32)
  const stored = await knownBrowsersCollection.get(auth.storage, userId)
  const { browsers } = stored?.value ?? { browsers: [] }
  const known = browsers.find((one) => one.key === key)
  if (known !== undefined && now - known.at < dayMs) return { isNew: false, writes: [] }
  const others = browsers.filter((one) => one !== known)
  const value = { browsers: [{ key, at: now }, ...others].slice(0, maxBrowsers) }
  const isStranger = stored !== undefined && known === undefined
  return {
    isNew: isStranger && (await knownBrowser(run, userId)) === undefined,
    writes: [knownBrowsersCollection.write(userId, value, { if: stored?.version ?? 'absent' })],
  }
}
