import type { Authentication, Identification, Step } from '../config/flow-definition.ts'
import type { Authenticator } from './authenticator.ts'
import type { IdentificationKind } from './identification.ts'
import type { PortAnswers } from './port-answers.ts'
import type { FlowView, NodeHandler, StepHandler } from './view.ts'

/** Everything flows are made of, by name. A new one is passed in; nothing else changes. */
export interface FlowKinds {
  readonly steps: ReadonlyMap<string, StepHandler>
  readonly nodes: ReadonlyMap<string, NodeHandler>
  readonly identifications: ReadonlyMap<Identification, IdentificationKind>
  readonly authenticators: ReadonlyMap<Authentication, Authenticator>
  readonly ports: ReadonlyMap<string, PortAnswers[string]>
  /** Second factors that count only where the configuration lists them. */
  readonly listedFactors: ReadonlySet<Authentication>
  /** The steps for a user who has just set up a second factor that a hook demands. */
  readonly afterSecondFactor: (view: FlowView) => readonly Step[]
}
