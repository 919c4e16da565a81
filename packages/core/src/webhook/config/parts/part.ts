import {
  type Decode,
  exactly,
  filledText,
  listOf,
  optional,
  rawText,
} from '../../../input/decode.ts'
import { refuse } from '../../../input/refusal.ts'

/** A further file with webhooks. If it is bad, only its own webhooks are missing. */
export interface WebhooksConfigPart {
  /** The name of the file, for messages. A reload finds the former webhooks of a file by its name. */
  readonly filename: string
  /** Absolute path of the folder that relative paths start from (default: that of the configuration). */
  readonly directory?: string | undefined
  /** Its text, or why it cannot be read. */
  readonly text: string | Error
}

/** Decodes the option `parts`. */
export const partsInput: Decode<readonly WebhooksConfigPart[] | undefined> = optional(
  listOf(
    exactly<WebhooksConfigPart>({
      filename: filledText,
      directory: optional(rawText),
      text: (value) =>
        typeof value === 'string' || value instanceof Error
          ? value
          : refuse('a text or an error', value),
    }),
  ),
)
