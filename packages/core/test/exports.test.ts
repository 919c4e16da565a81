import * as root from '@gatehouse/core'
import * as adapter from '@gatehouse/core/adapter'
import * as alerts from '@gatehouse/core/alerts'
import * as auth from '@gatehouse/core/auth'
import * as config from '@gatehouse/core/config'
import * as store from '@gatehouse/core/store'
import * as webhook from '@gatehouse/core/webhook'
import { expect, it } from 'vitest'

const entries: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  root,
  adapter,
  alerts,
  auth,
  config,
  store,
  webhook,
}

it('a name means the same in every entry', () => {
  const found = new Map<string, { readonly entry: string; readonly value: unknown }>()
  const different: string[] = []
  for (const [entry, names] of Object.entries(entries)) {
    for (const [name, value] of Object.entries(names)) {
      const first = found.get(name)
      if (first === undefined) found.set(name, { entry, value })
      else if (first.value !== value) different.push(`${name} of ${first.entry} and ${entry}`)
    }
  }
  expect(different).toEqual([])
})
