import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './data-table.module.css'

/** A table that scrolls sideways, also by keys, where it is wider than the page. */
export function DataTable({
  label,
  heads,
  minWidth,
  maxHeight,
  isDense = false,
  children,
}: {
  label: string
  heads: readonly string[]
  minWidth: number
  maxHeight?: number
  isDense?: boolean
  /** The rows. */
  children: ReactNode
}): ReactNode {
  return (
    <Table.ScrollContainer
      className={classes.table}
      minWidth={minWidth}
      {...(maxHeight !== undefined && { maxHeight })}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, role: 'region', 'aria-label': label },
      }}
    >
      <Table verticalSpacing={isDense ? 4 : 'xs'} highlightOnHover={!isDense}>
        <Table.Thead>
          <Table.Tr>
            {heads.map((head) => (
              <Table.Th key={head}>{head}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
