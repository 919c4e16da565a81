import type { Place } from '../../../document/place.ts'
import type { DeclaredFlowType } from '../flow-definition.ts'
import { createPatience, type Patience } from '../names.ts'

/** Where one thing names another, which may come later in the document. */
interface Reference {
  readonly place: Place
  readonly name: string
}

/** Where a flow is named. */
export interface FlowReference extends Reference {
  readonly type: DeclaredFlowType
}

/** Where a step names another of its flow, and of which types that one may be. */
export interface StepReference extends Reference {
  readonly types: readonly string[]
}

/** What comes in: accounts of identity providers, or login IDs. */
export type LinkingSort = 'oauth' | 'login_id'

/** Where a flow names a rule of account linking. */
interface RuleReference extends Reference {
  readonly sort: LinkingSort
}

/** What is named anywhere in one document. */
export interface DocumentNotes {
  /** The names of the flows that are declared, sound or not. */
  readonly declared: Readonly<Record<DeclaredFlowType, Set<string>>>
  readonly flows: FlowReference[]
  readonly groups: Reference[]
  /** Attributes that steps ask for, by their pointers. */
  readonly attributes: Reference[]
  /** The aliases of the providers and the keys of login IDs that are declared, sound or not. */
  readonly sources: Readonly<Record<LinkingSort, Set<string>>>
  /** The names of the rules of account linking, sound or not. */
  readonly rules: Readonly<Record<LinkingSort, Set<string>>>
  readonly overrides: RuleReference[]
  /** Addresses that are not reached over TLS. */
  readonly insecure: Place[]
  readonly patience: Patience
}

/** For a document of which nothing is known yet. */
export function emptyNotes(): DocumentNotes {
  return {
    declared: {
      signup: new Set(),
      promote: new Set(),
      login: new Set(),
      signup_login: new Set(),
      reauth: new Set(),
      account_recovery: new Set(),
    },
    flows: [],
    groups: [],
    attributes: [],
    sources: { oauth: new Set(), login_id: new Set() },
    rules: { oauth: new Set(), login_id: new Set() },
    overrides: [],
    insecure: [],
    patience: createPatience(),
  }
}

/** What is named in one flow. */
export interface FlowNotes {
  /** The types of the steps of each name, sound or not. */
  readonly steps: Map<string, ReadonlySet<string>>
  readonly targets: StepReference[]
}
