import { createAuth, fetchHandler, openApiRoutes } from '@gatehouse/core'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import { en } from '../texts/en.ts'
import { writer } from '../texts/texts.ts'
import { isKnownIdentification } from './identify.tsx'
import { nameOfWay } from './prove.tsx'
import { screens } from './screens.tsx'

interface Schema {
  readonly enum?: readonly string[]
  readonly const?: string
  readonly $ref?: string
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
}

/** What the service says that it asks people for, in its OpenAPI document. */
async function described(): Promise<(name: string) => Schema> {
  const auth = createAuth({
    storage: createMemoryStorage(),
    config: { id: 'test', http: { public_origin: 'https://auth.example.com' } },
    secrets: [{ id: 'k1', key: 'a key for tests, of 32 bytes or more' }],
    logger: false,
  })
  const answer = await fetchHandler(openApiRoutes([auth]))(new Request('http://host/openapi.json'))
  const { components } = (await answer.json()) as {
    components: { schemas: Record<string, Schema> }
  }
  return (name) => {
    const schema = components.schemas[name]
    if (schema === undefined) throw new Error(`no schema ${name}`)
    return schema
  }
}

const last = (ref = ''): string => ref.slice(ref.lastIndexOf('/') + 1)

describe('what the service asks for', () => {
  it('has a screen for every prompt', async () => {
    const schemaOf = await described()
    const { oneOf, anyOf } = schemaOf('FlowAction')
    const prompts = (oneOf ?? anyOf ?? []).map(({ $ref }) => {
      const { properties = {} } = schemaOf(last($ref))
      const { type } = properties.data?.properties ?? {}
      return type?.const ?? type?.enum?.[0] ?? properties.type?.const ?? properties.type?.enum?.[0]
    })
    expect(prompts.length).toBeGreaterThan(15)
    const names = Object.keys(screens)
    expect(new Set(prompts)).toEqual(new Set(names))
  })

  it('has a part of the screen for every identification', async () => {
    const names = (await described())('IdentificationName').enum ?? []
    expect(names.length).toBeGreaterThan(7)
    expect(names.filter((name) => !isKnownIdentification(name))).toEqual([])
    expect(isKnownIdentification('badge')).toBe(false)
  })

  it('has words and a picture for every authentication', async () => {
    const names = (await described())('AuthenticationName').enum ?? []
    expect(names.length).toBeGreaterThan(9)
    const t = writer({ texts: en, language: 'en' }, {}, {})
    for (const authentication of names) {
      // The cookie of a trusted device is no way that a person chooses.
      if (authentication === 'device_token') continue
      const isSent = authentication.includes('oob_otp')
      const option = { authentication, masked_display_name: 'm***' }
      const way = { option, index: 0, ...(isSent ? { channel: 'email' } : {}) }
      const { title } = nameOfWay(way as Parameters<typeof nameOfWay>[0], t)
      expect(title).not.toBe(authentication)
    }
  })
})
