/** The values of the names in the texts of a vector. */
export interface Placeholders {
  /** Replaces every `{name}` in a text. @throws {Error} if a name has no value yet. */
  fill(text: string): string
  /** Replaces every `{name}` in all texts of a value. */
  fillAll(value: unknown): unknown
  /** The expected value with its names replaced. A name without a value takes it from the actual value. */
  resolve(expected: unknown, actual: unknown): unknown
  /** Sets the value of a name. */
  set(name: string, value: unknown): void
}

/** `{name}`, or `{kind:{name}}`. */
const placeholder = /\{([^{}]+|[^{}]+\{[^{}]+\})\}/g
/** A text that is a single placeholder. */
const whole = new RegExp(`^${placeholder.source}$`)
const stateToken = /^authflowstate_[0-9A-HJKMNP-TV-Z]{32}$/

/** @param compute returns values computed at each use, such as `code:maya@example.com`; `undefined` for other names. */
export function createPlaceholders(compute: (name: string) => string | undefined): Placeholders {
  const known = new Map<string, unknown>()
  const lookUp = (name: string): unknown =>
    known.get(name) ?? compute(name.includes('{') ? fill(name) : name)
  const textOf = (name: string): string | undefined => {
    const value = lookUp(name)
    if (value === undefined || typeof value === 'string') return value
    throw new Error(`{${name}} is not a text`)
  }

  const fill = (text: string): string =>
    text.replace(placeholder, (_, name: string) => {
      const value = textOf(name)
      if (value === undefined) throw new Error(`{${name}} has no value`)
      return value
    })

  const resolveText = (expected: string, actual: unknown): unknown => {
    if (expected === '<any>') return actual
    if (typeof actual !== 'string') return resolveWhole(expected, actual)
    const names: string[] = []
    const source = expected.split(placeholder).map((part, index) => {
      // Every second part is a name.
      if (index % 2 === 0) return escapeRegex(part)
      const value = textOf(part)
      if (value !== undefined) return escapeRegex(value)
      names.push(part)
      return '(.+)'
    })
    const found = new RegExp(`^${source.join('')}$`, 's').exec(actual)
    if (found === null) return tryFill(expected)
    for (const [index, name] of names.entries()) {
      const value = found[index + 1] ?? ''
      if (/^[ST]\d/.test(name) && !stateToken.test(value)) return expected
      known.set(name, value)
    }
    return actual
  }

  /** A name that is the whole text may have a value of any type. */
  const resolveWhole = (expected: string, actual: unknown): unknown => {
    const [, name] = whole.exec(expected) ?? []
    if (name === undefined || typeof actual !== 'object' || actual === null) return expected
    if (lookUp(name) === undefined) known.set(name, actual)
    return lookUp(name)
  }

  const tryFill = (text: string): string =>
    text.replace(placeholder, (found, name: string) => textOf(name) ?? found)

  const resolve = (expected: unknown, actual: unknown): unknown => {
    if (typeof expected === 'string') return resolveText(expected, actual)
    if (Array.isArray(expected)) {
      const items: readonly unknown[] = Array.isArray(actual) ? actual : []
      return expected.map((item, index) => resolve(item, items[index]))
    }
    if (!isObject(expected)) return expected
    const members = isObject(actual) ? actual : {}
    return Object.fromEntries(
      Object.entries(expected).map(([key, item]) => [key, resolve(item, members[key])]),
    )
  }

  const fillAll = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const [, name] = whole.exec(value) ?? []
      return (name === undefined ? undefined : known.get(name)) ?? fill(value)
    }
    if (Array.isArray(value)) return value.map(fillAll)
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillAll(item)]))
  }

  return { fill, fillAll, resolve, set: (name, value) => known.set(name, value) }
}

const escapeRegex = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
