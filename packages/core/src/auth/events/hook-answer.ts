import { z } from 'zod'
import type { HookAnswer } from '../ports.ts'

const attributes = z.record(z.string(), z.json())

/** What is read of an answer; a hook may say more. */
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

/** What a hook has answered, or where it does not fit, as JSON pointers. */
export type ReadHookAnswer =
  | { readonly answer: HookAnswer }
  | { readonly problems: readonly string[] }

/** Reads what a hook has answered. */
export function readHookAnswer(given: unknown): ReadHookAnswer {
  const read = hookAnswerSchema.safeParse(asJson(given))
  if (read.success) return { answer: read.data }
  return { problems: read.error.issues.map(({ path }) => ['', ...path].map(String).join('/')) }
}

/** A function may answer anything; what cannot be JSON is nothing. */
function asJson(given: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(given) ?? 'null')
  } catch {
    // In a circle, or nested too deeply.
    return undefined
  }
}
