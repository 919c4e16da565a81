import {
  floatOf,
  functionOf,
  integerOf,
  type Kind,
  kindOf,
  listOf,
  mapOf,
  objectOf,
  ownTextOf,
  sortedEntries,
  structOf,
  textOf,
  typeNameOf,
} from '../read-value.ts'
import type { GoList, GoMap, GoStruct, Run, Value } from '../value.ts'
import { type Flags, pad } from './flags.ts'
import { formatFloat } from './float.ts'
import { formatInteger } from './integer.ts'
import { formatText } from './text.ts'

/** The verbs that print a value by its own text, if it has one. */
const textVerbs = 'vsxXq'
/** The cost of printing a time in a zone. */
const stepsPerObject = 50

/**
 * Prints values like Go's `fmt`. The run limits the output, even if a value contains another one many times.
 *
 * @see https://pkg.go.dev/fmt#hdr-Printing
 */
export class Printer {
  readonly #run: Run
  #text = ''
  /** Whether the value of an invalid verb is being printed. */
  #isInError = false

  constructor(run: Run) {
    this.#run = run
  }

  /** The output so far. */
  get text(): string {
    return this.#text
  }

  /** Writes a text unchanged. */
  write(text: string): void {
    this.#run.checkLength(this.#text.length + text.length)
    this.#text += text
  }

  /** Prints one argument. */
  print(value: Value, verb: string, flags: Flags): void {
    if (verb === 'T') this.write(pad(typeNameOf(value), flags))
    else if (value === null && verb === 'v') this.write(pad('<nil>', flags))
    // `p` prints an address, and there are none here.
    else if (value === null || verb === 'p') this.#badVerb(value, verb, flags)
    else this.#value(value, verb, flags, 0)
  }

  #value(value: Value, verb: string, flags: Flags, depth: number): void {
    this.#run.spend(1)
    this.#run.checkDepth(depth)
    if (this.#ownText(value, verb, flags)) return
    const kind = kindOf(value)
    if (kind === 'list' || kind === 'map' || kind === 'struct') {
      this.#composite(value, verb, flags, depth)
      return
    }
    const text = this.#simple(value, kind, verb, flags)
    if (text === undefined) this.#badVerb(value, verb, flags)
    else this.write(text)
  }

  /** The text of a value without elements; `undefined` if the verb does not apply to it. */
  #simple(value: Value, kind: Kind, verb: string, flags: Flags): string | undefined {
    switch (kind) {
      case 'nil':
        if (flags.sharpV) return 'interface {}(nil)'
        return verb === 'v' ? '<nil>' : undefined
      case 'bool':
        return 'tv'.includes(verb) ? pad(String(value), flags) : undefined
      case 'string':
        return this.#string(textOf(value) ?? '', verb, flags)
      case 'int':
        return formatInteger(integerOf(value) ?? 0, verb, flags)
      case 'uint':
        return flags.sharpV
          ? formatInteger(integerOf(value) ?? 0, 'x', { ...flags, sharp: true })
          : formatInteger(integerOf(value) ?? 0, verb, flags)
      case 'float':
        return formatFloat(floatOf(value) ?? 0, verb, flags)
      default:
        return undefined
    }
  }

  #string(text: string, verb: string, flags: Flags): string | undefined {
    this.#run.spend(text.length / 16)
    return formatText(text, verb, flags)
  }

  /** Prints a value by its own text, if the verb is for texts. */
  #ownText(value: Value, verb: string, flags: Flags): boolean {
    if (this.#isInError || typeof value !== 'object') return false
    if (flags.sharpV) {
      const object = objectOf(value)
      if (object === undefined) return false
      this.write(object.toGoSyntax())
      return true
    }
    if (objectOf(value) !== undefined) this.#run.spend(stepsPerObject)
    const text = textVerbs.includes(verb) ? ownTextOf(value) : undefined
    if (text === undefined) return false
    this.write(this.#string(text, verb, flags) ?? '')
    return true
  }

  #composite(value: Value, verb: string, flags: Flags, depth: number): void {
    const list = listOf(value)
    const map = mapOf(value)
    const struct = structOf(value)
    if (list !== undefined) this.#list(list, verb, flags, depth)
    else if (map !== undefined) this.#map(map, verb, flags, depth)
    else if (struct !== undefined) this.#struct(struct, verb, flags, depth)
    else this.#badVerb(value, verb, flags)
  }

  #list({ type, items }: GoList, verb: string, flags: Flags, depth: number): void {
    this.write(flags.sharpV ? `${type.name}{` : '[')
    for (const [i, item] of items.entries()) {
      if (i > 0) this.write(flags.sharpV ? ', ' : ' ')
      this.#value(item, verb, flags, depth + 1)
    }
    this.write(flags.sharpV ? '}' : ']')
  }

  #map(map: GoMap, verb: string, flags: Flags, depth: number): void {
    this.write(flags.sharpV ? `${map.type.name}{` : 'map[')
    let separator = ''
    for (const [key, item] of sortedEntries(map)) {
      this.write(separator)
      this.#value(key, verb, flags, depth + 1)
      this.write(':')
      this.#value(item, verb, flags, depth + 1)
      separator = flags.sharpV ? ', ' : ' '
    }
    this.write(flags.sharpV ? '}' : ']')
  }

  #struct({ type, fields }: GoStruct, verb: string, flags: Flags, depth: number): void {
    const isNamed = flags.plusV || flags.sharpV
    this.write(flags.sharpV ? `${type.name}{` : '{')
    let separator = ''
    for (const [name, field] of fields) {
      this.write(isNamed ? `${separator}${name}:` : separator)
      this.#value(field, verb, flags, depth + 1)
      separator = flags.sharpV ? ', ' : ' '
    }
    this.write('}')
  }

  /** `%!d(string=x)`. */
  #badVerb(value: Value, verb: string, flags: Flags): void {
    if (value === null) {
      this.write(`%!${verb}(<nil>)`)
      return
    }
    this.write(`%!${verb}(${typeNameOf(value)}=`)
    const object = objectOf(value)
    if (object !== undefined && object.integer === undefined) this.write(object.toText())
    else if (functionOf(value) === undefined) this.#wrongValue(value, flags)
    else this.write('?')
    this.write(')')
  }

  #wrongValue(value: Value, flags: Flags): void {
    const outer = this.#isInError
    this.#isInError = true
    this.#value(value, 'v', flags, 0)
    this.#isInError = outer
  }
}
