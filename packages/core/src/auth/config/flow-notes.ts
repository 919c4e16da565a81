import type { Place } from '../../document/place.ts'
import type { FlowType } from '../flow-definition.ts'
import { createPatience, type Patience } from './names.ts'

/** Where one thing names another, which may come later in the document. */
interface Reference {
  readonly place: Place
  readonly name: string
}

/** Where a flow is named. */
export interface FlowReference extends Reference {
  readonly type: FlowType
}

/** Where a step names another of its flow, and of which types that one may be. */
export interface StepReference extends Reference {
  readonly types: readonly string[]
}

/** What is named anywhere in one document. */
export interface DocumentNotes {
  /** The names of the flows that are declared, sound or not. */
  readonly declared: Readonly<Record<FlowType, Set<string>>>
  readonly flows: FlowReference[]
  readonly groups: Reference[]
  /** Attributes that steps ask for, by their pointers. */
  readonly attributes: Reference[]
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
    patience: createPatience(),
  }
}

/** What is named in one flow. */
export interface FlowNotes {
  /** The types of the steps of each name, sound or not. */
  readonly steps: Map<string, ReadonlySet<string>>
  readonly targets: StepReference[]
}
