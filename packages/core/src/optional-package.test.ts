import { expect, it } from 'vitest'
import { commonExports, importInstalled, withFunction } from './optional-package.ts'

it('imports an installed package by a name that is not written out', async () => {
  expect(await importInstalled('ldapts')).toHaveProperty('Client')
  await expect(importInstalled('not-installed-anywhere')).rejects.toThrow('not-installed-anywhere')
})

it('refuses the empty module that a bundler puts in the place of a missing package', () => {
  const empty: { readonly default: unknown } = { default: {} }
  expect(() => withFunction(empty, 'default')).toThrow('no function "default"')
  const module = { default: () => 1 }
  expect(withFunction(module, 'default')).toBe(module)
})

it('finds the exports of a CommonJS package that a bundler has wrapped', () => {
  const exported: { readonly Parser?: unknown; readonly default?: object } = { Parser: class {} }
  expect(commonExports(exported, 'Parser')).toBe(exported)
  expect(commonExports({ default: exported } as typeof exported, 'Parser')).toBe(exported)
  expect(commonExports({} as typeof exported, 'Parser')).toEqual({})
})
