import type { Storage } from '../../../storage/storage.ts'
import { retryOnConflict } from '../../../storage/storage.ts'
import { recoveryCodeId } from '../../accounts/accounts.ts'
import { recoveryCodeCollection } from '../../accounts/recovery-code-record.ts'
import type { WithConfig } from '../../config/config.ts'
import type { Answers } from '../../flow/asking.ts'
import type { FlowRun } from '../../flow/run.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { normalizeRecoveryCode } from './recovery-code.ts'
import type { RecoveryCodeQuestions } from './recovery-code-questions.ts'

/** The purpose of the MACs of recovery codes. */
export const recoveryCodeMac = 'recovery-code'

interface RecoveryCodePorts extends WithConfig {
  readonly storage: Storage
  readonly secrets: SecretBox
}

/** Answers the questions of rules about recovery codes. */
export function recoveryCodeAnswers(
  run: FlowRun<RecoveryCodePorts>,
): Answers<RecoveryCodeQuestions> {
  const { secrets } = run.auth
  return {
    reserve_recovery_code: ({ user_id: id, code }) => reserveRecoveryCode(run, id, code),
    hash_recovery_codes: ({ codes }) => codes.map((code) => secrets.mac(recoveryCodeMac, code)),
  }
}

function reserveRecoveryCode(
  run: FlowRun<RecoveryCodePorts>,
  userId: string,
  text: string,
): Promise<string | undefined> {
  const { auth, session, now } = run
  const code = normalizeRecoveryCode(text)
  // Codes made with an earlier key of the host are still valid.
  const hashes = auth.secrets.macs(recoveryCodeMac, code ?? '')
  return retryOnConflict(async () => {
    const ids = hashes.map((hash) => recoveryCodeId(userId, hash))
    const found = await auth.storage.get(recoveryCodeCollection, ids)
    const index = found.findIndex((record) => record !== undefined)
    const hash = hashes[index]
    const record = await recoveryCodeCollection.get(auth.storage, ids[index] ?? '')
    if (code === undefined || hash === undefined || record === undefined) return undefined
    const { consumed_at: consumed, reserved_by: by, reserved_until: until } = record.value
    if (consumed !== null) return undefined
    if (by !== null && by !== session.flow_id && until !== null && now < until) return undefined
    const lifetime = auth.config.current.authentication_flow.lifetime_ms
    const reserved = {
      ...record.value,
      reserved_by: session.flow_id,
      reserved_until: session.created_at + lifetime,
    }
    await auth.storage.commit([
      recoveryCodeCollection.write(record.id, reserved, { if: record.version }),
    ])
    return hash
  })
}
