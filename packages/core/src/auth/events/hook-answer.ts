import * as z from 'zod/mini'
import type { HookAnswer } from '../flow/hooks/host-hook.ts'

const attributes = z.record(z.string(), z.json())

/** The members that are read; a hook may add others. */
const hookAnswerSchema: z.ZodMiniType<HookAnswer> = z.object({
  is_allowed: z.boolean(),
  title: z.exactOptional(z.string()),
  reason: z.exactOptional(z.string()),
  mutations: z.exactOptional(
    z.object({
      user: z.exactOptional(
        z.object({
          standard_attributes: z.exactOptional(attributes),
          custom_attributes: z.exactOptional(attributes),
        }),
      ),
    }),
  ),
  constraints: z.exactOptional(z.object({ amr: z.exactOptional(z.array(z.string())) })),
  rate_limits: z.exactOptional(z.record(z.string(), z.object({ weight: z.number() }))),
  bot_protection: z.exactOptional(z.object({ mode: z.enum(['never', 'always']) })),
})

/** The answer of a hook, or where it is invalid, as JSON pointers. */
export type ReadHookAnswer =
  | { readonly answer: HookAnswer }
  | { readonly problems: readonly string[] }

/** Reads the answer of a hook. */
export function readHookAnswer(given: unknown): ReadHookAnswer {
  const read = hookAnswerSchema.safeParse(asJson(given))
  if (read.success) return { answer: read.data }
  return { problems: read.error.issues.map(({ path }) => ['', ...path].map(String).join('/')) }
}

/** A function may return anything; values without a JSON form read as nothing. */
function asJson(given: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(given) ?? 'null')
  } catch {
    // Circular, or nested too deeply.
    return undefined
  }
}
