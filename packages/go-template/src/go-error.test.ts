import { describe, expect, it } from 'vitest'
import { GoError, isExpectedError } from './go-error.ts'
import { checkNumber, checkText } from './text/arguments.ts'

describe('isExpectedError', () => {
  it('knows its own errors', () => {
    const error = new GoError('Invalid', 'TemplateSyntax', 'template: a:1: b')
    expect(isExpectedError(error)).toBe(true)
    expect(error).toMatchObject({ kind: 'Invalid', reason: 'TemplateSyntax', info: {} })
  })

  it('knows marked errors of others, and no other value', () => {
    const other = Object.assign(new Error('no'), { [Symbol.for('gatehouse.error')]: true })
    expect(isExpectedError(other)).toBe(true)
    for (const value of [new Error('no'), 'no', null, undefined, {}]) {
      expect(isExpectedError(value)).toBe(false)
    }
  })
})

describe('arguments', () => {
  it('must be of their type', () => {
    expect(() => checkText('text', 5)).toThrow(new TypeError('text: expected a string, got number'))
    expect(() => checkNumber('ms', '5')).toThrow(TypeError)
    expect(() => checkNumber('ms', Number.NaN)).toThrow(RangeError)
    expect(() => checkText('text', '')).not.toThrow()
    expect(() => checkNumber('ms', -1.5)).not.toThrow()
  })
})
