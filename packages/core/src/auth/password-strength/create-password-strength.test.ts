import { describe, expect, it } from 'vitest'
import zxcvbn from 'zxcvbn'
import { cpuMs } from '../../../../../test-support/cpu-time.ts'
import { createPasswordStrength } from './create-password-strength.ts'

const strength = createPasswordStrength()

/** Every character that may stand for a letter: zxcvbn needs ten seconds for a text made only of them. */
const signs = '@4({[<6936!1|7$5+7%2'

async function msToRate(password: string): Promise<number> {
  const start = cpuMs()
  await strength(password)
  return cpuMs() - start
}

describe('createPasswordStrength', () => {
  it.each([
    ['', 0],
    ['password', 0],
    ['P@ssw0rd', 0],
    ['Tr0ub4dour&3', 2],
    ['correct horse battery staple', 4],
    ['tidal-lantern-42', 4],
  ])('rates %s %i, as zxcvbn 4.4.2 does', async (password, expected) => {
    expect(await strength(password)).toBe(expected)
    expect(zxcvbn(password).score).toBe(expected)
  })

  it('rates the first hundred characters only', async () => {
    expect(await strength('a'.repeat(100_000))).toBe(zxcvbn('a'.repeat(100)).score)
  })

  it('rates texts made to be slow quickly too', async () => {
    await strength('loads the words')
    const slow = [signs.repeat(200), `${signs}${'x'.repeat(80)}`, `${'ab1'.repeat(33)}${signs}`]
    for (const password of slow) expect(await msToRate(password)).toBeLessThan(4_000)
  })

  it('rates a long password with many substitutions best', async () => {
    expect(await strength(`kV8{x!9q<2Zt(7@w|4$b+e%1[o6${signs.repeat(4)}`)).toBe(4)
  })
})
