import type { CSSProperties, ReactNode } from 'react'
import classes from './bars.module.css'

/** A value above the axis, one below it, or both. */
export interface Bar {
  readonly key: string
  readonly up: number
  readonly down?: number
  /** How it looks; one that failed has stripes, too, because colours alone say too little. */
  readonly kind?: 'good' | 'failed'
  readonly title?: string
  readonly href?: string
}

/** Bars side by side. It is a picture for those who see it: a text or a table beside it must say the same. */
export function Bars({
  bars,
  format,
  ends = [],
  onPoint,
}: {
  bars: readonly Bar[]
  /** Writes a value of the scale. */
  format: (value: number) => string
  /** Texts below the first and the last bar. */
  ends?: readonly string[]
  /** The bar under the pointer. */
  onPoint?: (index: number | undefined) => void
}): ReactNode {
  const down = Math.max(0, ...bars.map((bar) => bar.down ?? 0))
  const up = Math.max(down > 0 ? 0 : 1, ...bars.map((bar) => bar.up))
  const space = (value: number): CSSProperties => ({ flexGrow: value / (up + down) })
  // The smallest value is visible, too.
  const length = (value: number): CSSProperties => ({
    ...space(value),
    minHeight: value > 0 ? 2 : 0,
  })
  return (
    <div className={classes.chart} aria-hidden="true">
      <div className={classes.scale}>
        {up > 0 && <span>{format(up)}</span>}
        <span style={space(up)} />
        <span>0</span>
        <span style={space(down)} />
        {down > 0 && <span>{format(down)}</span>}
      </div>
      <div
        className={classes.bars}
        style={{ backgroundPositionY: `${(100 * up) / (up + down)}%` }}
        onPointerLeave={() => onPoint?.(undefined)}
      >
        {bars.map((bar, index) => {
          const Column = bar.href === undefined ? 'div' : 'a'
          return (
            <Column
              key={bar.key}
              className={classes.bar}
              title={bar.title}
              // Everything that it leads to has a link for the keyboard elsewhere.
              {...(bar.href !== undefined && { href: bar.href, tabIndex: -1 })}
              onPointerEnter={() => onPoint?.(index)}
            >
              <span style={space(up - bar.up)} />
              <span className={classes.up} data-kind={bar.kind} style={length(bar.up)} />
              <span className={classes.down} style={length(bar.down ?? 0)} />
              <span style={space(down - (bar.down ?? 0))} />
            </Column>
          )
        })}
      </div>
      <div className={classes.ends}>
        {ends.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </div>
    </div>
  )
}
