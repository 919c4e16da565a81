import { useEffect, useRef, useState } from 'react'
import { useConnection } from './live.ts'

/** Whether the server has another version of the page than the one that runs; asked whenever the connection has come back. */
export function useNewVersion(): boolean {
  const connection = useConnection()
  const [isNew, setNew] = useState(false)
  const hasConnected = useRef(false)
  useEffect(() => {
    if (connection === undefined || connection === 'lost' || document.hidden) return
    if (hasConnected.current) void hasOtherFiles().then((is) => is && setNew(true))
    hasConnected.current = true
  }, [connection])
  return isNew
}

/** Names of files have a hash of their content. A document without such files, as of a proxy that asks for a sign-in, says nothing. */
async function hasOtherFiles(): Promise<boolean> {
  const html = await fetch('./', { cache: 'no-cache' }).then(
    (response) => (response.ok ? response.text() : ''),
    () => '',
  )
  return [...html.matchAll(/"(\.\/assets\/[\w.-]+)"/g)].some(
    ([, path]) => document.head.querySelector(`[src="${path}"], [href="${path}"]`) === null,
  )
}
