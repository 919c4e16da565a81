import { GoError } from '@gatehouse/go-template/text'
import { describe, expect, it } from 'vitest'
import { GatehouseError, isGatehouseError } from './errors.ts'

describe('a GatehouseError', () => {
  const own = new GatehouseError('Invalid', 'InvalidInput', 'no')

  it.each([
    ['of this copy', own],
    ['of go-template', new GoError('BadRequest', 'InvalidRegex', 'no')],
    [
      'of another copy',
      Object.assign(new Error('no'), { [Symbol.for('gatehouse.error')]: true, kind: 'Invalid' }),
    ],
  ])('%s is recognized', (_, error) => {
    expect(isGatehouseError(error)).toBe(true)
    expect(error instanceof GatehouseError).toBe(true)
  })

  it('is not any other value', () => {
    for (const value of [new Error('no'), 'no', null, undefined, {}]) {
      expect(isGatehouseError(value)).toBe(false)
      expect((value as unknown) instanceof GatehouseError).toBe(false)
    }
  })

  it('is of a class of an app only if the app made it', () => {
    class OwnError extends GatehouseError {}
    expect(new OwnError('Invalid', 'Own', 'no')).toBeInstanceOf(OwnError)
    expect(own instanceof OwnError).toBe(false)
  })
})
