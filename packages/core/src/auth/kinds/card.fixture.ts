import { keyOfIdentity } from '../accounts/identities.ts'
import type { IncomingIdentity } from '../accounts/incoming-identity.ts'
import type { Asking } from '../flow/asking.ts'
import type {
  IdentificationKind,
  IdentificationPrompt,
  Identifying,
  OwnLinkingRule,
} from '../flow/identification.ts'
import { ask } from '../flow/questions.ts'
import type { FlowNode } from '../flow/state.ts'
import type { FlowView } from '../flow/view.ts'
import { attempt } from '../limits/attempt.ts'
import type { BucketUse } from '../limits/limit-questions.ts'

const identification = 'card'

/** The owner of a library card. */
export type CardHolder = {
  readonly name: string
  readonly email?: string
  /** Whether the library has verified the address. */
  readonly email_verified?: boolean
}

/** A library that verifies cards by the number on their back. */
export interface Library {
  holderOf(card: string, back: string): Promise<CardHolder | null>
}

/** Options of {@link createCardIdentification}. */
export interface CardOptions {
  readonly library: Library
  readonly linking?: readonly OwnLinkingRule[]
}

interface BackNode extends FlowNode {
  readonly kind: 'card_back'
  readonly card: string
}

type Card = { readonly card: string; readonly holder: CardHolder }

const guesses = ({ request }: FlowView): readonly BucketUse[] => [
  { bucket: 'CardPerIP', subject: [request.ip], period_ms: 60_000, burst: 10 },
]

const backPrompt: IdentificationPrompt<BackNode> = {
  kind: 'card_back',
  *show({ card }) {
    return { data: { type: 'card_back_data', card } }
  },
  schema: () => ({ type: 'object', required: ['back'], properties: { back: { type: 'string' } } }),
  *react({ card }, { back = null }, view): Asking<Identifying> {
    const holder = yield* attempt({
      user_id: undefined,
      uses: guesses(view),
      type: identification,
      event: 'authentication.identity.card.failed',
      *check() {
        const found = yield* ask('port', { name: 'card_holder', ask: { card, back } })
        return (found ?? undefined) as CardHolder | undefined
      },
    })
    return { kind: 'identity', incoming: incomingCard({ card, holder }) }
  },
}

function incomingCard({ card, holder }: Card): IncomingIdentity {
  const { email, email_verified: isVerified = false } = holder
  return {
    identification,
    names: { IdentityTypeIncoming: identification },
    source: identification,
    claims: email === undefined ? {} : { email },
    verified: isVerified ? ['email'] : [],
    display: card,
    own: { card, holder },
  }
}

/** Identification by a library card and the number on its back. */
export function createCardIdentification({ library, ...rules }: CardOptions): IdentificationKind {
  return {
    identification,
    *options() {
      return [{ identification, library: 'Harbor Street' }]
    },
    schema: () => ({ required: ['card'], properties: { card: { type: 'string' } } }),
    *identify(_option, { card }) {
      const node: BackNode = { kind: 'card_back', card: String(card) }
      return { kind: 'prompt', node }
    },
    *find({ own }) {
      const key = keyOfIdentity('custom', identification, (own as Card).card)
      return yield* ask('identity', { key })
    },
    toRecord({ own, claims }, id, userId, { now }) {
      const { card, holder } = own as Card
      const base = { id, user_id: userId, created_at: now, ...claims }
      return { ...base, type: 'custom', identification, unique_key: card, data: { holder } }
    },
    *signInBy({ unique_key: card }) {
      return { masked_display_name: `${card.slice(0, 2)}…`, input: { card } }
    },
    prompts: [backPrompt as IdentificationPrompt],
    ports: {
      card_holder: async (asked) => {
        const { card, back } = asked as { readonly card: string; readonly back: string }
        return library.holderOf(card, back)
      },
    },
    ...rules,
  }
}
