import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openOutputPipe } from './output-pipe.ts'
import { isLaunchable, launcherScript } from './script.ts'

describe('the script of launchers', () => {
  let folder = ''
  let child: ChildProcess | undefined
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-script-'))
  })
  afterEach(async () => {
    child?.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })

  const start = () => {
    const args = ['-c', launcherScript, 'gatehouse', '7', folder, '/bin/sh', launcherScript]
    const stdio = ['pipe', 'pipe', 'ignore'] as const
    const started = spawn('/bin/sh', args, { stdio: [...stdio], env: { PATH: '/usr/bin:/bin' } })
    child = started
    const { stdin, stdout } = started
    const words: string[] = []
    const waiting: (() => void)[] = []
    stdout?.setEncoding('utf8').on('data', (text: string) => {
      words.push(...text.trim().split('\n'))
      for (const go of waiting.splice(0)) go()
    })
    const next = async (): Promise<string | undefined> => {
      while (words.length === 0) await new Promise<void>((resolve) => waiting.push(resolve))
      return words.shift()
    }
    const ended = new Promise<number | null>((resolve) => started.once('exit', resolve))
    return { tell: (lines: string) => stdin?.write(lines), stdin, stdout, next, ended }
  }

  it('reports that it is ready once its pipes exist, and how each command ended', async () => {
    const { next, tell } = start()
    expect(await next()).toBe('7 ready')
    const stdout = openOutputPipe(join(folder, '7.stdout'))
    const stderr = openOutputPipe(join(folder, '7.stderr'))
    tell('n\na/bin/sh\na-c\naecho "$A"; exit 3\neA=$(id)\nr\n')
    expect(await next()).toBe('7 3')
    expect(Buffer.from(stdout.read().bytes).toString()).toBe('$(id)\n')
    tell('irun_1 $(id)\noA=B\nn\na/bin/sh\na-c\n')
    tell('aecho "$GATEHOUSE_RUN_ID" "$GATEHOUSE_REQUEST_ID"; exit 3\nr\n')
    expect(await next()).toBe('7 3')
    expect(Buffer.from(stdout.read().bytes).toString()).toBe('run_1 $(id) A=B\n')
    tell('n\na/bin/sh\na-c\naecho "$A"; exit 3\nuA\nr\n')
    expect(await next()).toBe('7 3')
    expect(Buffer.from(stdout.read().bytes).toString()).toBe('\n')
    for (const pipe of [stdout, stderr]) {
      expect(pipe.read()).toEqual({ bytes: new Uint8Array(), hasEnded: true })
      pipe.close()
    }
  })

  it('ends when requested, and silently at an unknown message', async () => {
    for (const line of ['q\n', 'zzz\n']) {
      const { next, tell, ended } = start()
      expect(await next()).toBe('7 ready')
      tell(line)
      expect(await ended).toBe(0)
      expect((await readdir(folder)).sort()).toEqual(['7.stderr', '7.stdout'])
    }
  })

  it('does not run an incomplete message', async () => {
    const { next, tell, stdin } = start()
    expect(await next()).toBe('7 ready')
    tell(`n\na/usr/bin/touch\na${folder}/ran\nr`)
    stdin?.end()
    expect(await next()).toBe('7 gone')
    expect(await readdir(folder)).toEqual(['7.stderr', '7.stdout'])
  })

  it('removes the folder if nobody reads its last report', async () => {
    const { next, stdin, stdout, ended } = start()
    expect(await next()).toBe('7 ready')
    stdout?.destroy()
    stdin?.end()
    await ended
    await expect(readdir(folder)).rejects.toThrow('ENOENT')
  })

  it('runs a command to its end although nobody reads any more, and then ends', async () => {
    const { next, tell, stdin, stdout, ended } = start()
    expect(await next()).toBe('7 ready')
    tell('n\na/bin/sh\na-c\naecho lost; exit 3\nr\n')
    stdout?.destroy()
    stdin?.end()
    await ended
    await expect(readdir(folder)).rejects.toThrow('ENOENT')
  })

  it('can set any shell variable except those it uses', () => {
    for (const name of ['PATH', '_', 'a1', 'GATEHOUSE_RUN_ID', '__proto__', 'PWD']) {
      expect(isLaunchable(name)).toBe(true)
    }
    for (const name of ['', '1a', 'a-b', 'a b', 'ä', 'a\n', 'IFS', 'OPTIND', 'gatehouse_id']) {
      expect(isLaunchable(name)).toBe(false)
    }
  })
})
