import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type FetchHandler, type Listening, listen } from './listen.ts'

const running: Listening[] = []
afterEach(async () => {
  for (const listening of running.splice(0)) await listening.stop(0)
})

async function serve(fetch: FetchHandler): Promise<Listening & { url: string }> {
  const listening = await listen({ fetch, addresses: [{ host: '127.0.0.1', port: 0 }] })
  running.push(listening)
  return { ...listening, url: `http://127.0.0.1:${listening.addresses[0]?.port}` }
}

/** A handler that says when it was reached and answers when it is told to. */
function heldHandler(): { fetch: FetchHandler; reached: Promise<void>; release: () => void } {
  let reach = (): void => {}
  let release = (): void => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const fetch = async (): Promise<Response> => {
    reach()
    await released
    return new Response('late')
  }
  return { fetch, reached, release: () => release() }
}

describe('listen()', () => {
  it('serves every address with the port it was given by the machine', async () => {
    const listening = await listen({
      fetch: () => new Response('here'),
      addresses: [
        { host: '127.0.0.1', port: 0 },
        { host: '127.0.0.1', port: 0 },
      ],
    })
    running.push(listening)
    const ports = listening.addresses.map(({ port }) => port)
    expect(new Set(ports).size).toBe(2)
    for (const port of ports) {
      expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('here')
    }
  })

  it('names a taken address in one line and leaves nothing listening', async () => {
    const { addresses } = await serve(() => new Response(''))
    const taken = { host: '127.0.0.1', port: addresses[0]?.port ?? 0 }
    await expect(listen({ fetch: () => new Response(''), addresses: [taken] })).rejects.toThrow(
      `cannot listen on 127.0.0.1:${taken.port}: the address is already in use`,
    )
  })

  it('answers what is in flight before stop() resolves, and accepts nothing new', async () => {
    const { fetch: handler, reached, release } = heldHandler()
    const { url, stop } = await serve(handler)
    const answer = fetch(url)
    await reached
    const stopped = stop(10_000)
    await expect(fetch(url)).rejects.toThrow()
    release()
    expect(await (await answer).text()).toBe('late')
    expect(await stopped).toBe(true)
  })

  it('drops what is still in flight when the time is over', async () => {
    const { fetch: handler, reached } = heldHandler()
    const { url, stop } = await serve(handler)
    const answer = fetch(url).catch((error: unknown) => String(error))
    await reached
    expect(await stop(50)).toBe(false)
    expect(await answer).toContain('fetch failed')
  })

  it('does not wait for connections that are idle', async () => {
    const { addresses, stop } = await serve(() => new Response('here'))
    const socket = connect(addresses[0]?.port ?? 0, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise((resolve) => socket.once('data', resolve))
    expect(await stop(10_000)).toBe(true)
    socket.destroy()
  })

  it('answers clients of HTTP/1.0 that name no host', async () => {
    const { addresses } = await serve((request) => new Response(new URL(request.url).pathname))
    const socket = connect(addresses[0]?.port ?? 0, '127.0.0.1')
    socket.write('GET /-/healthy HTTP/1.0\r\n\r\n')
    let answer = ''
    for await (const chunk of socket) answer += chunk
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\/-\/healthy$/s)
  })

  it('takes a request line of 100 kB, as long filters make it', async () => {
    const { url } = await serve((request) => new Response(String(request.url.length)))
    const response = await fetch(`${url}/?filter=${'a'.repeat(100_000)}`)
    expect(Number(await response.text())).toBeGreaterThan(100_000)
  })
})
