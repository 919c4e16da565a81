import { Worker } from 'node:worker_threads'

/** Compares bytes, at least one, with a hash. */
export type HashVerify = (options: {
  readonly password: Uint8Array
  readonly hash: string
}) => Promise<boolean>

/** The program of the thread. It gets the path of hash-wasm, because a program without a file cannot resolve packages. */
const program = `
const { parentPort, workerData } = require('node:worker_threads')
const hashWasm = require(workerData)
parentPort.on('message', ({ id, verify, password, hash }) => {
  hashWasm[verify]({ password, hash }).then(
    (matches) => parentPort.postMessage({ id, matches }),
    (error) => parentPort.postMessage({ id, problem: String(error) }),
  )
})`

/** An idle thread ends after this time. */
const idleMs = 30_000

interface Job {
  readonly resolve: (matches: boolean) => void
  readonly reject: (error: Error) => void
}

type Reply =
  | { readonly id: number; readonly matches: boolean }
  | { readonly id: number; readonly problem: string }

/** The functions of hash-wasm that compare. */
export type VerifyName = 'bcryptVerify' | 'argon2Verify'

interface Thread {
  ask(verify: VerifyName, password: Uint8Array, hash: string): Promise<boolean>
}

/**
 * Compares in a separate thread, so that the event loop is not blocked. The thread starts when it is needed, and does not keep
 * the process alive while idle.
 *
 * @param hashWasm the file of the package.
 */
export function createHashThread(hashWasm: string, verify: VerifyName): HashVerify {
  let current: Thread | undefined
  const start = (): Thread =>
    startThread(hashWasm, () => {
      current = undefined
    })
  return ({ password, hash }) => {
    current ??= start()
    return current.ask(verify, password, hash)
  }
}

function startThread(hashWasm: string, onEnd: () => void): Thread {
  const worker = new Worker(program, { eval: true, workerData: hashWasm })
  worker.unref()
  const jobs = new Map<number, Job>()
  let count = 0
  let idle: NodeJS.Timeout | undefined

  const rest = (): void => {
    worker.unref()
    idle = setTimeout(() => {
      onEnd()
      void worker.terminate()
    }, idleMs)
    idle.unref()
  }
  const fail = (error: Error): void => {
    onEnd()
    for (const { reject } of jobs.values()) reject(error)
    jobs.clear()
  }
  worker.on('message', (reply: Reply) => {
    const job = jobs.get(reply.id)
    jobs.delete(reply.id)
    if (jobs.size === 0) rest()
    if ('matches' in reply) job?.resolve(reply.matches)
    else job?.reject(new Error(reply.problem))
  })
  worker.on('error', fail)
  worker.on('exit', () => {
    if (jobs.size > 0) fail(new Error('the thread that compares passwords has ended'))
  })

  return {
    ask: (verify, password, hash) =>
      new Promise((resolve, reject) => {
        clearTimeout(idle)
        worker.ref()
        jobs.set(++count, { resolve, reject })
        worker.postMessage({ id: count, verify, password, hash })
      }),
  }
}
