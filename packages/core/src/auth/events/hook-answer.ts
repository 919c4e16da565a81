import { z } from 'zod'
import type { HookAnswer } from '../ports.ts'

const attributes = z.record(z.string(), z.json())

/** The members that are read; a hook may add others. */
const hookAnswerSchema: z.ZodType<HookAnswer> = z.object({
  is_allowed: z.boolean(),
  title: z.string().exactOptional(),
  reason: z.string().exactOptional(),
  mutations: z
    .object({
      user: z
        .object({
          standard_attributes: attributes.exactOptional(),
          custom_attributes: attributes.exactOptional(),
        })
        .exactOptional(),
    })
    .exactOptional(),
  constraints: z.object({ amr: z.array(z.string()).exactOptional() }).exactOptional(),
  rate_limits: z.record(z.string(), z.object({ weight: z.number() })).exactOptional(),
  bot_protection: z.object({ mode: z.enum(['never', 'always']) }).exactOptional(),
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
