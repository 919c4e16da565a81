import { compilePattern } from '@gatehouse/go-template/regex'
import { describe, expect, it } from 'vitest'
import { sampleDelivery } from '../request/delivery.fixture.ts'
import { parseSource } from '../request/source.ts'
import type { ValueFile } from '../webhook.ts'
import { resolveFiles } from './value-files.ts'

const fileOf = (rules: Partial<ValueFile>): ValueFile => ({
  env: 'F',
  source: 'data.v',
  from: parseSource('data.v'),
  base64: false,
  on_missing: 'error',
  pattern: undefined,
  max_length: undefined,
  ...rules,
})

function bytesOf(value: unknown, base64: boolean): readonly number[] {
  const file = fileOf({ base64 })
  const delivery = sampleDelivery({ body: JSON.stringify({ data: { v: value } }) })
  const [content] = resolveFiles({ files: [file] }, delivery, 0)
  expect(content?.env).toBe('F')
  return Array.from(content?.bytes ?? [])
}

describe('resolveFiles', () => {
  it('writes a value as UTF-8, even with NUL in it', () => {
    expect(bytesOf('é\0', false)).toEqual([0xc3, 0xa9, 0])
    expect(bytesOf('', false)).toEqual([])
  })

  it('decodes base64, even in lines', () => {
    expect(bytesOf('AP8=', true)).toEqual([0, 255])
    expect(bytesOf('AP\r\n8=\n', true)).toEqual([0, 255])
    expect(bytesOf('', true)).toEqual([])
  })

  it.each(['AP8', 'AP8=x', 'AP9=', 'A', 'AP8==', '-_8=', 'A P8=', 'é', '===='])(
    'refuses %j as base64',
    (value) => {
      expect(() => bytesOf(value, true)).toThrow(
        expect.objectContaining({
          reason: 'argument_rejected',
          info: { variable: 'F', source: 'data.v' },
        }),
      )
    },
  )

  it('refuses a missing value, and half a surrogate pair', () => {
    expect(() => bytesOf(undefined, false)).toThrow(
      expect.objectContaining({ reason: 'argument_missing' }),
    )
    expect(() => bytesOf('\udfff', false)).toThrow(
      expect.objectContaining({ reason: 'argument_rejected' }),
    )
  })

  it('writes no file for a missing value, or an empty one, if configured', () => {
    const resolve = (on_missing: ValueFile['on_missing']): unknown =>
      resolveFiles({ files: [fileOf({ on_missing })] }, sampleDelivery(), 0)
    expect(resolve('skip')).toEqual([])
    expect(resolve('empty')).toEqual([{ env: 'F', bytes: new Uint8Array() }])
  })

  it('refuses a value that does not satisfy the rules of its file', () => {
    const delivery = sampleDelivery({ body: '{"data":{"v":"-abc"}}' })
    const resolve = (rules: Partial<ValueFile>): unknown =>
      resolveFiles({ files: [fileOf(rules)] }, delivery, 0)
    expect(() => resolve({ max_length: 3 })).toThrow('has more than 3 bytes')
    expect(() => resolve({ pattern: compilePattern('^(?:[a-z]*)$') })).toThrow('its pattern')
    expect(resolve({ max_length: 4 })).toHaveLength(1)
  })
})
