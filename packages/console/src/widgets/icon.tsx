import type { ReactNode } from 'react'

/** Paths of 24 by 24 units, drawn as lines. */
const paths = {
  gate: 'M4 21V10a8 8 0 0 1 16 0v11M9 21V11a3 3 0 0 1 6 0v10M2 21h20',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
  check: 'm5 12 5 5 9-10',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  bellOff: 'M6 16V11a6 6 0 0 1 1-3.300M10 5.300A6 6 0 0 1 18 11v5l2 2H4zM10 21h4M3 3l18 18',
  cards: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  table: 'M4 5h16M4 10h16M4 15h16M4 20h16',
  link: 'M9 15l6-6M10 6l2-2a4.2 4.2 0 0 1 6 6l-2 2M14 18l-2 2a4.2 4.2 0 0 1-6-6l2-2',
  close: 'M6 6l12 12M18 6 6 18',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 3',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21a8 8 0 0 1 16 0',
  play: 'M8 5v14l11-7z',
  stop: 'M6 6h12v12H6z',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  up: 'm6 15 6-6 6 6',
  down: 'm6 9 6 6 6-6',
  right: 'm9 6 6 6-6 6',
  again: 'M20 11a8 8 0 1 0-2 6M20 5v6h-6',
  star: 'm12 3 2.800 5.900 6.200.800-4.500 4.400 1.100 6.400L12 17.400l-5.600 3.100 1.100-6.400L3 9.700l6.200-.800z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  warning: 'M12 3 2 20h20zM12 10v4M12 17v.500',
} as const

export type IconName = keyof typeof paths

/** A decoration: what it means must also be said by text beside it, or by the label of its button. */
export function Icon({
  name,
  size = 18,
  isFilled = false,
}: {
  name: IconName
  size?: number
  isFilled?: boolean
}): ReactNode {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={isFilled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  )
}
