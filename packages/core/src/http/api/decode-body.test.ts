import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { decodeInput } from '../../input/decode.ts'
import { decodeBody } from './decode-body.ts'
import { named, text } from './schema.ts'

const door = named(
  'Door',
  'A door.',
  z.object({
    name: text,
    state: z._default(z.enum(['open', 'closed']), 'closed'),
    isLocked: z.optional(z.boolean()),
    width: z.optional(z.number().check(z.minimum(0), z.maximum(9))),
    visits: z.optional(z.int()),
    labels: z.optional(z.record(text, text)),
    keys: z.optional(z.array(z.object({ id: text })).check(z.minLength(1), z.maxLength(2))),
  }),
)

const decode = (body: unknown): unknown =>
  decodeInput('door', (given) => decodeBody(door, given), body)

it('returns a body as it was given, without defaults', () => {
  const body = { name: 'front', width: 9, labels: {}, keys: [{ id: 'a', colour: 'red' }] }
  expect(decode(body)).toBe(body)
  expect(body).toEqual({
    name: 'front',
    width: 9,
    labels: {},
    keys: [{ id: 'a', colour: 'red' }],
  })
})

it.each([
  [undefined, 'door: expected an object, got undefined'],
  [[], 'door: expected an object, got a list'],
  [{}, 'door.name: expected a string, got undefined'],
  [{ name: null }, 'door.name: expected a string, got null'],
  [{ name: 'a', state: 'ajar' }, 'door.state: expected "open" or "closed", got "ajar"'],
  [{ name: 'a', isLocked: 1 }, 'door.isLocked: expected true or false, got a number'],
  [{ name: 'a', width: -1 }, 'door.width: expected a number of at least 0, got -1'],
  [{ name: 'a', width: 10 }, 'door.width: expected a number of at most 9, got 10'],
  [{ name: 'a', visits: 1.5 }, 'door.visits: expected a whole number, got a number'],
  [{ name: 'a', visits: 1e300 }, 'door.visits: expected a whole number of at most'],
  [{ name: 'a', labels: [] }, 'door.labels: expected an object of strings, got a list'],
  [{ name: 'a', labels: { 'b c': 1 } }, 'door.labels["b c"]: expected a string, got a number'],
  [{ name: 'a', keys: [] }, 'door.keys: expected a list of at least 1, got one of 0'],
  [{ name: 'a', keys: [{}, {}, {}] }, 'door.keys: expected a list of at most 2, got one of 3'],
  [{ name: 'a', keys: [{}] }, 'door.keys[0].id: expected a string, got undefined'],
  [{ name: 'a', keys: 'b' }, 'door.keys: expected a list, got a string'],
  [{ name: 'a', lables: {} }, 'door.lables: expected "labels", got an unknown key'],
])('refuses %j, and says where', (body, message) => {
  expect(() => decode(body)).toThrow(message)
})

it('does not show a text that may be a secret', () => {
  expect(() => decode({ name: 'a', labels: 'correct horse' })).toThrow(/got a string$/)
})
