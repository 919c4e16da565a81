import { describe, expect, it } from 'vitest'
import { showsColors } from './color.ts'

const terminal = { isTTY: true, getColorDepth: () => 8 }
const plainTerminal = { isTTY: true, getColorDepth: () => 1 }
const pipe = {}

describe('colors', () => {
  it('are shown on terminals that have them, and not in pipes', () => {
    expect([terminal, plainTerminal, pipe].map((one) => showsColors(one, {}))).toEqual([
      true,
      false,
      false,
    ])
  })

  it('are switched off by NO_COLOR, and on and off by FORCE_COLOR, which is stronger', () => {
    expect(showsColors(terminal, { NO_COLOR: '1' })).toBe(false)
    expect(showsColors(terminal, { NO_COLOR: '' })).toBe(true)
    expect(showsColors(pipe, { FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(true)
    expect(showsColors(terminal, { FORCE_COLOR: '0' })).toBe(false)
  })
})
