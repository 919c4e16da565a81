import { integerOf, typeNameOf } from '../read-value.ts'
import type { Run, Value } from '../value.ts'
import type { Flags } from './flags.ts'
import { Printer } from './printer.ts'

/** The greatest width and precision. */
const widest = 1_000_000

interface Directive {
  width?: number
  precision?: number
  minus?: boolean
  plus?: boolean
  sharp?: boolean
  space?: boolean
  zero?: boolean
}

const flagNames: ReadonlyMap<string, 'minus' | 'plus' | 'sharp' | 'space' | 'zero'> = new Map([
  ['-', 'minus'],
  ['+', 'plus'],
  ['#', 'sharp'],
  [' ', 'space'],
  ['0', 'zero'],
])

/**
 * Inserts values into a format.
 *
 * @see https://pkg.go.dev/fmt#Sprintf
 */
export function sprintf(run: Run, format: string, values: readonly Value[]): string {
  return new Formatter(run, format, values).run()
}

/** Reads a format and prints it. */
class Formatter {
  readonly #printer: Printer
  readonly #run: Run
  readonly #format: string
  readonly #values: readonly Value[]
  /** The position in the format. */
  #at = 0
  /** The index of the next value. */
  #next = 0
  /** Whether the format uses explicit indexes. Then surplus values are not an error. */
  #isReordered = false
  /** Whether all indexes of the directive were valid. */
  #isGoodIndex = true

  constructor(run: Run, format: string, values: readonly Value[]) {
    this.#printer = new Printer(run)
    this.#run = run
    this.#format = format
    this.#values = values
  }

  run(): string {
    while (this.#at < this.#format.length) {
      const percent = this.#format.indexOf('%', this.#at)
      const end = percent < 0 ? this.#format.length : percent
      this.#printer.write(this.#format.slice(this.#at, end))
      this.#at = end + 1
      if (percent >= 0) this.#directive()
    }
    if (!this.#isReordered && this.#next < this.#values.length) this.#surplus()
    return this.#printer.text
  }

  #directive(): void {
    this.#run.spend(1)
    this.#isGoodIndex = true
    const directive = this.#flags()
    let isAfterIndex = this.#index()
    isAfterIndex = this.#width(directive, isAfterIndex)
    isAfterIndex = this.#precision(directive, isAfterIndex)
    if (!isAfterIndex) this.#index()
    const codePoint = this.#format.codePointAt(this.#at)
    if (codePoint === undefined) {
      this.#printer.write('%!(NOVERB)')
      return
    }
    const verb = String.fromCodePoint(codePoint)
    this.#at += verb.length
    this.#verb(verb, directive)
  }

  #flags(): Directive {
    const directive: Directive = {}
    for (;;) {
      const flag = flagNames.get(this.#format.charAt(this.#at))
      if (flag === undefined) return directive
      directive[flag] = true
      this.#at += 1
    }
  }

  /** Reads `[n]`, if present, which selects the next value. */
  #index(): boolean {
    if (this.#format.charAt(this.#at) !== '[') return false
    this.#isReordered = true
    const close = this.#format.indexOf(']', this.#at)
    if (close < 0) {
      this.#isGoodIndex = false
      this.#at += 1
      return false
    }
    const digits = this.#format.slice(this.#at + 1, Math.min(close, this.#at + 9))
    this.#at = close + 1
    const isNumber = /^\d+$/.test(digits)
    const index = Number(digits) - 1
    if (isNumber && index >= 0 && index < this.#values.length) this.#next = index
    else this.#isGoodIndex = false
    return isNumber
  }

  #width(directive: Directive, isAfterIndex: boolean): boolean {
    if (this.#format.charAt(this.#at) === '*') {
      const width = this.#starred()
      if (width === undefined) this.#printer.write('%!(BADWIDTH)')
      else directive.width = Math.abs(width)
      if (width !== undefined && width < 0) directive.minus = true
      return false
    }
    const width = this.#number()
    if (width === undefined) return isAfterIndex
    directive.width = width
    if (isAfterIndex) this.#isGoodIndex = false
    return isAfterIndex
  }

  #precision(directive: Directive, isAfterIndex: boolean): boolean {
    if (this.#format.charAt(this.#at) !== '.') return isAfterIndex
    this.#at += 1
    if (isAfterIndex) this.#isGoodIndex = false
    const isIndexed = this.#index()
    if (this.#format.charAt(this.#at) !== '*') {
      directive.precision = this.#number() ?? 0
      return isIndexed
    }
    const precision = this.#starred()
    if (precision !== undefined && precision >= 0) directive.precision = precision
    else this.#printer.write('%!(BADPREC)')
    return false
  }

  /** Reads a width or precision that is one of the values. */
  #starred(): number | undefined {
    this.#at += 1
    const value = this.#values[this.#next]
    if (value === undefined) return undefined
    this.#next += 1
    const number = Number(integerOf(value) ?? Number.NaN)
    return Math.abs(number) <= widest ? number : undefined
  }

  /** Reads a width or precision in digits. If it is too large, the rest of the format is invalid. */
  #number(): number | undefined {
    const start = this.#at
    let number = 0
    for (;;) {
      const digit = this.#format.charCodeAt(this.#at) - 48
      if (!(digit >= 0 && digit <= 9)) return this.#at > start ? number : undefined
      if (number > widest) {
        this.#at = this.#format.length
        return undefined
      }
      number = number * 10 + digit
      this.#at += 1
    }
  }

  #verb(verb: string, directive: Directive): void {
    const value = this.#values[this.#next]
    if (verb === '%') this.#printer.write('%')
    else if (!this.#isGoodIndex) this.#printer.write(`%!${verb}(BADINDEX)`)
    else if (value === undefined) this.#printer.write(`%!${verb}(MISSING)`)
    else {
      this.#next += 1
      this.#printer.print(value, verb, verb === 'v' ? flagsOfV(directive) : directive)
    }
  }

  #surplus(): void {
    this.#printer.write('%!(EXTRA ')
    for (const [i, value] of this.#values.slice(this.#next).entries()) {
      if (i > 0) this.#printer.write(', ')
      if (value !== null) this.#printer.write(`${typeNameOf(value)}=`)
      this.#printer.print(value, 'v', {})
    }
    this.#printer.write(')')
  }
}

/** Before `v`, plus and sharp have a different meaning. */
function flagsOfV({ plus, sharp, ...others }: Directive): Flags {
  return { ...others, ...(plus ? { plusV: true } : {}), ...(sharp ? { sharpV: true } : {}) }
}
