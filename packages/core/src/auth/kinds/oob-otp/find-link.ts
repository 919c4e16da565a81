import { sha256Hex } from '../../../crypto/crypto.ts'
import type { LinkRecord, LinkRequest } from './otp-code.ts'
import { codeCollection, linkCollection } from './otp-code.ts'
import { linkRequestLabel, type OtpPorts } from './otp-store.ts'
import { codesOf } from './sent-codes.ts'

type LinkPorts = Pick<OtpPorts, 'storage' | 'secrets' | 'clock'>

/** The data of a link's code. */
export interface FoundLink extends LinkRecord {
  /** The address the link was sent to. */
  readonly target: string
  /** `replaced`: a newer one was sent in its place. */
  readonly state: 'good' | 'used' | 'replaced'
  /** The request that it was sent for; `undefined` if an earlier version sent it. */
  readonly request: LinkRequest | undefined
}

/** Finds the data of a link's code; `undefined` if it is unknown, expired or revoked. */
export async function findLink(auth: LinkPorts, code: string): Promise<FoundLink | undefined> {
  const id = sha256Hex(code)
  const link = await linkCollection.get(auth.storage, id)
  if (link === undefined) return undefined
  const target = auth.secrets.open(link.value.sealed_target, `link:${id}`)
  const record = await codeCollection.get(auth.storage, link.value.code_key)
  if (typeof target !== 'string' || record === undefined) return undefined
  const codes = codesOf(record, auth.clock.now())
  const sent = codes.find(({ code_id: one }) => one === link.value.code_id)
  if (sent?.state === 'revoked') return undefined
  const request = requestOf(auth, link.value, id)
  const unused = sent === undefined ? 'replaced' : 'good'
  return { ...link.value, target, request, state: sent?.state === 'used' ? 'used' : unused }
}

function requestOf(
  { secrets }: LinkPorts,
  { sealed_request: sealed }: LinkRecord,
  id: string,
): LinkRequest | undefined {
  // Only storeCode() seals with this label.
  return sealed === undefined
    ? undefined
    : (secrets.open(sealed, linkRequestLabel(id)) as LinkRequest | undefined)
}
