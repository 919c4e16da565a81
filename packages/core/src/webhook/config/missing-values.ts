import type {
  CommandArgument,
  EnvironmentValue,
  ValueChecks,
  ValueFile,
  Webhook,
} from '../webhook.ts'

/** A value as written, which may leave open what happens without it. */
export type Open<T extends { readonly on_missing: unknown }> = Omit<T, 'on_missing'> & {
  readonly on_missing: T['on_missing'] | undefined
}

/** An argument as written. */
export type WrittenArgument = Open<Omit<CommandArgument, 'allow_dash'>> & {
  readonly allow_dash: boolean | undefined
}

/** The value of a variable as written. */
export type WrittenVariable =
  | Exclude<EnvironmentValue, { kind: 'source' }>
  | Open<Extract<EnvironmentValue, { kind: 'source' }>>

/** The values of a request as written. */
export interface WrittenValues {
  readonly command_arguments: readonly WrittenArgument[]
  readonly env: ReadonlyMap<string, WrittenVariable>
  readonly files: readonly Open<ValueFile>[]
}

/** What holds for values that do not say it. */
export interface ValueDefaults {
  readonly on_missing: ValueChecks['on_missing']
  readonly allow_dash: boolean
}

/** Says for every value what happens without it, and for every argument whether it may start with a dash. */
export function closed(
  { command_arguments, env, files }: WrittenValues,
  { on_missing: otherwise, allow_dash }: ValueDefaults,
): Pick<Webhook, keyof WrittenValues> {
  return {
    command_arguments: command_arguments.map((one) => {
      return {
        ...one,
        on_missing: one.on_missing ?? otherwise,
        allow_dash: one.allow_dash ?? allow_dash,
      }
    }),
    env: new Map(
      Array.from(env, ([name, one]) => {
        const whole =
          one.kind === 'text' ? one : { ...one, on_missing: one.on_missing ?? otherwise }
        return [name, whole] as const
      }),
    ),
    files: files.map((one) => ({ ...one, on_missing: one.on_missing ?? otherwise })),
  }
}
