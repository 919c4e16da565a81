import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { closeGently, type NodeConnection, type NodeRequest } from './close-gently.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A connection that tells what is done to it. */
class Connection extends EventEmitter implements NodeConnection {
  readonly done: string[] = []
  destroySoon(): void {
    this.done.push('destroySoon')
    this.emit('close')
  }
  destroy(): void {
    this.done.push('destroy')
    this.emit('close')
  }
  end(): void {
    this.done.push('end')
  }
}

class Incoming extends EventEmitter implements NodeRequest {
  complete = false
  resumed = 0
  readonly socket: Connection
  constructor(socket: Connection) {
    super()
    this.socket = socket
  }
  resume(): void {
    this.resumed++
  }
}

function answered(socket = new Connection()): Incoming {
  const incoming = new Incoming(socket)
  closeGently(incoming)
  return incoming
}

it('closes for writing first, and altogether once the body is over', () => {
  const incoming = answered()
  const { socket } = incoming
  incoming.on('data', () => {})
  socket.destroySoon()
  expect([socket.done, incoming.resumed, incoming.listenerCount('data')]).toEqual([['end'], 1, 0])
  incoming.emit('end')
  expect(socket.done).toEqual(['end', 'destroySoon'])
  expect(vi.getTimerCount()).toBe(0)
})

it('waits half a second for a body that does not end', () => {
  const { socket } = answered()
  socket.destroySoon()
  vi.advanceTimersByTime(499)
  expect(socket.done).toEqual(['end'])
  vi.advanceTimersByTime(1)
  expect(socket.done).toEqual(['end', 'destroy'])
})

it('waits no longer than whoever asks a second time', () => {
  const { socket } = answered()
  socket.destroySoon()
  socket.destroySoon()
  expect(socket.done).toEqual(['end', 'destroySoon'])
  expect(vi.getTimerCount()).toBe(0)
})

it('closes at once where the body has come meanwhile', () => {
  const incoming = answered()
  incoming.complete = true
  incoming.socket.destroySoon()
  expect(incoming.socket.done).toEqual(['destroySoon'])
})

it('looks at the last of many requests of a connection, and wraps its close once', () => {
  const socket = new Connection()
  const first = answered(socket)
  const { destroySoon } = socket
  first.complete = true
  const last = answered(socket)
  expect(socket.destroySoon).toBe(destroySoon)
  socket.destroySoon()
  expect([socket.done, first.resumed, last.resumed]).toEqual([['end'], 0, 1])
})

it('leaves a connection alone that is none of Node.js', () => {
  const socket: NodeConnection = { destroy() {}, end() {}, once() {} }
  const made = { complete: false, socket, removeAllListeners() {}, once() {}, resume() {} }
  closeGently(made)
  expect(socket).not.toHaveProperty('destroySoon')
})
