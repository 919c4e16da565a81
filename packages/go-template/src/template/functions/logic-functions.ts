import { functionFailed } from '../errors.ts'
import { anyParameter, templateFunction, variadicFunction } from '../make-function.ts'
import { functionOf, isTrue, typeNameOf } from '../read-value.ts'
import type { Functions, GoFunction, Value } from '../value.ts'

/**
 * `and`, `or`, `not` and `call`.
 *
 * @see https://pkg.go.dev/text/template#hdr-Functions
 */
export const logicFunctions: Functions = new Map([
  ['and', { parameters: [anyParameter], variadic: anyParameter, stopsAt: false, call: last }],
  ['or', { parameters: [anyParameter], variadic: anyParameter, stopsAt: true, call: last }],
  ['not', templateFunction([anyParameter], ([value]) => !isTrue(value))],
  [
    'call',
    variadicFunction([anyParameter], anyParameter, ([called], args, run) => {
      if (called === null) throw functionFailed('call of nil')
      const found = functionOf(called)
      if (found === undefined) throw functionFailed(`non-function of type ${typeNameOf(called)}`)
      checkArguments(found, args)
      return found.function.call(args, run)
    }),
  ],
])

/** Never called: the engine evaluates these two itself. */
function last(args: readonly Value[]): Value {
  return args.at(-1) ?? null
}

function checkArguments({ function: called }: GoFunction, args: readonly Value[]): void {
  const { parameters, variadic } = called
  const wanted = parameters.length
  const got = args.length
  if (variadic === undefined && got !== wanted) {
    throw functionFailed(`wrong number of args: got ${got} want ${wanted}`)
  }
  if (got < wanted) throw functionFailed(`wrong number of args: got ${got} want at least ${wanted}`)
  for (const [i, arg] of args.entries()) {
    const type = parameters[i] ?? variadic
    if (type === undefined || type.accepts(arg)) continue
    throw functionFailed(`arg ${i}: value has type ${typeNameOf(arg)}; should be ${type.name}`)
  }
}
