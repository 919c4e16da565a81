import type { Write } from '../../storage/storage.ts'
import { codeCollection } from '../collections.ts'
import type { FlowRun, Subject } from '../flow/run.ts'
import type { FactOf } from '../flow/state.ts'
import { codeKey } from '../kinds/oob-otp/otp-store.ts'
import { isAddressOf } from './recovery-destination.ts'
import { resetFailed } from './verify-account-recovery-code.ts'

export async function recoveryOtpWrites(
  { auth, session }: FlowRun,
  fact: FactOf<'recovery_otp_used'>,
  { account }: Subject,
): Promise<readonly Write[]> {
  const { target, form, code_id: codeId } = fact
  const key = codeKey(auth, { purpose: 'forgot_password', target, form }, session.flow_id)
  const record = await codeCollection.get(auth.storage, key)
  const isOut = record?.value.code_id === codeId && isAddressOf(account, fact)
  if (record === undefined || !isOut) throw resetFailed('InvalidCode', form)
  if (record.value.state === 'used') throw resetFailed('UsedCode', form)
  const used = { ...record.value, state: 'used' } as const
  const expiry = record.expiresAt === undefined ? {} : { expiresAt: record.expiresAt }
  return [codeCollection.write(key, used, { if: record.version, ...expiry })]
}
