import type { Storage, Write } from '../../../storage/storage.ts'
import { maxOfAKind, recoveryCodeId } from '../../accounts/accounts.ts'
import { recoveryCodeCollection } from '../../accounts/recovery-code-record.ts'
import { invalidCredentials } from '../../errors.ts'
import type { FlowRun, Subject } from '../../flow/run.ts'
import type { FactOf } from '../../flow/state.ts'

export async function recoveryCodesWrites(
  { auth, now }: FlowRun<{ readonly storage: Storage }>,
  { hashes }: FactOf<'recovery_codes_created'>,
  { userId, account }: Subject,
): Promise<readonly Write[]> {
  const query = { by: 'user_id', equals: userId, limit: maxOfAKind } as const
  // A user about to be created has none.
  const old = account === undefined ? [] : await recoveryCodeCollection.find(auth.storage, query)
  const record = {
    user_id: userId,
    created_at: now,
    consumed_at: null,
    reserved_by: null,
    reserved_until: null,
  }
  const ids = hashes.map((hash) => recoveryCodeId(userId, hash))
  return [
    // A flow that was just ended and is ended again finds the codes it has created.
    ...old.filter(({ id }) => !ids.includes(id)).map(({ id }) => recoveryCodeCollection.remove(id)),
    ...ids.map((id) => recoveryCodeCollection.write(id, record)),
  ]
}

export async function recoveryCodeWrites(
  { auth, session, now }: FlowRun<{ readonly storage: Storage }>,
  { hash }: FactOf<'recovery_code_used'>,
  userId: string,
): Promise<readonly Write[]> {
  const record = await recoveryCodeCollection.get(auth.storage, recoveryCodeId(userId, hash))
  const isOurs = record?.value.consumed_at === null && record.value.reserved_by === session.flow_id
  if (record === undefined || !isOurs) throw invalidCredentials('recovery_code')
  const used = { ...record.value, consumed_at: now }
  return [recoveryCodeCollection.write(record.id, used, { if: record.version })]
}
