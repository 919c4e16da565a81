import { sha256Hex } from '../../../crypto/crypto.ts'
import { codeCollection, linkCollection } from '../../collections.ts'
import type { AuthContext } from '../../context.ts'
import type { LinkRecord } from './otp-code.ts'

/** The data of a link's code. */
export interface FoundLink extends LinkRecord {
  /** The address the link was sent to. */
  readonly target: string
  readonly is_used: boolean
}

/** Finds the data of a link's code; `undefined` if it is unknown or expired, or a newer one has been sent. */
export async function findLink(auth: AuthContext, code: string): Promise<FoundLink | undefined> {
  const id = sha256Hex(code)
  const link = await linkCollection.get(auth.storage, id)
  if (link === undefined) return undefined
  const target = auth.secrets.open(link.value.sealed_target, `link:${id}`)
  const record = await codeCollection.get(auth.storage, link.value.code_key)
  if (typeof target !== 'string' || record?.value.code_id !== link.value.code_id) return undefined
  if (record.value.state === 'revoked') return undefined
  return { ...link.value, target, is_used: record.value.state === 'used' }
}
