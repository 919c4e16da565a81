import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'

interface Picture {
  readonly size: number
  readonly path: string
}

/** A picture of a text that cameras read. */
export function QrCode({
  text,
  label,
}: {
  readonly text: string
  readonly label: string
}): JSX.Element {
  const [picture, setPicture] = useState<Picture | undefined>(undefined)
  useEffect(() => {
    // Few steps need it, and the key beside it serves where it cannot be loaded.
    import('uqr').then(
      ({ encode }) => {
        const { data, size } = encode(text, { border: 2, ecc: 'M' })
        const path = data
          .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
          .join('')
        setPicture({ size, path })
      },
      () => {},
    )
  }, [text])
  const { size, path } = picture ?? { size: 1, path: '' }
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
