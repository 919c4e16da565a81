/** A message between the pages of one browser, about a stream that one of them follows. */
type Message<News> = { readonly live: boolean } | { readonly news: News } | { readonly ask: true }

/** A stream that the pages of one browser share. */
export interface SharedStream<News> {
  /** The same for all pages that share the stream. */
  readonly name: string
  /** Ends this page's part. */
  readonly signal: AbortSignal
  /** Follows the stream until it ends for good. */
  follow(listener: StreamListener<News>): Promise<void>
}

/** Gets what a stream brings. */
export interface StreamListener<News> {
  onLive(isLive: boolean): void
  onNews(news: News): void
}

/**
 * Lets one page of the browser follow a stream for all its pages: a browser has six connections to a server of HTTP/1.1, and a
 * stream in each window would use them up. If that page goes, the next one takes over. Without Web Locks, which browsers have for
 * `https:` and for this machine only, each page follows a stream of its own.
 *
 * @returns when the page's part has ended.
 */
export async function joinStream<News>(
  { name, signal, follow }: SharedStream<News>,
  listener: StreamListener<News>,
): Promise<void> {
  // Some browsers have no locks at all, whatever the types say.
  const locks = navigator.locks as LockManager | undefined
  if (locks === undefined) return follow(listener)
  const channel = new BroadcastChannel(name)
  const tell = (message: Message<News>): void => channel.postMessage(message)
  let leads = false
  let isLive = false
  const hear = (live: boolean): void => {
    // Each page answers a new page with its last state, so the same state may arrive again.
    if (live === isLive) return
    isLive = live
    listener.onLive(live)
  }
  channel.onmessage = ({ data }: MessageEvent<Message<News>>): void => {
    if (leads) {
      if ('ask' in data) tell({ live: isLive })
    } else if ('live' in data) hear(data.live)
    else if ('news' in data) listener.onNews(data.news)
  }
  tell({ ask: true })
  try {
    await locks.request(name, { signal }, async () => {
      leads = true
      const onLive = (live: boolean): void => {
        isLive = live
        listener.onLive(live)
        tell({ live })
      }
      // The page that led before may have gone without a word.
      if (isLive) onLive(false)
      await follow({
        onLive,
        onNews(news) {
          listener.onNews(news)
          tell({ news })
        },
      })
    })
  } finally {
    if (leads) tell({ live: false })
    channel.close()
  }
}
