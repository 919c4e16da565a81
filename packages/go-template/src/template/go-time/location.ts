import { goQuote } from '../../text/quote.ts'
import { templateFunction } from '../make-function.ts'
import type { GoObject, ParameterType, Value } from '../value.ts'
import type { GoZone } from './zone.ts'

/** A zone as a template sees it: printed by its name, and accepted by a time's `In`. */
export interface LocationValue extends GoObject {
  readonly typeName: '*time.Location'
  readonly zone: GoZone
}

/** A parameter of type `*time.Location`. */
export const locationParameter: ParameterType<LocationValue> = {
  name: '*time.Location',
  accepts: isLocationValue,
}

/** Creates a value from a zone. */
export function locationValue(zone: GoZone): LocationValue {
  const methods = new Map([['String', templateFunction([], () => zone.name)]])
  return {
    kind: 'object',
    typeName: '*time.Location',
    zone,
    method: (name) => methods.get(name),
    toText: () => zone.name,
    toGoSyntax: () => locationSyntax(zone),
    toJson: () => '{}',
    equals: (other) => isLocationValue(other) && other.zone === zone,
  }
}

/** Formats a zone as Go source. */
export function locationSyntax({ name }: GoZone): string {
  return name === 'UTC' ? 'time.UTC' : `time.Location(${goQuote(name)})`
}

function isLocationValue(value: Value): value is LocationValue {
  return typeof value === 'object' && value !== null && 'typeName' in value
    ? value.typeName === '*time.Location'
    : false
}
