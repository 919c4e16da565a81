import type { Authentication, Identification } from '../config/flow-definition.ts'
import type { Authenticator } from './authenticator.ts'
import type { IdentificationKind } from './identification.ts'
import type { PortAnswers } from './port-answers.ts'
import type { NodeHandler, StepHandler } from './view.ts'

/** Everything flows are made of, by name. A new one is passed in; nothing else changes. */
export interface FlowKinds {
  readonly steps: ReadonlyMap<string, StepHandler>
  readonly nodes: ReadonlyMap<string, NodeHandler>
  readonly identifications: ReadonlyMap<Identification, IdentificationKind>
  readonly authenticators: ReadonlyMap<Authentication, Authenticator>
  readonly ports: ReadonlyMap<string, PortAnswers[string]>
}
