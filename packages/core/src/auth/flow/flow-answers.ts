import { sha256Hex } from '../../crypto/crypto.ts'
import type { Account } from '../accounts/account.ts'
import { findByClaim, findIdentity, loadAccount } from '../accounts/accounts.ts'
import type { Answers } from './asking.ts'
import type { BaseQuestions } from './questions.ts'
import type { FlowRun } from './run.ts'

type FlowAnswers = Answers<
  Pick<BaseQuestions, 'account' | 'identity' | 'claim' | 'random' | 'stand_in_id' | 'uuid' | 'port'>
>

/** Answers to the questions of all parts. */
export function flowAnswers(run: FlowRun): FlowAnswers {
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
export function accountOnce({ auth, accounts }: FlowRun, id: string): Promise<Account | undefined> {
  const known = accounts.get(id) ?? loadAccount(auth.storage, id)
  accounts.set(id, known)
  return known
}

/** Has the form of a UUID, like the ids of users. */
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
