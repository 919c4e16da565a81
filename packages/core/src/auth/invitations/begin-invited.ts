import type { Json, Write } from '../../storage/storage.ts'
import type { AuthContext } from '../context.ts'
import { carriedNote } from '../flow/carried.ts'
import type { Fact, FactOf } from '../flow/state.ts'
import { incomingLoginId } from '../kinds/login-id/identification.ts'
import { readLoginId } from '../login-ids/login-id.ts'
import { invitationNotFound, openInvitationCode } from './invitation.ts'
import { invitationCollection } from './invitation-record.ts'

/** What a sign-up with an invitation begins with: the invited address is identified, and proven. */
export interface InvitedStart {
  readonly facts: readonly Fact[]
  readonly notes: { readonly [name: string]: Json }
}

/**
 * The start of a sign-up with the code of an invitation. The invitation stays until the sign-up has ended.
 *
 * @throws {GatehouseError} `InvitationNotFound`
 */
export async function beginInvited(auth: AuthContext, code: string): Promise<InvitedStart> {
  const { secrets, storage, config, loginIdRules } = auth
  const named = openInvitationCode(secrets, code)
  const stored = named && (await invitationCollection.get(storage, named.id))
  if (named === undefined || stored?.value.nonce !== named.nonce) throw invitationNotFound()
  const { email, standard_attributes, custom_attributes } = stored.value
  const read = readLoginId('email', email, loginIdRules(config.current), 'create')
  // The rules for addresses have changed since.
  if ('problem' in read) throw invitationNotFound()
  const incoming = {
    ...incomingLoginId(read.loginId, config.current),
    verified: ['email' as const],
  }
  return {
    facts: [{ kind: 'invitation_used', ...named, email, standard_attributes, custom_attributes }],
    notes: carriedNote({
      option: { identification: 'email' },
      identifying: { kind: 'identity', incoming, isAskedFor: true },
    }),
  }
}

/**
 * The write that uses an invitation up, with its precondition: of two sign-ups with it, one ends.
 *
 * @throws {GatehouseError} `InvitationNotFound`
 */
export async function invitationWrites(
  { storage }: Pick<AuthContext, 'storage'>,
  { id, nonce }: FactOf<'invitation_used'>,
): Promise<readonly Write[]> {
  const stored = await invitationCollection.get(storage, id)
  if (stored?.value.nonce !== nonce) throw invitationNotFound()
  return [invitationCollection.remove(id, stored.version)]
}
