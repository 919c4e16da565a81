import { equalBytes } from '../../../crypto/crypto-secrets.ts'
import type { Storage } from '../../../storage/storage.ts'
import { retryOnConflict } from '../../../storage/storage.ts'
import type { Account } from '../../accounts/account.ts'
import type { TotpAuthenticator } from '../../accounts/authenticator-record.ts'
import { authenticatorCollection } from '../../accounts/authenticator-record.ts'
import type { Answers } from '../../flow/asking.ts'
import type { FlowRun } from '../../flow/run.ts'
import { type UsedBefore, usedBefore } from '../../limits/attempt.ts'
import { decodeBase32, encodeBase32 } from '../../secrets/base32.ts'
import type { Random } from '../../secrets/random.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { matchTotp, totpSecretBytes } from './totp.ts'
import type { TotpQuestions } from './totp-questions.ts'

/** The associated data of sealed TOTP secrets. */
export const totpSeal = 'totp'

interface TotpPorts {
  readonly storage: Storage
  readonly secrets: SecretBox
  readonly random: Random
}

/** Answers the questions of rules about TOTP. */
export function totpAnswers(run: FlowRun<TotpPorts>): Answers<TotpQuestions> {
  const { auth, now } = run
  const { secrets } = auth
  return {
    verify_totp(given) {
      if ('authenticator_id' in given) return spendTotp(run, given.authenticator_id, given.code)
      const secret = openTotpSecret(run, given.sealed_secret)
      return secret && matchTotp(secret, given.code, now)
    },
    new_totp_secret() {
      const secret = encodeBase32(auth.random(totpSecretBytes))
      return { secret, sealed: secrets.seal(secret, totpSeal) }
    },
    open_totp_secret({ sealed }) {
      const secret = secrets.open(sealed, totpSeal)
      if (typeof secret !== 'string')
        throw new TypeError('a TOTP secret was sealed with another key')
      return secret
    },
  }
}

/** Whether an account has a TOTP app with the same secret. Both would accept one code, so each code would be good twice. */
export function hasTotpSecret(
  run: FlowRun<Pick<TotpPorts, 'secrets'>>,
  { authenticators }: Account,
  { sealed_secret: sealed }: TotpAuthenticator,
): boolean {
  const given = openTotpSecret(run, sealed)
  return authenticators.some((one) => {
    const known = one.type === 'totp' ? openTotpSecret(run, one.sealed_secret) : undefined
    return given !== undefined && known !== undefined && equalBytes(given, known)
  })
}

function openTotpSecret(
  { auth }: FlowRun<Pick<TotpPorts, 'secrets'>>,
  sealed: string,
): Uint8Array | undefined {
  const secret = auth.secrets.open(sealed, totpSeal)
  return typeof secret === 'string' ? decodeBase32(secret) : undefined
}

/** Seals with the host's first key, so that earlier keys can be removed eventually. */
function resealed({ auth }: FlowRun<Pick<TotpPorts, 'secrets'>>, sealed: string): string {
  if (auth.secrets.isCurrent(sealed)) return sealed
  const secret = auth.secrets.open(sealed, totpSeal)
  return secret === undefined ? sealed : auth.secrets.seal(secret, totpSeal)
}

/** Accepts a code of a stored authenticator once, with its time step as the precondition of the commit. */
function spendTotp(
  run: FlowRun<TotpPorts>,
  id: string,
  code: string,
): Promise<number | UsedBefore | undefined> {
  const { auth, now } = run
  return retryOnConflict(async () => {
    const record = await authenticatorCollection.get(auth.storage, id)
    if (record?.value.type !== 'totp') return undefined
    const secret = openTotpSecret(run, record.value.sealed_secret)
    if (secret === undefined) return undefined
    const step = matchTotp(secret, code, now, { lastStep: record.value.last_step })
    if (step === undefined)
      return matchTotp(secret, code, now) === undefined ? undefined : usedBefore
    const sealed_secret = resealed(run, record.value.sealed_secret)
    const spent = { ...record.value, sealed_secret, last_step: step }
    await auth.storage.commit([authenticatorCollection.write(id, spent, { if: record.version })])
    return step
  })
}
