import { strings } from './make-value.ts'
import type { GoList, ParameterType, Run, TemplateFunction, Value } from './value.ts'

type ParameterTypes<Args extends readonly Value[]> = {
  readonly [Index in keyof Args]: ParameterType<Args[Index]>
}

/** Creates a template function with a fixed number of arguments. */
export function templateFunction<const Args extends readonly Value[]>(
  parameters: ParameterTypes<Args>,
  call: (args: Args, run: Run) => Value,
): TemplateFunction {
  // The arguments were already checked against the parameters.
  return { parameters, call: (args, run) => call(args as unknown as Args, run) }
}

/** Creates a template function with fixed arguments followed by any number of arguments of one type. */
export function variadicFunction<const Args extends readonly Value[], Rest extends Value>(
  parameters: ParameterTypes<Args>,
  variadic: ParameterType<Rest>,
  call: (args: Args, rest: readonly Rest[], run: Run) => Value,
): TemplateFunction {
  const fixed = parameters.length
  return {
    parameters,
    variadic,
    call: (args, run) =>
      // The arguments were already checked against the parameters.
      call(args.slice(0, fixed) as unknown as Args, args.slice(fixed) as unknown as Rest[], run),
  }
}

/** A parameter that accepts every value, including nil: `interface {}`. */
export const anyParameter: ParameterType = {
  name: 'interface {}',
  constant: 'any',
  nil: null,
  accepts: (value): value is Value => true,
}

/** A parameter of type `string`. */
export const stringParameter: ParameterType<string> = {
  name: 'string',
  constant: 'string',
  accepts: (value) => typeof value === 'string',
}

/** A parameter of type `int`. */
export const intParameter: ParameterType<number | bigint> = {
  name: 'int',
  constant: 'integer',
  fromInteger: (value) => value,
  accepts: (value): value is number | bigint =>
    typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value)),
}

/** A parameter of type `[]string`; {@link textsOf} returns its texts. */
export const stringsParameter: ParameterType<GoList> = {
  name: '[]string',
  nil: strings([]),
  accepts: (value): value is GoList =>
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    value.kind === 'list' &&
    value.type.element === 'string',
}

/** The texts of an argument for {@link stringsParameter}. */
export function textsOf(list: GoList): readonly string[] {
  return list.items.map((item) => (typeof item === 'string' ? item : ''))
}
