import type { Authentication, Identification, Step } from '../config/flow-definition.ts'
import type { Authenticator } from './authenticator.ts'
import type { IdentificationKind } from './identification.ts'
import type { PortAnswers } from './port-answers.ts'
import type { FlowView, NodeHandler, StepHandler } from './view.ts'

/** All parts of flows, by name. A new one is passed in; nothing else changes. */
export interface FlowKinds {
  readonly steps: ReadonlyMap<string, StepHandler>
  readonly nodes: ReadonlyMap<string, NodeHandler>
  readonly identifications: ReadonlyMap<Identification, IdentificationKind>
  readonly authenticators: ReadonlyMap<Authentication, Authenticator>
  readonly ports: ReadonlyMap<string, PortAnswers[string]>
  /** Second factors that count only if the configuration lists them. */
  readonly listedFactors: ReadonlySet<Authentication>
  /** The steps after a user has enrolled a second factor that a hook demanded. */
  readonly afterSecondFactor: (view: FlowView) => readonly Step[]
}
