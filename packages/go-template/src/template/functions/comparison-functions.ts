import { compareBytes } from '../../text/byte-order.ts'
import { functionFailed } from '../errors.ts'
import { sprintOne } from '../format/sprint.ts'
import { anyParameter, templateFunction, variadicFunction } from '../make-function.ts'
import {
  floatOf,
  integerOf,
  type Kind,
  kindOf,
  objectOf,
  structOf,
  textOf,
  typeNameOf,
} from '../read-value.ts'
import type { Functions, GoStruct, Run, Value } from '../value.ts'

const basicKinds: ReadonlySet<Kind> = new Set<Kind>(['bool', 'int', 'uint', 'float', 'string'])

const isWhole = (kind: Kind): boolean => kind === 'int' || kind === 'uint'

const badTypes = (): Error => functionFailed('incompatible types for comparison')

const badType = (): Error => functionFailed('invalid type for comparison')

/**
 * `eq`, `ne`, `lt`, `le`, `gt` and `ge`.
 *
 * @see https://pkg.go.dev/text/template#hdr-Functions
 */
export const comparisonFunctions: Functions = new Map([
  [
    'eq',
    variadicFunction([anyParameter], anyParameter, ([a], others, run) => {
      if (others.length === 0) throw functionFailed('missing argument for comparison')
      return others.some((b) => isEqual(a, b, run))
    }),
  ],
  ['ne', comparison((a, b, run) => !isEqual(a, b, run))],
  ['lt', comparison(isLess)],
  ['le', comparison(isLessOrEqual)],
  ['gt', comparison((a, b, run) => !isLessOrEqual(a, b, run))],
  ['ge', comparison((a, b) => !isLess(a, b))],
])

function comparison(compare: (a: Value, b: Value, run: Run) => boolean) {
  return templateFunction([anyParameter, anyParameter], ([a, b], run) => compare(a, b, run))
}

function isEqual(a: Value, b: Value, run: Run): boolean {
  const kindA = kindOf(a)
  const kindB = kindOf(b)
  if (isWhole(kindA) && isWhole(kindB)) return compareNumbers(wholeOf(a), wholeOf(b)) === 0
  if (kindA !== kindB && (basicKinds.has(kindA) || basicKinds.has(kindB))) {
    if (a !== null && b !== null) throw badTypes()
    return false
  }
  switch (kindA) {
    case 'bool':
      return a === b
    case 'float':
      return floatOf(a) === floatOf(b)
    case 'string':
      return textOf(a) === textOf(b)
    default:
      return isEqualComposite(a, b, run)
  }
}

function isEqualComposite(a: Value, b: Value, run: Run): boolean {
  if (a === null || b === null) return a === b
  if (kindOf(a) !== kindOf(b)) {
    const [shownA, shownB] = [sprintOne(run, a), sprintOne(run, b)]
    throw functionFailed(
      `non-comparable types ${shownA}: ${typeNameOf(a)}, ${typeNameOf(b)}: ${shownB}`,
    )
  }
  if (!isComparable(b)) {
    throw functionFailed(`non-comparable type ${sprintOne(run, b)}: ${typeNameOf(b)}`)
  }
  return isSame(a, b)
}

/** Whether a type is comparable: not a list, map or function, nor a struct that contains one. */
function isComparable(value: Value): boolean {
  switch (kindOf(value)) {
    case 'list':
    case 'map':
    case 'function':
      return false
    case 'struct':
      return Array.from(structOf(value)?.fields.values() ?? []).every(isComparable)
    default:
      return true
  }
}

function isSame(a: Value, b: Value): boolean {
  if (typeNameOf(a) !== typeNameOf(b)) return false
  const [objectA, objectB] = [objectOf(a), objectOf(b)]
  if (objectA !== undefined && objectB !== undefined) return objectA.equals(objectB)
  const [structA, structB] = [structOf(a), structOf(b)]
  if (structA !== undefined && structB !== undefined) return isSameStruct(structA, structB)
  if (isWhole(kindOf(a))) return compareNumbers(wholeOf(a), wholeOf(b)) === 0
  return (textOf(a) ?? floatOf(a) ?? a) === (textOf(b) ?? floatOf(b) ?? b)
}

function isSameStruct(a: GoStruct, b: GoStruct): boolean {
  return Array.from(a.fields).every(([name, field]) => isSame(field, b.fields.get(name) ?? null))
}

function isLess(a: Value, b: Value): boolean {
  const kindA = kindOf(a)
  const kindB = kindOf(b)
  if (!basicKinds.has(kindA) || !basicKinds.has(kindB)) throw badType()
  if (isWhole(kindA) && isWhole(kindB)) return compareNumbers(wholeOf(a), wholeOf(b)) < 0
  if (kindA !== kindB) throw badTypes()
  switch (kindA) {
    case 'float':
      return (floatOf(a) ?? 0) < (floatOf(b) ?? 0)
    case 'string':
      return compareBytes(textOf(a) ?? '', textOf(b) ?? '') < 0
    default:
      throw badType()
  }
}

function isLessOrEqual(a: Value, b: Value, run: Run): boolean {
  return isLess(a, b) || isEqual(a, b, run)
}

const wholeOf = (value: Value): number | bigint => integerOf(value) ?? 0

/** Also compares a number with a bigint. */
function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1
  return a > b ? 1 : 0
}
