import { describe, expect, it } from 'vitest'
import { nearestWord } from './suggestion.ts'

const keys = ['port', 'host', 'token', 'tokens', 'workdir', 'execute_command', 'on_busy']

describe('nearestWord', () => {
  it.each([
    ['prot', 'port'],
    ['PORT', 'port'],
    ['token_', 'token'],
    ['tokns', 'tokens'],
    ['work_dir', 'workdir'],
    ['executeCommand', 'execute_command'],
    ['execute-comand', 'execute_command'],
    ['comand_execute', undefined],
    ['onbusy', 'on_busy'],
    ['x', undefined],
    ['', undefined],
    ['constructor', undefined],
  ])('takes %j for %j', (word, nearest) => {
    expect(nearestWord(word, keys)).toBe(nearest)
  })

  it('does not look at long words', () => {
    expect(nearestWord('port'.repeat(1_000_000), keys)).toBeUndefined()
  })

  it('prefers the nearer of two', () => {
    expect(nearestWord('tokenss', keys)).toBe('tokens')
    expect(nearestWord('tokem', keys)).toBe('token')
  })
})
