import type { RenderedIntegration } from '@gatehouse/client'
import type { ReactNode } from 'react'
import { clip } from '../../widgets/clip.ts'
import { visible } from '../../widgets/visible.ts'
import classes from './notifications-page.module.css'

/** The requests or the email of an integration. */
export function Message({
  message: { detail, mail, requests },
  about,
}: {
  message: RenderedIntegration
  /** How far it is what was sent. */
  about: string
}): ReactNode {
  return (
    <>
      <p className={classes.quiet}>{about}</p>
      {detail !== undefined && <p>{visible(detail)}</p>}
      {mail !== undefined && (
        <>
          <p>
            <strong>
              <bdi>{clip(mail.subject)}</bdi>
            </strong>
            <br />
            <bdi className={classes.quiet}>
              {clip(mail.from)} → {clip(mail.to.join(', '))}
            </bdi>
          </p>
          {mail.parts.map(({ type, text }) => (
            <Body key={type} title={type} text={text} />
          ))}
        </>
      )}
      {requests.map(({ method, url, body }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the requests of a message do not change
        <Body key={index} title={`${method} ${url}`} text={formatted(body)} />
      ))}
    </>
  )
}

function Body({ title, text }: { title: string; text: string }): ReactNode {
  return (
    <figure className={classes.body}>
      <figcaption>
        <bdi>{clip(title)}</bdi>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reached by keys */}
      <pre className={classes.text} dir="auto" tabIndex={0}>
        {visible(text)}
      </pre>
    </figure>
  )
}

/** JSON with line breaks; any other text as it is. */
function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
