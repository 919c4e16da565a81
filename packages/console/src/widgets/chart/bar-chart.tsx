import { useComputedColorScheme } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useLanguage } from '../../texts/texts.ts'
import classes from './chart.module.css'

/** A series of bars. Bars of negative values hang below the axis. */
export interface Bars {
  /** The name of a colour variable, such as `--good`. */
  readonly color: string
  readonly values: readonly number[]
}

/**
 * Bars over time on a canvas. Colours are not the only difference if one series is negative. It is a picture for those who see it:
 * a text or a table beside it must say the same.
 */
export default function BarChart({
  times,
  series,
  height,
  onPoint,
}: {
  /** The starts of the parts of the time, in ms. */
  times: readonly number[]
  series: readonly Bars[]
  height: number
  /** The part under the pointer. */
  onPoint?: (index: number | undefined) => void
}): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const point = useRef(onPoint)
  point.current = onPoint
  const scheme = useComputedColorScheme()
  const language = useLanguage()
  // Equal data comes as new objects with every reading.
  const data = JSON.stringify([times, series])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme decides what the variables of the colours are
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const [xs, bars] = JSON.parse(data) as [number[], Bars[]]
    const css = getComputedStyle(document.documentElement)
    const colorOf = (name: string): string => css.getPropertyValue(name).trim()
    const paths = UPlot.paths.bars?.({ size: [0.8, 24, 1] })
    const most = Math.max(1, ...bars.flatMap(({ values }) => values))
    const least = Math.min(0, ...bars.flatMap(({ values }) => values))
    const axis = { stroke: colorOf('--quiet'), font: '11px system-ui', ticks: { show: false } }
    const grid = { stroke: colorOf('--line'), width: 1 }
    const count = new Intl.NumberFormat(language, { notation: 'compact' })
    const time = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' })
    const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' })
    const spanMs = (xs.at(-1) ?? 0) - (xs[0] ?? 0)
    const format = spanMs > 2 * 86_400_000 ? day : time
    const plot = new UPlot(
      {
        width: element.clientWidth,
        height,
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
        scales: { y: { range: [least * 1.05, most * 1.05] } },
        axes: [
          {
            ...axis,
            grid: { show: false },
            size: 22,
            space: 70,
            values: (_, ticks) => ticks.map((at) => format.format(at * 1_000)),
          },
          {
            ...axis,
            grid,
            size: 34,
            space: 24,
            values: (_, ticks) =>
              ticks.map((value) => (Number.isInteger(value) ? count.format(Math.abs(value)) : '')),
          },
        ],
        series: [
          {},
          ...bars.map(({ color }) => ({
            stroke: colorOf(color),
            fill: colorOf(color),
            width: 0,
            points: { show: false },
            ...(paths && { paths }),
          })),
        ],
        hooks: { setCursor: [({ cursor }) => point.current?.(cursor.idx ?? undefined)] },
      },
      [xs.map((at) => at / 1_000), ...bars.map(({ values }) => [...values])],
      element,
    )
    const observer = new ResizeObserver(() => {
      plot.setSize({ width: element.clientWidth, height })
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [data, height, scheme, language])
  return <div ref={place} className={classes.chart} aria-hidden="true" />
}
