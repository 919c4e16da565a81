/** What names in the texts of a vector stand for. */
export interface Placeholders {
  /** The text with every `{name}` replaced. @throws {Error} if one stands for nothing yet. */
  fill(text: string): string
  /** The same for every text within a value. */
  fillAll(value: unknown): unknown
  /**
   * What is expected, as far as it can be told from what is there: a name that stands for nothing yet stands from now on for
   * what is there.
   */
  resolve(expected: unknown, actual: unknown): unknown
  /** What a name stands for from now on. */
  set(name: string, value: unknown): void
}

/** `{name}`, or `{kind:{name}}`. */
const placeholder = /\{([^{}]+|[^{}]+\{[^{}]+\})\}/g
/** The same as all of a text. */
const whole = new RegExp(`^${placeholder.source}$`)
const stateToken = /^authflowstate_[0-9A-HJKMNP-TV-Z]{32}$/

/** @param compute what is worked out anew each time, as `code:maya@example.com`; `undefined` for other names. */
export function createPlaceholders(compute: (name: string) => string | undefined): Placeholders {
  const known = new Map<string, unknown>()
  const lookUp = (name: string): unknown =>
    known.get(name) ?? compute(name.includes('{') ? fill(name) : name)
  const textOf = (name: string): string | undefined => {
    const value = lookUp(name)
    if (value === undefined || typeof value === 'string') return value
    throw new Error(`{${name}} is no text`)
  }

  const fill = (text: string): string =>
    text.replace(placeholder, (_, name: string) => {
      const value = textOf(name)
      if (value === undefined) throw new Error(`nothing is known of {${name}}`)
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

  /** A name that stands alone may stand for more than a text. */
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
