import { describe, expect, it } from 'vitest'
import { exitStatus } from './exit-status.ts'

describe('the exit status of a shell', () => {
  it('is that of the program up to 128', () => {
    for (const status of [0, 1, 126, 127, 128]) {
      expect(exitStatus(status, 0)).toEqual({ exitCode: status, signal: null, fromShell: 0 })
    }
  })

  it('means a signal if the shell has reported it', () => {
    expect(exitStatus(143, 11)).toEqual({ exitCode: 143, signal: 'SIGTERM', fromShell: 11 })
    expect(exitStatus(134, 8)).toEqual({ exitCode: 134, signal: 'SIGABRT', fromShell: 8 })
    expect(exitStatus(168, 19)).toEqual({ exitCode: 168, signal: 'SIGRT', fromShell: 19 })
  })

  it('is that of the program otherwise, such as a shell whose program was killed', () => {
    for (const status of [129, 137, 143, 255]) {
      expect(exitStatus(status, 0)).toEqual({ exitCode: status, signal: null, fromShell: 0 })
    }
  })

  it('means a signal for those that shells do not report', () => {
    expect(exitStatus(130, 0).signal).toBe('SIGINT')
    expect(exitStatus(141, 0).signal).toBe('SIGPIPE')
  })
})
