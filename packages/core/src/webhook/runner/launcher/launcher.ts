import type { Command, CommandListener, OutputStream, RunningCommand } from '../command.ts'
import { closePipe, fileFacts, openPipeEnds, readText, remove, writePipe } from '../pipes/files.ts'
import { type ServingProcess, startServingProcess } from '../spawn/spawn-command.ts'
import { createLaunchedRun, type LaunchedRun } from './launched-run.ts'
import { type OutputPipe, openOutputPipe } from './output-pipe.ts'
import { createRunMessages } from './run-message.ts'
import { launcherScript } from './script.ts'
import type { Workshop } from './workshop.ts'

/** A shell that runs one command after the other. */
export interface Launcher {
  /** Whether it can run another command once it is idle. */
  readonly isUsable: boolean
  /**
   * Runs a command; `undefined` if it cannot, and then nothing of it has run.
   *
   * @param onFree called once it is idle again.
   */
  run(command: Command, listener: CommandListener, onFree: () => void): RunningCommand | undefined
  /** Ends it. Only when it is idle. */
  leave(): void
  /** Settles once its process has ended and its resources are free. */
  readonly gone: Promise<void>
}

/** Options of {@link startLauncher}. */
export interface LauncherOptions {
  readonly workshop: Workshop
  readonly shell: string
  /** Its number, which is unique in the workshop. */
  readonly id: number
  /** It restarts after this many commands. */
  readonly maxRuns: number
}

/** The process of a launcher, and its input. */
interface LauncherProcess extends ServingProcess {
  readonly inlet: string
  readonly writer: number
}

/** The longest time to start, and to end. */
const startWithinMs = 10_000
const leaveWithinMs = 1_000

/** Starts a launcher; settles once it can run commands, or with `undefined` if it cannot be started. */
export async function startLauncher(options: LauncherOptions): Promise<Launcher | undefined> {
  const { workshop, id } = options
  const shell = await startShell(options)
  if (shell === undefined) return undefined
  const timer = setTimeout(() => kill(shell.pid), startWithinMs)
  let written = 0
  const isReady = await new Promise<boolean>((resolve) => {
    workshop.line.listen(id, (word, length) => {
      written += length
      resolve(word === 'ready')
    })
    void shell.exited.then(() => resolve(false))
  })
  clearTimeout(timer)
  try {
    if (isReady) return createLauncher(shell, written, options)
  } catch {
    // Its pipes could not be opened.
  }
  kill(shell.pid)
  await shell.exited
  free(shell, options)
  return undefined
}

async function startShell({
  workshop,
  shell,
  id,
}: LauncherOptions): Promise<LauncherProcess | undefined> {
  const inlet = workshop.takeInlet()
  if (inlet === undefined) return undefined
  let writer: number | undefined
  try {
    const ends = openPipeEnds(inlet)
    writer = ends.writer
    const script = launcherScript
    const args = ['-c', script, 'gatehouse', String(id), workshop.folder, shell, script]
    const started = await startServingProcess(shell, args, {
      workdir: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdin: ends.reader,
      stdout: workshop.line.writer,
    })
    closePipe(ends.reader)
    if (started !== undefined) return { ...started, inlet, writer }
  } catch {
    // There are too many open files; commands are started without a launcher.
  }
  if (writer !== undefined) closePipe(writer)
  workshop.returnInlet(inlet)
  return undefined
}

function createLauncher(
  shell: LauncherProcess,
  writtenBefore: number,
  options: LauncherOptions,
): Launcher {
  const { pid } = shell
  const { workshop, id, maxRuns } = options
  const pipes = openOutputPipes(workshop.folder, id)
  const messages = createRunMessages()
  /** The running command, until the shell has reported its end. */
  let current: LaunchedRun | undefined
  let runs = 0
  let isUsable = true
  let isGone = false
  /** How many bytes written by the shell are accounted for. */
  let known = writtenBefore

  workshop.line.listen(id, (word, length) => {
    known += length
    if (word === 'gone') {
      // A signal interrupted its input.
      isUsable = false
      return kill(pid)
    }
    const status = Number.parseInt(word, 10)
    if (current === undefined || Number.isNaN(status)) return
    const written = status > 128 ? (writtenBytes(pid) ?? known) - known : 0
    known += written
    const run = current
    current = undefined
    run.finish(status, written)
  })

  const goOut = async (): Promise<void> => {
    await shell.exited
    // Its last report may still be on the way.
    await new Promise((resolve) => setImmediate(resolve))
    isUsable = false
    isGone = true
    if (current !== undefined) {
      killGroup(pid)
      current.lose(new Error('the launcher of the command was ended while the command ran'))
    }
    pipes.stdout.close()
    pipes.stderr.close()
    free(shell, options)
  }

  /** Sends lines; returns whether all were written. Without the last of them, they do nothing. */
  const send = (lines: string): boolean => {
    if (isGone) return false
    const hasTaken = writePipe(shell.writer, lines)
    if (!hasTaken) {
      isUsable = false
      kill(pid)
    }
    return hasTaken
  }

  return {
    get isUsable() {
      return isUsable
    },

    run(command, listener, onFree) {
      if (!isUsable) return undefined
      const folder = fileFacts(`${command.workdir}/.`)
      if (folder?.isFolder !== true) return undefined
      const message = messages.next(command, folder.identity)
      if (message === undefined) return undefined
      if (!send(message)) return undefined
      runs++
      current = createLaunchedRun({
        command,
        listener,
        launcher: pid,
        pipes,
        onEnd(isClean) {
          if (!isClean) isUsable = false
          else if (runs % maxRuns === 0) send(messages.renew())
          onFree()
        },
      })
      return current.running
    },

    leave() {
      isUsable = false
      if (!send('q\n')) return
      const timer = setTimeout(() => kill(pid), leaveWithinMs)
      void shell.exited.then(() => clearTimeout(timer))
    },

    gone: goOut(),
  }
}

type OutputPipes = Readonly<Record<'stdout' | 'stderr', OutputPipe>>

const outputPath = (folder: string, id: number, stream: OutputStream): string =>
  `${folder}/${id}.${stream}`

function openOutputPipes(folder: string, id: number): OutputPipes {
  const stdout = openOutputPipe(outputPath(folder, id, 'stdout'))
  try {
    return { stdout, stderr: openOutputPipe(outputPath(folder, id, 'stderr')) }
  } catch (error) {
    stdout.close()
    throw error
  }
}

/** Releases the resources of a launcher whose process has ended. */
function free({ writer, inlet }: LauncherProcess, { workshop, id }: LauncherOptions): void {
  workshop.line.listen(id, undefined)
  closePipe(writer)
  workshop.returnInlet(inlet)
  remove(outputPath(workshop.folder, id, 'stdout'))
  remove(outputPath(workshop.folder, id, 'stderr'))
}

/** How many bytes the main thread of a process has written. */
function writtenBytes(pid: number): number | undefined {
  const count = /^wchar: (\d+)$/m.exec(readText(`/proc/${pid}/task/${pid}/io`) ?? '')?.[1]
  return count === undefined ? undefined : Number(count)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** Kills what a killed launcher has left, because no process would follow it. */
const killGroup = (leader: number): void => kill(-leader)
