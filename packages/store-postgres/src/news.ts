import type { Logger } from '@gatehouse/core'
import type { Database } from './database.ts'
import { isUnsupported, messageOf } from './errors.ts'

/** Options of {@link createNews}. */
export interface NewsOptions {
  channel: string
  /** Tells this process from the others. */
  self: string
  /** Called with the collection somebody else committed to, or without one if anything may have happened. */
  onNews: (collection?: string) => void
  logger: Logger
}

/**
 * What processes tell each other: that a collection changed. It only makes news travel faster, so what is lost does no
 * harm: everybody asks the database once a second anyway.
 */
export interface News {
  /** Begins to listen, unless it does; connects again when the connection is lost. */
  listen(): void
  /** Tells the others. What comes while it is being told is told together. */
  tell(collection: string): void
  /** Ends it, and waits for what is under way. */
  close(): Promise<void>
}

/** How long it waits before it connects again, at first and at most. */
const pausesMs = { first: 500, longest: 15_000 }

/** {@link News} over LISTEN and NOTIFY, where the database has them. */
export function createNews(database: Database, options: NewsOptions): News {
  const { channel, self, onNews, logger } = options
  const untold = new Set<string>()
  let canNotify = true
  let isClosed = false
  let isListening = false
  let pauseMs = pausesMs.first
  let retry: NodeJS.Timeout | undefined
  let stop: (() => Promise<void>) | undefined
  let connecting: Promise<void> = Promise.resolve()
  let telling: Promise<void> | undefined

  const onNotification = (payload: string): void => {
    const [sender, ...collections] = payload.split(' ')
    if (sender !== self) for (const collection of collections) onNews(collection)
  }

  const tryAgain = (error: unknown): void => {
    stop = undefined
    if (isClosed) return
    logger.debug({ error: messageOf(error), pauseMs }, 'PostgreSQL tells no news for now')
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
      else logger.info({}, 'this database tells no news: others are seen within a second')
    }
  }

  const tellAll = async (): Promise<void> => {
    while (untold.size > 0) {
      const collections = [...untold]
      untold.clear()
      try {
        await database.query('SELECT pg_notify($1::text, $2::text)', [
          channel,
          [self, ...collections].join(' '),
        ])
      } catch (error) {
        // Nothing is lost with it.
        if (isUnsupported(error)) canNotify = false
        logger.debug({ error: messageOf(error) }, 'could not tell the news')
      }
    }
    telling = undefined
  }

  return {
    listen() {
      if (isListening) return
      isListening = true
      connecting = connect()
    },

    tell(collection) {
      if (!canNotify || isClosed || database.listen === undefined) return
      untold.add(collection)
      telling ??= tellAll()
    },

    async close() {
      isClosed = true
      clearTimeout(retry)
      await telling
      await connecting
      await stop?.()
    },
  }
}
