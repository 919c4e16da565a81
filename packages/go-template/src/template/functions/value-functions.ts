import { functionFailed } from '../errors.ts'
import { toJson } from '../format/to-json.ts'
import {
  anyParameter,
  stringParameter,
  templateFunction,
  variadicFunction,
} from '../make-function.ts'
import { listOf, typeNameOf } from '../read-value.ts'
import type { Functions, Value } from '../value.ts'
import { decodeBase64, encodeBase64 } from './base64.ts'

/**
 * Functions that create lists and maps, and convert values. Unconfirmed: the wording of the errors of `append` and `dict`.
 *
 * @see Alertmanager documentation, "Notification template reference"
 */
export const valueFunctions: Functions = new Map([
  [
    'list',
    variadicFunction([], anyParameter, (_, items, run) => {
      run.spend(items.length)
      return items
    }),
  ],
  [
    'append',
    variadicFunction([anyParameter], anyParameter, ([value], items, run) => {
      const list = value === null ? [] : listOf(value)?.items
      if (list === undefined) throw functionFailed(`cannot append to type ${typeNameOf(value)}`)
      run.spend(list.length + items.length)
      return [...list, ...items]
    }),
  ],
  ['dict', variadicFunction([], anyParameter, (_, items) => dict(items))],
  ['toJson', templateFunction([anyParameter], ([value], run) => toJson(run, value))],
  ['base64encode', templateFunction([stringParameter], ([text]) => encodeBase64(text))],
  ['base64decode', templateFunction([stringParameter], ([text]) => decodeBase64(text))],
])

/** Creates a map of alternating keys and values. */
function dict(items: readonly Value[]): Value {
  if (items.length % 2 === 1) throw functionFailed('dict expects an even number of arguments')
  const entries = new Map<string, Value>()
  for (let i = 0; i < items.length; i += 2) {
    const [key = null, value = null] = items.slice(i, i + 2)
    if (typeof key !== 'string') {
      throw functionFailed(`dict keys must be strings, got ${typeNameOf(key)}`)
    }
    entries.set(key, value)
  }
  return entries
}
