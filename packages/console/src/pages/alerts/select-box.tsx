import type { ReactNode } from 'react'
import classes from './badges.module.css'

/** The box that selects one alert, or all of them. The browser's own costs least in a long list. */
export function SelectBox({
  label,
  isChecked,
  isPartial = false,
  onChange,
}: {
  label: string
  isChecked: boolean
  /** Whether some are selected, but not all. */
  isPartial?: boolean
  onChange: () => void
}): ReactNode {
  return (
    <input
      ref={(element) => {
        if (element !== null) element.indeterminate = isPartial
      }}
      type="checkbox"
      className={classes.select}
      aria-label={label}
      checked={isChecked}
      onChange={onChange}
    />
  )
}
