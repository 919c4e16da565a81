import { invalidRequest } from '../errors.ts'
import type { FormRules } from '../webhook.ts'
import { type DataTree, objectText } from './data-tree.ts'
import { type JsonText, parseJsonText } from './json-text.ts'

/** Every field is a text, and a member of the data. */
export const plainForm: FormRules = {
  data: undefined,
  or_fields: false,
  json: [],
  nested: false,
}

/** A field with its value. */
export type FormField = readonly [name: string, value: DataTree]

/** The most fields of a form. */
const maxFormFields = 10_000

const invalid = (problem: string): Error => invalidRequest([{ path: '', problem }])

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    throw invalid('the form has an escape that is not valid UTF-8')
  }
}

/**
 * The fields of a urlencoded form, in their order.
 *
 * @throws {GatehouseError} `invalid_request` if an escape is not valid UTF-8, or if there are too many fields.
 * @see https://url.spec.whatwg.org/#urlencoded-parsing
 */
function fieldsOf(form: string): readonly FormField[] {
  const fields: FormField[] = []
  for (const pair of form.split('&')) {
    if (pair === '') continue
    if (fields.length === maxFormFields) {
      throw invalid(`the form has more than ${maxFormFields} fields`)
    }
    const equals = pair.indexOf('=')
    const name = decodePart(equals < 0 ? pair : pair.slice(0, equals))
    fields.push([name, equals < 0 ? '' : decodePart(pair.slice(equals + 1))])
  }
  return fields
}

/** An object or a list while fields are added to it. A list has the names of its indexes. */
type Branch = Map<string, DataTree | Branch>

const isBranch = (value: DataTree | Branch | undefined): value is Branch => value instanceof Map

/** The steps of a name such as `a[b][]`; one step if it has another form. */
function stepsOf(name: string): readonly string[] {
  const [, first, brackets] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? []
  if (first === undefined || brackets === undefined) return [name]
  return [first, ...brackets.slice(1, -1).split('][')]
}

/** Adds a field at its place. The first value of a repeated name counts, as without nesting. */
function place(root: Branch, name: string, value: DataTree, maxDepth: number): void {
  const steps = stepsOf(name)
  if (steps.length >= maxDepth) throw invalid(`the form is nested more than ${maxDepth} deep`)
  let branch = root
  for (const [index, step] of steps.entries()) {
    const key = step === '' && index > 0 ? String(branch.size) : step
    const found = branch.get(key)
    if (index === steps.length - 1) {
      if (isBranch(found)) throw invalid('the form has a name both with and without brackets')
      if (found === undefined) branch.set(key, value)
      return
    }
    if (found !== undefined && !isBranch(found)) {
      throw invalid('the form has a name both with and without brackets')
    }
    const next: Branch = found ?? new Map()
    branch.set(key, next)
    branch = next
  }
}

/**
 * Makes data of the fields of a form. The first value of a repeated name counts.
 *
 * @throws {GatehouseError} `invalid_json` for a field that must be JSON; `invalid_request` if the field with the data is missing, or
 * if a name contradicts another.
 */
export function formData(
  fields: Iterable<FormField>,
  { data, or_fields: orFields, json, nested }: FormRules,
  maxDepth: number,
): JsonText {
  const root: Branch = new Map()
  for (const [name, value] of fields) {
    const isJson = typeof value === 'string' && (name === data || json.includes(name))
    const read = isJson ? parseJsonText(value, maxDepth, fieldNamed(name)) : value
    if (name === data) return jsonOf(read, name)
    if (data !== undefined && !orFields) continue
    if (nested) place(root, name, read, maxDepth)
    else if (!root.has(name)) root.set(name, read)
  }
  if (data !== undefined && !orFields)
    throw invalidRequest([{ path: data, problem: 'is missing in the form' }])
  return parseJsonText(objectText(root), maxDepth, 'the form')
}

/** For messages: the configuration has the name, not the request. */
const fieldNamed = (name: string): string => `the field ${JSON.stringify(name)} of the form`

function jsonOf(value: DataTree, name: string): JsonText {
  if (typeof value === 'object' && 'text' in value && 'value' in value) return value
  throw invalidRequest([{ path: name, problem: 'must be a text, not a file' }])
}

/**
 * Decodes a urlencoded form.
 *
 * @throws {GatehouseError} `invalid_request`, `invalid_json`.
 */
export function decodeForm(form: string, maxDepth: number, rules: FormRules = plainForm): JsonText {
  return formData(fieldsOf(form), rules, maxDepth)
}
