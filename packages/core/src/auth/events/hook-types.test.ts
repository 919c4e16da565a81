import { expectTypeOf, it } from 'vitest'
import type { AuthEvent } from './auth-event.ts'
import type { EventUser, Hook } from './hook.ts'

it('types the payload of a hook by its type', () => {
  const hook: Hook = async ({ type, payload }) => {
    if (type === 'user.pre_create' || type === 'user.profile.pre_update') {
      expectTypeOf(payload.user).toEqualTypeOf<EventUser>()
      expectTypeOf(payload).not.toHaveProperty('authentication_context')
      return { is_allowed: payload.user.standard_attributes.email !== undefined }
    }
    expectTypeOf(payload.authentication_context.user).toEqualTypeOf<EventUser | null>()
    expectTypeOf(payload.authentication_context.amr).toEqualTypeOf<readonly string[]>()
    return { is_allowed: true }
  }
  expectTypeOf(hook).toBeFunction()
})

it('accepts a hook that is written for any event', () => {
  const hook = async ({ type }: AuthEvent): Promise<{ readonly is_allowed: boolean }> => ({
    is_allowed: type !== 'user.pre_create',
  })
  expectTypeOf(hook).toExtend<Hook>()
})
