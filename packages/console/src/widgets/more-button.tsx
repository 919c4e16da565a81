import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'

/** Reads the next page of a list, if it has one. */
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
  if (!hasNextPage) return null
  return (
    <Group justify="center" mt="md">
      <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {children}
      </Button>
    </Group>
  )
}
