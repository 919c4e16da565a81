import { decodeInput, rawText } from '../../input/decode.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import { findLink } from '../kinds/oob-otp/find-link.ts'
import { approvalCollection } from '../kinds/oob-otp/listeners.ts'
import { approveCode } from '../kinds/oob-otp/otp-store.ts'

const invalidLink = (kind: 'CodeNotFound' | 'UsedCode'): Error =>
  authError('Forbidden', 'InvalidOTPCode', 'invalid otp code', { cause: { kind } })

const replacedLink = (): Error =>
  authError('Forbidden', 'InvalidOTPCode', 'a newer link was sent in its place', {
    cause: { kind: 'CodeNotFound', is_replaced: true },
  })

/** How long a client may still ask whether the link was approved. */
const approvalLifeMs = 20 * 60_000

/**
 * Approves the link of a code, so that the flow that it was sent for can go on, in any browser. Does not sign in here, and no other
 * flow goes on.
 *
 * @throws {GatehouseError} `InvalidOTPCode` if the link is unknown, expired, used or replaced by a newer one.
 */
export async function approveLink(auth: AuthContext, code: string): Promise<void> {
  const link = await findLink(auth, decodeInput('code', rawText, code))
  if (link === undefined || link.purpose === 'forgot_password') throw invalidLink('CodeNotFound')
  if (link.state === 'replaced') throw replacedLink()
  if (link.state === 'used') throw invalidLink('UsedCode')
  const channels = await approveCode(auth, link.code_key, link.code_id)
  if (channels === undefined) throw invalidLink('UsedCode')
  if (channels.length === 0) return
  const now = auth.clock.now()
  await auth.storage.commit(
    channels.map((channel) =>
      approvalCollection.write(channel, { approved_at: now }, { expiresAt: now + approvalLifeMs }),
    ),
  )
  // Notifies the listeners of this process at once.
  void auth.listeners.look()
}
