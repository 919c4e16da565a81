import { templateFunction } from '../make-function.ts'
import type { GoObject, TemplateFunction } from '../value.ts'
import { monthNames, weekdayNames } from './names.ts'

/** Creates a month as a template sees it: printed by its name, compared by its number from 1. */
export function monthValue(month: number): GoObject {
  return constantValue('time.Month', month, monthNames[month - 1] ?? '')
}

/** Creates a day of the week: printed by its name, compared by its number, which is 0 for Sunday. */
export function weekdayValue(weekday: number): GoObject {
  return constantValue('time.Weekday', weekday, weekdayNames[weekday] ?? '')
}

/** Creates a number with a name. */
function constantValue(typeName: string, integer: number, name: string): GoObject {
  const methods: ReadonlyMap<string, TemplateFunction> = new Map([
    ['String', templateFunction([], () => name)],
  ])
  return {
    kind: 'object',
    typeName,
    integer,
    method: (method) => methods.get(method),
    toText: () => name,
    toGoSyntax: () => String(integer),
    toJson: () => String(integer),
    equals: (other) => other.typeName === typeName && other.integer === integer,
  }
}
