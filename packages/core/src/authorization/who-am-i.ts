import {
  anyText,
  type Decode,
  decodeInput,
  filledText,
  objectOf,
  optional,
} from '../input/decode.ts'
import { type Action, actions, isOpen, needsSubject } from './action.ts'
import type { Caller, Subject } from './authorize.ts'
import type { GuardedService } from './check-access.ts'

/** A caller, and what it may do. */
export interface WhoAmI {
  /** `null` for an unknown sender, and for a server that does not identify senders. */
  readonly subject: Pick<Subject, 'id' | 'kind'> | null
  /**
   * What the caller may do. Rights to some silences or webhooks count; an unknown sender has none to webhooks, because it needs
   * their tokens. Without `authorize` everything except what operators do to users, which nobody may then.
   */
  readonly actions: readonly Action[]
}

/** Without an `authorize`, there are no routes for the management of users. */
const openActions = (Object.keys(actions) as Action[]).filter(isOpen)

const callerInput: Decode<Caller> = objectOf<Caller>({
  subject: optional(
    objectOf<Pick<Subject, 'id' | 'kind'>>({ id: filledText, kind: optional(anyText) }),
  ),
})

/**
 * Returns the subject of a caller and its rights, so that pages can show only what will work. Asks `authorize` for each action.
 *
 * @throws {GatehouseError} `InvalidInput`
 */
export async function whoAmI({ access }: GuardedService, caller: Caller): Promise<WhoAmI> {
  const { subject } = decodeInput('caller', callerInput, caller)
  const shown = subject ?? null
  if (access === undefined) return { subject: shown, actions: openActions }
  const all = (Object.keys(actions) as Action[]).filter(
    (action) => subject !== undefined || !needsSubject(action),
  )
  const allowed = await Promise.all(all.map((action) => access.allows(caller, action)))
  return { subject: shown, actions: all.filter((_, index) => allowed[index]) }
}
