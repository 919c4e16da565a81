import { ChildProcess } from 'node:child_process'
import { Server } from 'node:net'

/** Fails a unit test that leaves its process, so that this lane stays fast and steady. */
function refuse(what: string): () => never {
  return () => {
    throw new Error(`a unit test ${what}: name its file *.system.test.ts`)
  }
}

Object.assign(Server.prototype, { listen: refuse('listens on a socket') })
Object.assign(ChildProcess.prototype, { spawn: refuse('starts a process') })
