import { sha256Hex } from '../../crypto/crypto.ts'
import { retryOnConflict } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import {
  byNewest,
  findByClaim,
  findIdentity,
  loadAccount,
  mostOfAKind,
  recoveryCodeId,
} from '../accounts/accounts.ts'
import type { Account } from '../accounts/records.ts'
import {
  authenticatorCollection,
  deviceTokenCollection,
  lockoutCollection,
  passwordHistoryCollection,
  recoveryCodeCollection,
} from '../collections.ts'
import { hookAnswers } from '../events/hook-answers.ts'
import { emitEvent } from '../events/outbox.ts'
import type { Answers } from '../flow/asking.ts'
import type { FlowQuestions, LockoutMethod } from '../flow/questions.ts'
import { atState, type FlowRun } from '../flow/run.ts'
import { oauthAnswers } from '../kinds/oauth/oauth-answers.ts'
import { codeStatus, consumeApproved, verifyCode } from '../kinds/oob-otp/otp-store.ts'
import { passkeyAnswers } from '../kinds/passkey/passkey-answers.ts'
import { normalizeRecoveryCode } from '../kinds/recovery-code/recovery-code.ts'
import { matchTotp, totpSecretBytes } from '../kinds/totp/totp.ts'
import { botProtectionAnswers } from '../limits/bot-protection-answers.ts'
import { cooldownBuckets } from '../limits/buckets.ts'
import { clientNetwork } from '../limits/client-network.ts'
import { accountLocked, countFailure, lockedUntil } from '../limits/lockout.ts'
import { nextTokenAt, rateLimited } from '../limits/rate-limit.ts'
import { refundTokens, spendTokens } from '../limits/spend-tokens.ts'
import { decodeBase32, encodeBase32 } from '../secrets/base32.ts'
import { sessionAnswers } from '../sessions/session-answers.ts'

/** What a secret of an authenticator is sealed for. */
export const totpSeal = 'totp'

/** What the MACs of recovery codes are for. */
export const recoveryCodeMac = 'recovery-code'

/** Answers to all that the rules of one request ask. An account is read once. */
export function answersFor(run: FlowRun): Answers<FlowQuestions> {
  const { auth, request, session, now, accounts } = run
  const { storage, secrets, hasher } = auth
  const config = auth.config.current
  const lockout = config.authentication.lockout
  const accountOnce = (id: string): Promise<Account | undefined> => {
    const known = accounts.get(id) ?? loadAccount(storage, id)
    accounts.set(id, known)
    return known
  }
  const { hook: askHost } = hookAnswers(run, accountOnce)
  let runNow = run
  const locked = (until: Instant): Error => {
    auth.counters.limitHit('AccountLockout')
    return accountLocked(until, now)
  }
  const participating = (method: LockoutMethod): boolean => lockout?.[method].enabled === true

  return {
    account: ({ user_id: id }) => accountOnce(id),
    identity: ({ key }) => findIdentity(storage, key),
    claim: ({ name, value }) => findByClaim(storage, name, value),
    hash_password: ({ password }) => hasher.hash(password, { address: clientNetwork(request.ip) }),
    async verify_password({ password, hash, user_id: account }) {
      // Somebody without a password costs as much as somebody with one.
      const matches = await hasher.verify(password, hash ?? (await dummyHash(run)), {
        account,
        address: clientNetwork(request.ip),
      })
      if (hash === undefined || !matches) return { matches: false, needs_rehash: false }
      return { matches, needs_rehash: hasher.needsRehash(hash) }
    },
    password_strength: ({ password }) => auth.passwordStrength?.(password),
    async password_history({ user_id: userId, password, size, days }) {
      const hashes = await earlierHashes(run, userId, size, days)
      const requester = { account: userId, address: clientNetwork(request.ip) }
      for (const hash of hashes) {
        if (await hasher.verify(password, hash, requester)) return true
      }
      return false
    },
    spend: ({ uses }) => spendTokens(runNow, uses),
    refund: ({ uses }) => refundTokens(runNow, uses),
    async check_lockout({ user_id: id, method }) {
      if (lockout === undefined || !participating(method)) return
      const record = await lockoutCollection.get(storage, id)
      const until = lockedUntil(record?.value, lockout, clientNetwork(request.ip), now)
      if (until !== undefined) throw locked(until)
    },
    async count_failure({ user_id: id, method }) {
      if (lockout === undefined || !participating(method)) return
      const until = await auth.queues.lockouts.decide(id, (value) => {
        const counted = countFailure(value, lockout, clientNetwork(request.ip), now)
        return { value: counted.record, expiresAt: counted.expiresAt, answer: counted.until }
      })
      if (until !== undefined) throw locked(until)
    },
    async check_cooldown({ purpose, channel, target }) {
      const uses = cooldownBuckets(config, { purpose, channel, target, flowId: session.flow_id })
      for (const use of [uses.target, uses.flow]) {
        const waitMs = (await nextTokenAt(auth, use)) - now
        if (waitMs > 0) throw rateLimited(use, waitMs)
      }
    },
    otp_status: (key) => codeStatus(auth, key, session.flow_id),
    verify_otp: (given) => verifyCode(auth, given),
    check_link: (key) => consumeApproved(auth, key),
    reserve_recovery_code: ({ user_id: id, code }) => reserveRecoveryCode(run, id, code),
    hash_recovery_codes: ({ codes }) => codes.map((code) => secrets.mac(recoveryCodeMac, code)),
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
        throw new TypeError('a TOTP secret was sealed under another key')
      return secret
    },
    async device_token({ user_id: id }) {
      if (request.device_tokens.length === 0) return 'absent'
      const found = await Promise.all(
        request.device_tokens.map((token) => deviceTokenCollection.get(storage, sha256Hex(token))),
      )
      if (found.some((record) => record?.value.user_id === id)) return 'valid'
      // Another user of the same browser may have the others.
      return found.every((record) => record === undefined) ? 'unknown' : 'absent'
    },
    random: ({ size }) => auth.random(size),
    stand_in_id: ({ text }) => standInId(run, text),
    ...oauthAnswers(run),
    ...passkeyAnswers(run),
    ...sessionAnswers(run),
    ...botProtectionAnswers(run),
    async hook(asked) {
      const notes = await askHost(asked)
      // It may have changed them.
      accounts.clear()
      // What the host wants counts for what the same input goes on to.
      runNow = atState(run, { notes })
      return notes
    },
    uuid: () => auth.ids.random(),
    async port({ name, ask }) {
      const answer = auth.kinds.ports.get(name)
      if (answer === undefined) throw new TypeError(`no kind answers "${name}"`)
      return answer(ask, { config, now, request })
    },
    event: ({ type, payload }) => emitEvent(run, type, payload),
  }
}

/** In the form of a UUID, as the ids of users. */
function standInId({ auth }: FlowRun, text: string): string {
  const hex = sha256Hex(auth.secrets.mac('stand-in', text))
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([start, end]) => hex.slice(start, end))
    .join('-')
}

/** A hash of nothing anybody knows, made once for each hasher. */
const dummies = new WeakMap<object, Promise<string>>()

function dummyHash({ auth }: FlowRun): Promise<string> {
  const known = dummies.get(auth.hasher)
  if (known !== undefined) return known
  const made = auth.hasher.hash(Buffer.from(auth.random(16)).toString('hex'))
  dummies.set(auth.hasher, made)
  // One that could not be made is made again.
  made.catch(() => dummies.delete(auth.hasher))
  return made
}

const dayMs = 86_400_000

/** The passwords a new one must differ from: the last ones, and those of the last days. */
async function earlierHashes(
  { auth, now }: FlowRun,
  userId: string,
  size: number,
  days: number,
): Promise<readonly string[]> {
  const found = await passwordHistoryCollection.find(auth.storage, {
    by: 'user_id',
    equals: userId,
    limit: mostOfAKind,
  })
  return found
    .sort(byNewest)
    .map(({ value }) => value)
    .filter(({ created_at: at }, index) => index < size || at > now - days * dayMs)
    .map(({ hash }) => hash)
}

function reserveRecoveryCode(
  run: FlowRun,
  userId: string,
  text: string,
): Promise<string | undefined> {
  const { auth, session, now } = run
  const code = normalizeRecoveryCode(text)
  // One that was made under an earlier key of the host is still good.
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

function openTotpSecret({ auth }: FlowRun, sealed: string): Uint8Array | undefined {
  const secret = auth.secrets.open(sealed, totpSeal)
  return typeof secret === 'string' ? decodeBase32(secret) : undefined
}

/** Under the host's first key, so that an earlier one need not be kept for ever. */
function resealed({ auth }: FlowRun, sealed: string): string {
  if (auth.secrets.isCurrent(sealed)) return sealed
  const secret = auth.secrets.open(sealed, totpSeal)
  return secret === undefined ? sealed : auth.secrets.seal(secret, totpSeal)
}

/** Accepts a code of a stored authenticator once: its time step is the precondition of the commit. */
function spendTotp(run: FlowRun, id: string, code: string): Promise<number | undefined> {
  const { auth, now } = run
  return retryOnConflict(async () => {
    const record = await authenticatorCollection.get(auth.storage, id)
    if (record?.value.type !== 'totp') return undefined
    const secret = openTotpSecret(run, record.value.sealed_secret)
    const step = secret && matchTotp(secret, code, now, { lastStep: record.value.last_step })
    if (step === undefined) return undefined
    const sealed_secret = resealed(run, record.value.sealed_secret)
    const spent = { ...record.value, sealed_secret, last_step: step }
    await auth.storage.commit([authenticatorCollection.write(id, spent, { if: record.version })])
    return step
  })
}
