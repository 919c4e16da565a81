import { sha256Hex } from '../../crypto/crypto.ts'
import type { Ids } from '../../crypto/ids.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Account } from '../accounts/account.ts'
import { findByClaim, findIdentity, loadAccount } from '../accounts/accounts.ts'
import type { WithConfig } from '../config/config.ts'
import type { Random } from '../secrets/random.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import type { Answers } from './asking.ts'
import type { FlowKinds } from './kinds.ts'
import type { BaseQuestions } from './questions.ts'
import type { FlowRun } from './run.ts'

/** What all parts of a flow ask. */
interface FlowPorts extends WithConfig {
  readonly storage: Storage
  readonly random: Random
  readonly ids: Ids
  readonly secrets: SecretBox
  readonly kinds: Pick<FlowKinds, 'ports'>
}

type FlowAnswers = Answers<
  Pick<BaseQuestions, 'account' | 'identity' | 'claim' | 'random' | 'stand_in_id' | 'uuid' | 'port'>
>

/** Answers to the questions of all parts. */
export function flowAnswers(run: FlowRun<FlowPorts>): FlowAnswers {
  const { auth, request, now } = run
  const config = auth.config.current
  return {
    account: ({ user_id: id }) => accountOnce(run, id),
    identity: ({ key }) => findIdentity(auth.storage, key),
    claim: ({ name, value }) => findByClaim(auth.storage, name, value),
    random: ({ size }) => auth.random(size),
    stand_in_id: ({ text }) => standInId(run, text),
    uuid: () => auth.ids.random(),
    async port({ name, ask }) {
      const answer = auth.kinds.ports.get(name)
      if (answer === undefined) throw new TypeError(`no kind answers "${name}"`)
      return answer(ask, { config, now, request })
    },
  }
}

/** Reads each account once per request. */
export function accountOnce(
  { auth, accounts }: FlowRun<Pick<FlowPorts, 'storage'>>,
  id: string,
): Promise<Account | undefined> {
  const known = accounts.get(id) ?? loadAccount(auth.storage, id)
  accounts.set(id, known)
  return known
}

/** Has the form of a UUID, like the ids of users. */
function standInId({ auth }: FlowRun<FlowPorts>, text: string): string {
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
