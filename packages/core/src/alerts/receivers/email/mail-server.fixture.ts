import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A mail server with scripted replies. */
export interface ScriptedServer {
  readonly port: number
  /** The dialog, such as `C: EHLO localhost` and `S: 250 ok`, without messages. */
  readonly dialog: readonly string[]
  /** The messages that it received. */
  readonly messages: readonly string[]
}

/**
 * Starts a server on the loopback interface. It looks up its reply by the whole command, then by its first two words, then by its
 * first (default `250 ok`). An empty reply sends nothing, and `close` closes the connection.
 */
export async function startScriptedServer(
  given: Readonly<Record<string, string>> = {},
): Promise<ScriptedServer> {
  const dialog: string[] = []
  const messages: string[] = []
  const answers: Readonly<Record<string, string>> = { ...usualAnswers, ...given }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const say = (...names: readonly string[]): string => {
      const answer = names.map((name) => answers[name]).find((one) => one !== undefined) ?? '250 ok'
      if (answer === 'close') socket.destroy()
      if (answer === 'close' || answer === '') return ''
      dialog.push(...answer.split('\r\n').map((line) => `S: ${line}`))
      socket.write(`${answer}\r\n`)
      return answer
    }
    let received = ''
    let lineEnd = '\r\n'
    socket.on('error', () => undefined)
    socket.on('close', () => dialog.push('closed'))
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      for (let at = received.indexOf(lineEnd); at >= 0; at = received.indexOf(lineEnd)) {
        const text = received.slice(0, at)
        received = received.slice(at + lineEnd.length)
        if (lineEnd !== '\r\n') {
          messages.push(`${text}\r\n`)
          lineEnd = '\r\n'
          say('message')
          continue
        }
        dialog.push(`C: ${text}`)
        const [verb = ''] = text.split(/[ :]/)
        const answer = say(text, text.split(' ', 2).join(' '), verb)
        if (answer.startsWith('354')) lineEnd = '\r\n.\r\n'
        if (verb === 'QUIT' && answer !== '') socket.end()
      }
    })
    say('greeting')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  })
  return { port: (server.address() as AddressInfo).port, dialog, messages }
}

const usualAnswers = {
  greeting: '220 sink ESMTP',
  EHLO: '250-sink\r\n250-AUTH PLAIN LOGIN\r\n250 8BITMIME',
  'AUTH PLAIN': '235 ok',
  DATA: '354 go',
  message: '250 queued',
  QUIT: '221 bye',
}
