import type { PlainStep } from '../config/flow-definition.ts'
import { needAccount } from '../flow/account.ts'
import type { IdentificationKind } from '../flow/identification.ts'
import { ask } from '../flow/questions.ts'
import { resumedNotes, suspendedSignUp } from '../flow/suspended-sign-up.ts'
import type { StepHandler } from '../flow/view.ts'
import { establishedFor } from '../linking/linked-account.ts'
import { checkUser } from '../linking/sign-in.ts'
import { identityFacts, newIdentity } from '../linking/sign-up.ts'

type Kinds = ReadonlyMap<string, IdentificationKind>

/** The step that resumes a sign-up after its existing user has signed in, and gives the user the new identity. */
export const createLinkIdentity = (kinds: Kinds): StepHandler<PlainStep> => ({
  type: 'link_identity',
  *enter(_step, view) {
    const signUp = suspendedSignUp(view.state)
    const kind = signUp && kinds.get(signUp.incoming.identification)
    if (signUp === undefined || kind === undefined) {
      throw new TypeError('no sign-up waits for this login')
    }
    const { type, name, incoming, branch } = signUp
    checkUser(signUp.user_id, view)
    const account = yield* needAccount(view)
    const id = yield* ask('uuid', undefined)
    const identity = newIdentity(kind, incoming, { id, userId: account.user.id }, view)
    const [identify = { type: 'identify' as const }, ...before] = [...signUp.entered].reverse()
    const established = establishedFor(account, {
      facts: signUp.facts,
      entered: before.reverse(),
    })
    const linked = {
      ...identify,
      identification: branch.identification,
      identity_id: id,
      identity_display: incoming.display,
    }
    return {
      facts: [...established.facts, ...identityFacts(incoming, identity)],
      steps: branch.steps ?? [],
      notes: resumedNotes,
      resume: { type, name, entered: [...established.entered, linked] },
    }
  },
})
