import type { Write } from '../../storage/storage.ts'
import type { FlowRun, Subject } from '../flow/run.ts'
import type { FactOf } from '../flow/state.ts'
import { codeCollection } from '../kinds/oob-otp/otp-code.ts'
import { codeKey, type OtpPorts } from '../kinds/oob-otp/otp-store.ts'
import { codesOf, contentOf } from '../kinds/oob-otp/sent-codes.ts'
import { isAddressOf } from './recovery-destination.ts'
import { resetFailed } from './verify-account-recovery-code.ts'

export async function recoveryOtpWrites(
  { auth, session, now }: FlowRun<Pick<OtpPorts, 'storage' | 'secrets'>>,
  fact: FactOf<'recovery_otp_used'>,
  { account }: Subject,
): Promise<readonly Write[]> {
  const { target, form, code_id: codeId } = fact
  const key = codeKey(auth, { purpose: 'forgot_password', target, form }, session.flow_id)
  const record = await codeCollection.get(auth.storage, key)
  const codes = codesOf(record, now)
  const code = codes.find(({ code_id: id }) => id === codeId)
  if (record === undefined || code === undefined || !isAddressOf(account, fact))
    throw resetFailed('InvalidCode', form)
  if (code.state === 'used') throw resetFailed('UsedCode', form)
  // The others were sent for the same purpose, which is served.
  const { value, expiresAt } = contentOf([{ ...code, state: 'used' }])
  if (value === undefined) throw new TypeError('a record without codes')
  const expiry = expiresAt === undefined ? {} : { expiresAt }
  return [codeCollection.write(key, value, { if: record.version, ...expiry })]
}
