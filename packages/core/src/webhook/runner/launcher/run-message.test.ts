import { describe, expect, it } from 'vitest'
import type { Command } from '../command.ts'
import { createRunMessages, isLaunchableCommand } from './run-message.ts'

const command: Command = {
  program: '/bin/true',
  args: ['a', ''],
  workdir: '/srv',
  env: { A: '1', B: '2' },
  stdin: undefined,
  outputBytes: 10,
  outputKeep: 'head',
  killLeftovers: false,
  live: false,
}

describe('a command', () => {
  it('can be run by a launcher if it consists of single lines', () => {
    expect(isLaunchableCommand(command)).toBe(true)
    expect(isLaunchableCommand({ ...command, args: ["$(id) ' \\ \r\t é"] })).toBe(true)
    expect(isLaunchableCommand({ ...command, args: [], env: {} })).toBe(true)
  })

  it.each<[string, Partial<Command>]>([
    ['is live', { live: true }],
    ['reads', { stdin: new Uint8Array() }],
    ['has its leftovers killed', { killLeftovers: true }],
    ['has one output', { mergesOutputs: true }],
    ['has a word of two lines', { args: ['a\nb'] }],
    ['has a word with a NUL', { args: ['a\0b'] }],
    ['has a variable of two lines', { env: { A: 'a\nb' } }],
    ['has a folder of two lines', { workdir: '/a\nb' }],
    ['has a program of two lines', { program: '/a\nb' }],
    ['has a program without a path', { program: 'true' }],
    ['is long', { args: ['x'.repeat(5_000), 'y'.repeat(5_000)] }],
    ['has a variable whose name shells do not accept', { env: { 'a-b': '' } }],
    ['has a variable without a name', { env: { '': '' } }],
    ['has a variable the shell uses', { env: { IFS: ':' } }],
    ['has a variable the script uses', { env: { gatehouse_line: 'q' } }],
  ])('cannot if it %s', (_, more) => {
    expect(isLaunchableCommand({ ...command, ...more })).toBe(false)
  })
})

describe('the messages to a launcher', () => {
  it('contain all of the first command, and then only the changes', () => {
    const messages = createRunMessages()
    expect(messages.next(command, '1:2')).toBe('n\na/bin/true\naa\na\nd/srv\neA=1\neB=2\nr\n')
    expect(messages.next(command, '1:2')).toBe('r\n')
    expect(messages.next({ ...command, env: { B: '3', C: '' } }, '1:2')).toBe('uA\neB=3\neC=\nr\n')
    expect(messages.next({ ...command, args: ['a'], env: {} }, '1:2')).toBe(
      'n\na/bin/true\naa\nuB\nuC\nr\n',
    )
  })

  it('abbreviate the two variables that change with each command', () => {
    const messages = createRunMessages()
    const env = { GATEHOUSE_RUN_ID: 'run_1', GATEHOUSE_REQUEST_ID: 'i=2' }
    messages.next(command, '1:2')
    expect(messages.next({ ...command, env }, '1:2')).toBe('uA\nuB\nirun_1\noi=2\nr\n')
    expect(messages.next({ ...command, env: {} }, '1:2')).toBe(
      'uGATEHOUSE_RUN_ID\nuGATEHOUSE_REQUEST_ID\nr\n',
    )
  })

  it('change to the folder again if another one has replaced it', () => {
    const messages = createRunMessages()
    messages.next(command, '1:2')
    expect(messages.next(command, '1:3')).toBe('d/srv\nr\n')
    expect(messages.next({ ...command, workdir: '/opt' }, '1:3')).toBe('d/opt\nr\n')
  })

  it('set again the variables that a shell loses when it changes the folder', () => {
    const messages = createRunMessages()
    const env = { PWD: '/x', OLDPWD: '/y', A: '1' }
    messages.next({ ...command, env }, '1:2')
    expect(messages.next({ ...command, env }, '1:3')).toBe('d/srv\nePWD=/x\neOLDPWD=/y\nr\n')
    expect(messages.next({ ...command, env: { A: '1' } }, '1:4')).toBe('d/srv\nuPWD\nuOLDPWD\nr\n')
  })

  it('are refused if they are too long, and repeat their changes later', () => {
    const messages = createRunMessages()
    messages.next(command, '1:2')
    const long = { ...command, env: { A: 'é'.repeat(5_000) } }
    expect(messages.next(long, '1:2')).toBe(undefined)
    expect(messages.next({ ...command, args: [] }, '1:2')).toBe('n\na/bin/true\nr\n')
  })

  it('contain everything again after a restart, which leaves no variable', () => {
    const messages = createRunMessages()
    const first = messages.next(command, '1:2')
    expect(messages.renew()).toBe('uA\nuB\nx\n')
    expect(messages.next(command, '1:2')).toBe(first)
  })

  it('accept variables with names that objects inherit', () => {
    const env = Object.fromEntries([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ])
    const messages = createRunMessages()
    expect(messages.next({ ...command, env }, '1:2')).toMatch(/e__proto__=a\neconstructor=b\nr\n$/)
    expect(messages.next({ ...command, env: {} }, '1:2')).toBe('u__proto__\nuconstructor\nr\n')
  })
})
