import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useStep } from '../flow/step.ts'
import { useWords } from '../texts/texts.ts'

/** What the scripts of the providers have in common. */
interface WidgetApi {
  render(
    place: HTMLElement,
    options: {
      sitekey: string
      theme: 'light' | 'dark'
      callback(response: string): void
      'expired-callback'(): void
      'error-callback'(): void
    },
  ): unknown
  ready?(then: () => void): void
}

const scripts: Readonly<
  Record<string, { readonly src: string; readonly global: string; readonly name: string }>
> = {
  cloudflare: {
    src: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
    global: 'turnstile',
    name: 'challenges.cloudflare.com',
  },
  recaptchav2: {
    src: 'https://www.google.com/recaptcha/api.js?render=explicit',
    global: 'grecaptcha',
    name: 'www.google.com',
  },
}

const loading = new Map<string, Promise<WidgetApi>>()

function load(type: string): Promise<WidgetApi> {
  const script = scripts[type]
  if (script === undefined) return Promise.reject(new Error('unknown'))
  const known = loading.get(type)
  if (known !== undefined) return known
  const api = new Promise<WidgetApi>((resolve, reject) => {
    const element = document.createElement('script')
    element.src = script.src
    element.onload = () => resolve(Reflect.get(globalThis, script.global) as WidgetApi)
    element.onerror = () => {
      loading.delete(type)
      element.remove()
      reject(new Error('the script did not load'))
    }
    document.head.append(element)
  })
  loading.set(type, api)
  return api
}

/** The widget by which a provider tells people from programs. */
function BotCheck({ onResponse }: { onResponse(response: string | undefined): void }): JSX.Element {
  const { settings } = useStep()
  const { t } = useWords()
  const place = useRef<HTMLDivElement>(null)
  const [isFailed, setFailed] = useState(false)
  const protection = settings.botProtection
  useEffect(() => {
    if (protection === undefined) return setFailed(true)
    let isOver = false
    load(protection.type).then(
      (api) => {
        const show = (): void => {
          if (isOver || place.current === null) return
          api.render(place.current, {
            sitekey: protection.siteKey,
            theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
            callback: onResponse,
            'expired-callback': () => onResponse(undefined),
            'error-callback': () => setFailed(true),
          })
        }
        if (api.ready === undefined) show()
        else api.ready(show)
      },
      () => setFailed(true),
    )
    return () => {
      isOver = true
    }
  }, [protection, onResponse])
  return (
    <>
      <div ref={place} />
      {isFailed && (
        <p class="field-problem" role="alert">
          {t('bot.failed', { provider: scripts[protection?.type ?? '']?.name ?? '' })}
        </p>
      )}
    </>
  )
}

/** The response of the widget for an option that asks for one. */
export interface BotAnswer {
  /** The widget; nothing for an option that asks for no response. */
  readonly widget: JSX.Element | null
  /** Whether the input must wait for the person. */
  readonly isMissing: boolean
  /** The members to add to the input. */
  readonly members: object
}

export function useBotCheck(isNeeded: boolean): BotAnswer {
  const { settings, failure } = useStep()
  const { t } = useWords()
  const [response, setResponse] = useState<string | undefined>(undefined)
  const [round, setRound] = useState(0)
  useEffect(() => {
    // A response serves once, even for a wrong password.
    if (failure === undefined) return
    setResponse(undefined)
    setRound((before) => before + 1)
  }, [failure])
  if (!isNeeded) return { widget: null, isMissing: false, members: {} }
  return {
    widget: (
      <div class="bot-check">
        <BotCheck key={round} onResponse={setResponse} />
        {response === undefined && <p class="hint">{t('bot.wait')}</p>}
      </div>
    ),
    isMissing: response === undefined,
    members:
      response === undefined
        ? {}
        : { bot_protection: { type: settings.botProtection?.type ?? '', response } },
  }
}
