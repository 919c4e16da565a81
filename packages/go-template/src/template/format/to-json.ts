import { goJsonString } from '../../json/json.ts'
import { functionFailed } from '../errors.ts'
import {
  floatOf,
  integerOf,
  kindOf,
  listOf,
  mapOf,
  objectOf,
  sortedEntries,
  structOf,
  textOf,
  typeNameOf,
} from '../read-value.ts'
import type { Run, Value } from '../value.ts'

/**
 * Formats a value as JSON: fields by their JSON names, map keys sorted, `<`, `>` and `&` escaped.
 *
 * @throws {GoError} `TemplateFunction` for a value that JSON cannot represent; `TemplateLimit`.
 * @see https://pkg.go.dev/encoding/json#Marshal
 */
export function toJson(run: Run, value: Value): string {
  const writer = new JsonWriter(run)
  writer.write(value, 0)
  return writer.text
}

class JsonWriter {
  readonly #run: Run
  text = ''

  constructor(run: Run) {
    this.#run = run
  }

  write(value: Value, depth: number): void {
    this.#run.spend(1)
    this.#run.checkDepth(depth)
    const object = objectOf(value)
    if (object !== undefined) {
      this.#put(object.toJson())
      return
    }
    const kind = kindOf(value)
    switch (kind) {
      case 'nil':
        this.#put('null')
        break
      case 'bool':
        this.#put(String(value))
        break
      case 'int':
      case 'uint':
        this.#put(String(integerOf(value)))
        break
      case 'float':
        this.#put(formatFloat(floatOf(value) ?? 0))
        break
      case 'string':
        this.#string(textOf(value) ?? '')
        break
      case 'list':
        this.#list(listOf(value)?.items ?? [], depth)
        break
      default:
        this.#members(value, depth)
    }
  }

  #list(items: readonly Value[], depth: number): void {
    this.#put('[')
    for (const [i, item] of items.entries()) {
      if (i > 0) this.#put(',')
      this.write(item, depth + 1)
    }
    this.#put(']')
  }

  #members(value: Value, depth: number): void {
    const map = mapOf(value)
    const struct = structOf(value)
    const names = struct?.type.jsonNames
    const entries = map === undefined ? struct?.fields : sortedEntries(map)
    if (entries === undefined) throw functionFailed(`json: unsupported type: ${typeNameOf(value)}`)
    let separator = '{'
    for (const [name, member] of entries) {
      this.#put(separator)
      this.#string(names?.get(name) ?? name)
      this.#put(':')
      this.write(member, depth + 1)
      separator = ','
    }
    this.#put(separator === '{' ? '{}' : '}')
  }

  #string(text: string): void {
    this.#run.spend(text.length / 16)
    this.#put(goJsonString(text))
  }

  #put(text: string): void {
    this.#run.checkLength(this.text.length + text.length)
    this.text += text
  }
}

/** Like JavaScript, except for minus zero. */
function formatFloat(value: number): string {
  if (!Number.isFinite(value)) {
    const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
    throw functionFailed(`json: unsupported value: ${name}`)
  }
  return Object.is(value, -0) ? '-0' : String(value)
}
