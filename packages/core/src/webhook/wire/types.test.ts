import { expectTypeOf, it } from 'vitest'
import type { WebhookCalls } from './types.generated.ts'

it('types the data of POST /webhook as an object or null', () => {
  type Body = WebhookCalls['POST /webhook']['request']['body']
  expectTypeOf<Body['data']>().toEqualTypeOf<Readonly<Record<string, unknown>> | null | undefined>()
})
