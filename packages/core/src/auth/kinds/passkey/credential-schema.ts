import type { JsonSchema } from '../../schema/json-schema.ts'

const text: JsonSchema = { type: 'string' }

/**
 * The schema of what a browser makes of a passkey, with these members in its `response`.
 *
 * @see WebAuthn Level 3, section 5.1, `RegistrationResponseJSON` and `AuthenticationResponseJSON`
 */
export const credentialSchema = (...members: readonly string[]): JsonSchema => ({
  type: 'object',
  required: ['id', 'rawId', 'response', 'type'],
  properties: {
    id: text,
    rawId: text,
    type: { const: 'public-key' },
    response: {
      type: 'object',
      required: members,
      properties: Object.fromEntries(members.map((name) => [name, text])),
    },
  },
})
