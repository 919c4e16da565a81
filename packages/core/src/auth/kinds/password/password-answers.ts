import type { Storage } from '../../../storage/storage.ts'
import { byNewest, maxOfAKind } from '../../accounts/accounts.ts'
import { passwordHistoryCollection } from '../../accounts/password-history-record.ts'
import type { Answers } from '../../flow/asking.ts'
import type { FlowRun } from '../../flow/run.ts'
import { clientNetwork } from '../../limits/client-network.ts'
import type { Random } from '../../secrets/random.ts'
import type { NormalHasher } from './normal-hasher.ts'
import type { PasswordQuestions } from './password-questions.ts'

interface PasswordPorts {
  readonly storage: Storage
  readonly random: Random
  readonly hasher: NormalHasher
  readonly isLeaked: ((password: string) => Promise<boolean>) | undefined
  readonly passwordStrength: ((password: string) => number | Promise<number>) | undefined
}

/** Answers the questions of rules about passwords. */
export function passwordAnswers(run: FlowRun<PasswordPorts>): Answers<PasswordQuestions> {
  const { auth, request } = run
  const { hasher } = auth
  return {
    hash_password: ({ password }) => hasher.hash(password, { address: clientNetwork(request.ip) }),
    async verify_password({ password, hash, user_id: account }) {
      // A user without a password costs as much as one with a password.
      const form = await hasher.formOf(password, hash ?? (await dummyHash(run)), {
        account,
        address: clientNetwork(request.ip),
      })
      if (hash === undefined || form === undefined) return { matches: false, needs_rehash: false }
      return { matches: true, needs_rehash: form === 'typed' || hasher.needsRehash(hash) }
    },
    password_strength: ({ password }) => auth.passwordStrength?.(password),
    password_leaked: async ({ password }) => (await auth.isLeaked?.(password)) ?? false,
    async password_history({ user_id: userId, password, size, days }) {
      const hashes = await earlierHashes(run, userId, size, days)
      const requester = { account: userId, address: clientNetwork(request.ip) }
      for (const hash of hashes) {
        if (await hasher.verify(password, hash, requester)) return true
      }
      return false
    },
  }
}

/** A hash of a random password, made once for each hasher. */
const dummies = new WeakMap<object, Promise<string>>()

function dummyHash({ auth }: FlowRun<PasswordPorts>): Promise<string> {
  const known = dummies.get(auth.hasher)
  if (known !== undefined) return known
  const made = auth.hasher.hash(Buffer.from(auth.random(16)).toString('hex'))
  dummies.set(auth.hasher, made)
  // If it fails, the next request tries again.
  made.catch(() => dummies.delete(auth.hasher))
  return made
}

const dayMs = 86_400_000

/** The passwords that a new one must differ from: the last ones, and those of the last days. */
async function earlierHashes(
  { auth, now }: FlowRun<PasswordPorts>,
  userId: string,
  size: number,
  days: number,
): Promise<readonly string[]> {
  const found = await passwordHistoryCollection.find(auth.storage, {
    by: 'user_id',
    equals: userId,
    limit: maxOfAKind,
  })
  return found
    .sort(byNewest)
    .map(({ value }) => value)
    .filter(({ created_at: at }, index) => index < size || at > now - days * dayMs)
    .map(({ hash }) => hash)
}
