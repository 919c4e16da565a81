import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.fixture.ts'
import { senders } from './senders.ts'

const page = readFileSync(new URL('../../../../../docs/senders.md', import.meta.url), 'utf8')
const recipes = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text)

const keyOf = (kind: 'ed25519' | 'ec'): string => {
  const { publicKey } =
    kind === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync(kind)
  return publicKey.export({ format: 'pem', type: 'spki' }).toString()
}

/** A value for every variable of the page. */
const environment: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...page.matchAll(/\$\{env:(\w+)\}/g)].map(([, name = '']) => [
      name,
      'c2VjcmV0LXRoYXQtaXMtbG9uZw==',
    ]),
  ),
  DISCORD_PUBLIC_KEY: keyOf('ed25519'),
  SENDGRID_PUBLIC_KEY: keyOf('ec'),
}

describe('docs/senders.md', () => {
  it.each(recipes)('has a recipe that loads without warnings: %s', (text) => {
    const { webhooks, warnings } = readConfig(text, { environment })
    expect(webhooks).toHaveLength(1)
    expect(warnings).toEqual([])
  })

  it('has a recipe for each sender', () => {
    const named = recipes.flatMap((text) => readConfig(text, { environment }).webhooks)
    const names = new Set(named.map(({ sender }) => sender?.sender.name))
    expect(senders.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([])
  })
})
