import type { Source, ValueChecks, Webhook } from '../webhook.ts'
import type * as wire from '../wire/types.generated.ts'
import { startsAnEntry } from './command-arguments.ts'

/** A value that a webhook reads from a request. */
export type WebhookInput = wire.WebhookInput

/** Facts such as the time, which no sender chooses. */
const isChosen = (from: Source | undefined): boolean =>
  from !== undefined && from.kind !== 'request'

function rulesOf({ pattern, max_length }: ValueChecks): Partial<WebhookInput> {
  return {
    ...(pattern === undefined ? {} : { pattern: pattern.source }),
    ...(max_length === undefined ? {} : { max_length }),
  }
}

/** The values that a webhook reads from a request for its command. Fixed arguments and texts are not among them. */
export function webhookInputs({
  command_arguments,
  env,
  files,
}: Pick<Webhook, 'command_arguments' | 'env' | 'files'>): readonly WebhookInput[] {
  return [
    ...command_arguments.flatMap((argument): WebhookInput[] => {
      const { name, source, from, on_missing, default: fallback, pattern, max_length } = argument
      if (!isChosen(from)) return []
      return [
        {
          use: 'argument',
          name,
          source,
          required: on_missing === 'error' && fallback === undefined,
          ...(fallback === undefined ? {} : { default: fallback }),
          ...(pattern === undefined ? {} : { pattern: pattern.source }),
          max_length,
          allow_dash: argument.allow_dash || !startsAnEntry(argument),
        },
      ]
    }),
    ...[...env].flatMap(([name, value]): WebhookInput[] => {
      if (value.kind !== 'source' || !isChosen(value.from)) return []
      const required = value.default === undefined && value.on_missing === 'error'
      const dash = value.allow_dash ? {} : { allow_dash: false }
      return [{ use: 'variable', name, source: value.source, required, ...rulesOf(value), ...dash }]
    }),
    ...files.flatMap((file): WebhookInput[] => {
      const { env: name, source, from, base64, on_missing } = file
      if (!isChosen(from)) return []
      const required = on_missing === 'error'
      const encoding = base64 ? { base64 } : {}
      return [{ use: 'file', name, source, required, ...rulesOf(file), ...encoding }]
    }),
  ]
}
