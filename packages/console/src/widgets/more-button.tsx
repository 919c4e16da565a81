import { Button, Group } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'

/** How far below the window the end of a list is when its next page is read, in px. */
const aheadPx = 600

/** Reads the next page of a list, if it has one: when one scrolls near its end, or clicks. */
export function MoreButton({
  list: { hasNextPage, isFetchingNextPage, fetchNextPage },
  children,
}: {
  list: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    fetchNextPage(): Promise<unknown>
  }
  children: ReactNode
}): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const read = useRef(fetchNextPage)
  read.current = fetchNextPage
  useEffect(() => {
    const end = place.current
    if (!hasNextPage || end === null) return
    let isNear = true
    const observer = new IntersectionObserver(
      ([entry]) => {
        // Only when it comes near: an end that is near from the start, or stays near because a page had few items, waits for a click.
        if (entry?.isIntersecting === true && !isNear) void read.current()
        isNear = entry?.isIntersecting === true
      },
      { rootMargin: `${aheadPx}px 0px` },
    )
    observer.observe(end)
    return () => observer.disconnect()
  }, [hasNextPage])
  if (!hasNextPage) return null
  return (
    <Group ref={place} justify="center" mt="md">
      <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {children}
      </Button>
    </Group>
  )
}
