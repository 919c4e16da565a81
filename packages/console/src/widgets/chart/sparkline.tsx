import type { ReactNode } from 'react'
import classes from './chart.module.css'
import { linePath } from './line-path.ts'

const box = { width: 200, height: 40 }

/** A small line of values; its numbers must be said by text beside it. */
export function Sparkline({ values }: { values: readonly number[] }): ReactNode {
  const line = linePath(values, { ...box, top: Math.max(...values, 0) })
  return (
    <svg
      className={classes.sparkline}
      viewBox={`-1 -2 ${box.width + 2} ${box.height + 4}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={classes.area} d={line && `${line}V${box.height}H0Z`} />
      <path className={classes.line} d={line} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
