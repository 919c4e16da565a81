import { expect, it } from 'vitest'
import { systemClock } from '../../time/clock.ts'
import type { OutputStream } from '../../webhook/runner/command.ts'
import { type CommandRunnerFactory, shell, textOf, useRunner } from './harness.ts'

/** Tests the input and output of commands. */
export function describeOutput(create: CommandRunnerFactory): void {
  const test = useRunner(create)
  const letters = 'abcdefghijklmnopqrstuvwxyz'

  it('separates the outputs, byte by byte', async () => {
    const text = 'printf "out\\000\\377\\200"; printf "err\\n\\n" >&2'
    const { stdout, stderr } = await test.run(shell(text))
    expect([...stdout.bytes]).toEqual([111, 117, 116, 0, 255, 128])
    expect(stdout.total).toBe(6)
    expect(textOf(stderr.bytes)).toBe('err\n\n')
  })

  it('merges the outputs in the order of writing, if the command wants it', async () => {
    const text = 'for i in 1 2 3 4 5 6 7 8 9; do printf "o$i "; printf "e$i " >&2; done'
    const merged = { ...shell(text), mergesOutputs: true }
    const { stdout, stderr } = await test.run({ ...merged, outputBytes: 1_000 })
    const pairs = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => `o${i} e${i} `)
    expect(textOf(stdout.bytes)).toBe(pairs.join(''))
    expect(stderr.total).toBe(0)
    expect((await test.run({ ...merged, outputBytes: 7 })).stdout.total).toBe(54)
  })

  it.each([
    ['head', 10, 'abcdefghij'],
    ['tail', 10, 'qrstuvwxyz'],
    ['head', 0, ''],
    ['tail', 0, ''],
    ['head', 26, letters],
    ['tail', 26, letters],
    ['tail', 27, letters],
  ] as const)(
    'keeps the %s, at most %i bytes, and counts all bytes',
    async (outputKeep, outputBytes, kept) => {
      const text = 'printf "$1"; printf "$1" >&2'
      const { stdout, stderr } = await test.run({
        ...shell(text, letters),
        outputKeep,
        outputBytes,
      })
      for (const output of [stdout, stderr]) {
        expect(textOf(output.bytes)).toBe(kept)
        expect(output.total).toBe(26)
      }
    },
  )

  it.each(['head', 'tail'] as const)(
    'counts a flood of both outputs, and keeps its %s',
    async (outputKeep) => {
      const text = 'head -c 3000000 /dev/zero & head -c 2000000 /dev/zero >&2; wait; printf end'
      const command = { ...shell(text), outputKeep, outputBytes: 1_000 }
      const { stdout, stderr } = await test.run({ ...command, env: { PATH: '/usr/bin:/bin' } })
      expect([stdout.total, stderr.total]).toEqual([3_000_003, 2_000_000])
      expect([stdout.bytes.length, stderr.bytes.length]).toEqual([1_000, 1_000])
      expect(textOf(stdout.bytes.subarray(-3))).toBe(outputKeep === 'tail' ? 'end' : '\0\0\0')
    },
  )

  it('reports once that an output exceeds the kept bytes', async () => {
    const overflows: OutputStream[] = []
    const onOverflow = (stream: OutputStream): void => void overflows.push(stream)
    const outputBytes = 5
    await test.run({ ...shell('printf 12345; printf 12345 >&2'), outputBytes }, { onOverflow })
    expect(overflows).toEqual([])
    const text = 'for i in 1 2 3; do printf 123456 >&2; sleep 0.05; done'
    await test.run({ ...shell(text), outputBytes, env: { PATH: '/usr/bin:/bin' } }, { onOverflow })
    expect(overflows).toEqual(['stderr'])
  })

  it('lets the caller end the command after an overflow', async () => {
    const command = { ...shell('while :; do echo line; done'), outputBytes: 1_000 }
    let overflowed = (): void => {}
    const overflow = new Promise<void>((resolve) => {
      overflowed = resolve
    })
    const running = await test.start(command, { onOverflow: () => overflowed() })
    await overflow
    running.signal('SIGKILL')
    expect((await running.ended).signal).toBe('SIGKILL')
  })

  it('passes a listener all output, including what is not kept', async () => {
    const pieces = { stdout: '', stderr: '' }
    const onOutput = (stream: OutputStream, chunk: Uint8Array): void => {
      pieces[stream] += textOf(chunk)
    }
    const text = 'for i in 1 2 3; do echo "out $i"; echo "err $i" >&2; sleep 0.06; done'
    const env = { PATH: '/usr/bin:/bin' }
    await test.run({ ...shell(text), env, outputBytes: 3 }, { onOutput })
    expect(pieces.stdout).toBe('out 1\nout 2\nout 3\n')
    expect(pieces.stderr).toBe('err 1\nerr 2\nerr 3\n')
  })

  it('passes a listener output while the command runs', async () => {
    let heard = (): void => {}
    const output = new Promise<void>((resolve) => {
      heard = resolve
    })
    const env = { PATH: '/usr/bin:/bin' }
    const running = await test.start(
      { ...shell('echo now; exec sleep 60'), env },
      { onOutput: () => heard() },
    )
    await output
    running.signal('SIGKILL')
    expect(textOf((await running.ended).stdout.bytes)).toBe('now\n')
  })

  it('makes a live command wait for a slow reader, and loses nothing', async () => {
    const held: (() => void)[] = []
    let total = 0
    let isHeld = false
    const onOutput = (_: OutputStream, chunk: Uint8Array): Promise<void> => {
      expect(isHeld).toBe(false)
      total += chunk.length
      isHeld = true
      return new Promise((resolve) => {
        held.push(() => {
          isHeld = false
          resolve()
        })
      })
    }
    const size = 4_000_000
    const text = `head -c ${size} /dev/zero; echo >&2`
    const env = { PATH: '/usr/bin:/bin' }
    const running = await test.start(
      { ...shell(text.replace('; echo >&2', '')), env, live: true },
      { onOutput },
    )
    await test.sh('sleep 0.3')
    expect(total).toBeLessThan(size)
    let hasEnded = false
    void running.ended.then(() => {
      hasEnded = true
    })
    while (!hasEnded) {
      for (const release of held.splice(0)) release()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(total).toBe(size)
    expect((await running.ended).stdout.total).toBe(size)
  })

  it('waits for a slow reader of the last chunk of a live command', async () => {
    const release: (() => void)[] = []
    const onOutput = (): Promise<void> => new Promise((resolve) => release.push(resolve))
    const running = await test.start({ ...shell('printf 123'), live: true }, { onOutput })
    await test.sh('sleep 0.6')
    let hasEnded = false
    void running.ended.then(() => {
      hasEnded = true
    })
    await test.sh(':')
    expect([hasEnded, release.length]).toEqual([false, 1])
    release[0]?.()
    expect((await running.ended).stdout.total).toBe(3)
  })

  it('passes stdin to a command, to the last byte', async () => {
    const stdin = Uint8Array.from({ length: 1_000_000 }, (_, i) => (i * 7) % 256)
    const { stdout } = await test.run({
      program: '/bin/cat',
      args: [],
      stdin,
      outputBytes: 2_000_000,
    })
    expect(stdout.total).toBe(stdin.length)
    expect(Buffer.compare(stdout.bytes, stdin)).toBe(0)
  })

  it('passes an empty stdin if there is no input', async () => {
    expect((await test.run({ program: '/bin/cat', args: [] })).stdout.total).toBe(0)
    const none = { program: '/bin/cat', args: [], stdin: new Uint8Array() }
    expect((await test.run(none)).stdout.total).toBe(0)
  })

  it('connects outputs that a command can open by name, unlike sockets', async () => {
    const text = 'echo out >/dev/stdout; echo err >/dev/stderr; echo more >>/dev/stderr'
    for (const word of ['one line', 'two\nlines']) {
      const { exitCode, stdout, stderr } = await test.sh(text, word)
      expect([exitCode, stdout, stderr]).toEqual([0, 'out\n', 'err\nmore\n'])
    }
    const env = { PATH: '/usr/bin:/bin' }
    const stdin = new TextEncoder().encode('input')
    const given = await test.run({ ...shell('cat /dev/stdin; cat /dev/stdin'), env, stdin })
    expect(textOf(given.stdout.bytes)).toBe('inputinput')
    const live = await test.run({ ...shell(text), env, live: true })
    expect(textOf(live.stderr.bytes)).toBe('err\nmore\n')
  })

  it('accepts a command that does not read its stdin, or stops reading', async () => {
    const stdin = new Uint8Array(5_000_000)
    expect((await test.run({ ...shell('exit 3'), stdin })).exitCode).toBe(3)
    expect((await test.run({ ...shell('exec <&-; sleep 0.1; exit 4'), stdin })).exitCode).not.toBe(
      0,
    )
    const head = { program: '/usr/bin/head', args: ['-c', '10'], stdin }
    expect((await test.run(head)).stdout.total).toBe(10)
  })

  it('accepts a command that closes its outputs and goes on', async () => {
    const text = 'printf 1; printf 2 >&2; exec >&- 2>&-; sleep 0.1; exit 7'
    const { exitCode, stdout, stderr } = await test.sh(text)
    expect([exitCode, stdout, stderr]).toEqual([7, '1', '2'])
  })

  it('reads everything a command wrote before it was killed', async () => {
    const text = 'head -c 200000 /dev/zero; printf half; kill -KILL $$'
    const { stdout, signal } = await test.sh(text)
    expect(stdout.length).toBe(200_004)
    expect(signal).toBe('SIGKILL')
  })

  it('does not wait for processes that hold its outputs, and does not read what they write later', async () => {
    const folder = await test.folder()
    /** Waits for a file in the folder, for half a minute at most. */
    const wait = (name: string) =>
      `n=0; until [ -e "$1/${name}" ] || [ $n -gt 600 ]; do n=$((n + 1)); sleep 0.05; done`
    const late = `trap "" PIPE; ${wait('next')}; echo late 2>&-; : >"$1/written"`
    const begin = systemClock.now()
    const { stdout } = await test.sh(`echo before; (${late}) & echo after; exit 0`, folder)
    expect(stdout).toBe('before\nafter\n')
    expect(systemClock.now() - begin).toBeLessThan(2_500)
    const next = `echo next; : >"$1/next"; ${wait('written')}; ls "$1"`
    expect((await test.sh(next, folder)).stdout).toBe('next\nnext\nwritten\n')
  })

  it('reads what such processes write immediately', async () => {
    const { stdout } = await test.sh('(sleep 0.1; echo soon) & echo first')
    expect(stdout).toBe('first\nsoon\n')
    expect((await test.sh('(yes >&2) & echo first')).stdout).toBe('first\n')
  })
}
