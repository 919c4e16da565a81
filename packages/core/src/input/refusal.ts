import { GatehouseError } from '../errors.ts'

/** A step from a value to one inside it: the name of a property, or the index of an item. */
export type Step = string | number

const plainName = /^[A-Za-z_$][\w$-]{0,63}$/
const maxShownLength = 64

/** The reason for refusing a value. The path is added step by step on the way out, so valid values cost nothing. */
export class Refusal extends Error {
  readonly expected: string
  readonly given: string
  readonly #steps: Step[] = []

  constructor(expected: string, given: string, cause?: unknown) {
    super('', { cause })
    this.expected = expected
    this.given = given
  }

  /** Adds a step to the path of the refused value. */
  below(step: Step): this {
    this.#steps.push(step)
    return this
  }

  /** The error for a value with this name. */
  toError(name: string): GatehouseError {
    const path = this.#steps.reduceRight<string>(pathBelow, name)
    const { expected, given, cause } = this
    return new GatehouseError(
      'Invalid',
      'InvalidInput',
      `${path}: expected ${expected}, got ${given}`,
      { cause, info: { path, expected, given } },
    )
  }
}

function pathBelow(path: string, step: Step): string {
  if (typeof step === 'number') return `${path}[${step}]`
  if (!plainName.test(step)) return `${path}[${quoted(step)}]`
  return path === '' ? step : `${path}.${step}`
}

/** The error for an invalid argument or option. */
export function invalidInput(path: string, expected: string, given: string): GatehouseError {
  return new Refusal(expected, given).toError(path)
}

/** Formats a text for people: without control characters, and short. */
function quoted(text: string): string {
  const short = text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text
  return JSON.stringify(short.toWellFormed())
}

/** Refuses a value and reports only its type, because it could be a secret. */
export function refuse(expected: string, value: unknown): never {
  throw new Refusal(expected, typeOf(value))
}

/** Refuses a value that cannot be a secret, and shows it if it is short. */
export function refuseShown(expected: string, value: unknown): never {
  throw new Refusal(expected, shown(value))
}

function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : typeOf(value)
}

function typeOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value === '' ? 'an empty string' : 'a string'
    case 'undefined':
      return 'undefined'
    case 'object':
      return objectType(value)
    default:
      return `a ${typeof value}`
  }
}

function objectType(value: object | null): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  const [, tag = 'Object'] = /^\[object (\w+)\]$/.exec(Object.prototype.toString.call(value)) ?? []
  return tag === 'Object' ? 'an object' : `an object of type ${tag}`
}

/** The refusal for a failure below a step. */
export function refusalBelow(error: unknown, step: Step): Refusal {
  return asRefusal(error).below(step)
}

/** The error itself if it is a refusal. Otherwise the value threw it, in a getter or a proxy. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  return new Refusal('a readable value', 'one that throws when it is read', error)
}
