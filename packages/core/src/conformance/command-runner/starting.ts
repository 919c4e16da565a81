import { expect, it } from 'vitest'
import { type CommandRunnerFactory, plainCommand, shell, useRunner } from './harness.ts'

/** Tests that a failure to start is reported as a problem, not as an error. */
export function describeStarting(create: CommandRunnerFactory): void {
  const test = useRunner(create)

  it('reports a program that is missing, not executable or not a program', async () => {
    const folder = await test.folder()
    await test.sh(
      'cd "$1" && echo text >plain && echo "#!$1/absent" >lost && chmod +x lost && mkdir dir',
      folder,
    )
    for (const name of ['absent', 'plain', 'lost', 'dir', 'plain/below', 'a'.repeat(300)]) {
      expect(await test.problemOf({ program: `${folder}/${name}` })).toMatch(/program/)
    }
  })

  it('reports a missing or invalid folder', async () => {
    const folder = await test.folder()
    await test.sh('echo text >"$1/plain"', folder)
    for (const name of ['absent', 'plain', 'absent/below']) {
      const problem = await test.problemOf({ workdir: `${folder}/${name}` })
      expect(problem).toMatch(/workdir/)
    }
  })

  it('does not start a command with a NUL character', async () => {
    const text = 'secret\0secret'
    const commands = [
      { args: [text] },
      { env: { NAME: text } },
      { env: { [text]: '' } },
      { workdir: `/${text}` },
      { program: `/bin/${text}` },
    ]
    for (const command of commands) {
      const problem = await test.problemOf(command)
      expect(problem).toEqual(expect.any(String))
      expect(problem).not.toContain('secret')
    }
  })

  it('does not start a command too long for the system, in one argument or in total', async () => {
    const commands = [
      { args: ['secret'.repeat(1_000_000)] },
      { env: { NAME: 'secret'.repeat(1_000_000) } },
      { args: Array.from({ length: 200_000 }, () => 'secret '.repeat(10)) },
    ]
    for (const command of commands) {
      const problem = await test.problemOf(command)
      expect(problem).toEqual(expect.any(String))
      expect(problem).not.toContain('secret')
    }
  })

  it('goes on after commands that could not start', async () => {
    for (let i = 0; i < 5; i++) await test.problemOf({ program: '/absent' })
    expect((await test.sh('echo on')).stdout).toBe('on\n')
  })

  it('starts a script with the interpreter in its first line', async () => {
    const folder = await test.folder()
    const text = '#!/bin/sh -e\nfalse\necho never'
    await test.sh('cd "$1" && printf "%s" "$2" >script && chmod +x script', folder, text)
    expect((await test.run({ program: `${folder}/script`, args: [] })).exitCode).toBe(1)
  })

  it('notices that a program has changed or disappeared', async () => {
    const folder = await test.folder()
    const program = `${folder}/program`
    const replace = (text: string) =>
      test.sh('cd "$1" && printf "%s" "$2" >new && chmod +x new && mv new program', folder, text)
    await replace('#!/bin/sh\nexit 3')
    expect((await test.run({ program, args: [] })).exitCode).toBe(3)
    await replace('#!/bin/sh\nexit 4')
    expect((await test.run({ program, args: [] })).exitCode).toBe(4)
    await test.sh('chmod -x "$1"', program)
    expect(await test.problemOf({ program })).toMatch(/executable/)
    await test.sh('rm "$1"', program)
    expect(await test.problemOf({ program })).toMatch(/found/)
  })

  it('runs many commands at once, and keeps their results apart', async () => {
    const numbers = Array.from({ length: 500 }, (_, i) => i)
    const outputs = await Promise.all(
      numbers.map((i) => test.sh('echo "$1 out"; echo "$1 err" >&2; exit $(($1 % 100))', `${i}`)),
    )
    for (const [i, { stdout, stderr, exitCode }] of outputs.entries()) {
      expect([stdout, stderr, exitCode]).toEqual([`${i} out\n`, `${i} err\n`, i % 100])
    }
  })

  it('starts nothing after close(), which may be called twice', async () => {
    expect((await test.sh('echo on')).stdout).toBe('on\n')
    const { runner } = test
    await Promise.all([runner.close(), runner.close()])
    await runner.close()
    const started = await runner.start({ ...plainCommand, ...shell('echo on') })
    expect(started).toEqual({ problem: expect.any(String) })
  })

  it('lets a running command end normally while it closes', async () => {
    const running = await test.start(shell('sleep 0.2; echo done'))
    await test.runner.close()
    expect((await running.ended).stdout.total).toBe(5)
  })
}
