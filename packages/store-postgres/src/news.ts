import type { Logger } from '@gatehouse/core/store'
import type { Database } from './database.ts'
import { isUnsupported, messageOf } from './errors.ts'

/** Options of {@link createNews}. */
export interface NewsOptions {
  channel: string
  /** The id of this process in notifications. */
  self: string
  /** Called with the collection that another process committed to; without one if any collection may have changed. */
  onNews: (collection?: string) => void
  logger: Logger
}

/**
 * Notifications between processes that a collection changed. They only speed up propagation: every process also polls the
 * database once a second, so a lost notification does no harm.
 */
export interface News {
  /** Starts listening, unless already started. Reconnects when the connection is lost. */
  listen(): void
  /** Notifies the other processes. Collections that arrive while a notification is being sent go into the next one together. */
  notify(collection: string): void
  /** Stops, and waits for pending work. */
  close(): Promise<void>
}

/** The pause before reconnecting, at first and at most. */
const pausesMs = { first: 500, longest: 15_000 }

/** Creates {@link News} over LISTEN and NOTIFY, if the database has them. */
export function createNews(database: Database, options: NewsOptions): News {
  const { channel, self, onNews, logger } = options
  const unsent = new Set<string>()
  let canNotify = true
  let isClosed = false
  let isListening = false
  let pauseMs = pausesMs.first
  let retry: NodeJS.Timeout | undefined
  let stop: (() => Promise<void>) | undefined
  let connecting: Promise<void> = Promise.resolve()
  let sending: Promise<void> | undefined

  const onNotification = (payload: string): void => {
    const [sender, ...collections] = payload.split(' ')
    if (sender !== self) for (const collection of collections) onNews(collection)
  }

  const tryAgain = (error: unknown): void => {
    stop = undefined
    if (isClosed) return
    logger.debug(
      { error: messageOf(error), pauseMs },
      'lost the notifications of PostgreSQL; trying again',
    )
    retry = setTimeout(() => {
      connecting = connect()
    }, pauseMs)
    retry.unref()
    pauseMs = Math.min(2 * pauseMs, pausesMs.longest)
  }

  const connect = async (): Promise<void> => {
    if (database.listen === undefined || isClosed) return
    try {
      const ended = await database.listen(channel, { onNotification, onLost: tryAgain })
      if (isClosed) return ended()
      stop = ended
      pauseMs = pausesMs.first
      onNews()
    } catch (error) {
      if (!isUnsupported(error)) tryAgain(error)
      else
        logger.info(
          {},
          'this database has no notifications: changes by other processes are seen within a second',
        )
    }
  }

  const sendAll = async (): Promise<void> => {
    while (canNotify && unsent.size > 0) {
      const collections = [...unsent]
      unsent.clear()
      try {
        await database.query('SELECT pg_notify($1::text, $2::text)', [
          channel,
          [self, ...collections].join(' '),
        ])
      } catch (error) {
        // A lost notification does no harm.
        if (isUnsupported(error)) canNotify = false
        logger.debug({ error: messageOf(error) }, 'could not notify other processes')
      }
    }
    sending = undefined
  }

  return {
    listen() {
      if (isListening) return
      isListening = true
      connecting = connect()
    },

    notify(collection) {
      if (!canNotify || isClosed || database.listen === undefined) return
      unsent.add(collection)
      sending ??= sendAll()
    },

    async close() {
      isClosed = true
      clearTimeout(retry)
      await sending
      await connecting
      await stop?.()
    },
  }
}
