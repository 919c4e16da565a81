import type { IntegrationOrder } from './define-integration.ts'
import type { ReceiverKind } from './kind.ts'
import * as kinds from './kinds.ts'
import type { Notifier, NotifierPorts } from './notifier.ts'

/** A row of `kinds.ts`. */
export type Kind = (typeof kinds)[keyof typeof kinds]

/** A type of integration, such as `webhook`. */
export type IntegrationType = Kind['type']

type IntegrationOf<K> = K extends ReceiverKind<infer I, object> ? I : never

/** An integration of a receiver with its settings, by `type`. */
export type Integration = IntegrationOf<Kind>

type AnyKind = ReceiverKind<Integration, object>

const allKinds: readonly AnyKind[] = Object.values(kinds)
const byType: ReadonlyMap<string, AnyKind> = new Map(allKinds.map((kind) => [kind.type, kind]))

/** All kinds in one of their orders; those without a position come last. */
export function kindsInOrder(order: keyof IntegrationOrder): readonly AnyKind[] {
  const placeOf = (kind: AnyKind): number => kind.order?.[order] ?? allKinds.length + 1
  return allKinds.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** The types of integrations, in the order in which a receiver runs them. */
export const integrationTypes: readonly IntegrationType[] = kindsInOrder('run').map(
  ({ type }) => type,
)

/** The kind of an integration. */
export function kindOf({ type }: Integration): AnyKind {
  const kind = byType.get(type)
  if (kind === undefined) throw new TypeError(`there is no receiver of type ${type}`)
  return kind
}

/** Makes the notifier of an integration of a receiver. */
export const notifierOf = (integration: Integration, ports: NotifierPorts): Notifier =>
  kindOf(integration).create(integration, ports)
