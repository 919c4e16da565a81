import { countOf } from './count-of.ts'
import type { WebhookTexts } from './en-webhooks.ts'

const some = countOf('de')

/** The texts of the page of webhooks in German. */
export const webhooks: WebhookTexts = {
  configured: 'Eingerichtet',
  run: 'Starten',
  runOne: (id) => `${id} starten`,
  runs: 'Läufe',
  runsOf: (id) => `Läufe von ${id}`,
  none: 'Keine Webhooks',
  noneDetail: 'In der Konfiguration ist kein Webhook eingeschaltet.',
  noRuns: 'Noch keine Läufe',
  noRunsDetail: 'Starten Sie einen Webhook, oder warten Sie auf seinen Absender.',
  noMatch: 'Kein Lauf passt',
  showAll: 'Alle Läufe zeigen',
  more: 'Ältere Läufe zeigen',
  allWebhooks: 'Alle Webhooks',
  allStatuses: 'Jeder Zustand',
  webhook: 'Webhook',
  status: 'Zustand',
  started: 'Gestartet',
  created: 'Angelegt',
  duration: 'Dauer',
  waited: 'Gewartet',
  runId: 'Lauf',
  finished: 'Beendet',
  inputs: (n) => (n === 0 ? 'keine Werte' : some(n, 'Wert', 'Werte')),
  atOnce: (n) =>
    n === 0 ? 'beliebig viele zugleich' : n === 1 ? 'einer nach dem anderen' : `${n} zugleich`,
  limit: (duration) => `höchstens ${duration}`,
  statuses: {
    queued: 'Wartet',
    running: 'Läuft',
    succeeded: 'Erfolgreich',
    failed: 'Fehlgeschlagen',
    timed_out: 'Zeit abgelaufen',
    canceled: 'Abgebrochen',
    superseded: 'Ersetzt',
    lost: 'Verloren',
  },
  reasons: {
    exit_code: (code) => `Exit-Code ${code}`,
    signal: (_, signal) => `durch ${signal} beendet`,
    not_started: () => 'das Kommando startete nicht',
    output_limit: () => 'zu viel Ausgabe',
    canceled: () => 'auf Anforderung',
    disconnect: () => 'der Absender hat die Verbindung beendet',
    shutdown: () => 'der Server wurde beendet',
  },
  skipped: 'Die Regeln des Webhooks lassen diese Anfrage nicht zu. Es wurde nichts gestartet.',
  noValues: 'Das Kommando bekommt keine Werte aus der Anfrage.',
  elsewhere: (sources) => `Dieses Formular kann ${sources} nicht füllen.`,
  uses: {
    argument: (name) => (name === '' ? 'Argument' : `Argument ${name}`),
    variable: (name) => `Variable ${name}`,
    file: (name) => `Datei in ${name}`,
  },
  optional: 'freiwillig',
  ifEmpty: (value) => `Wenn leer: ${value}`,
  fits: (pattern) => `Muss zu ${pattern} passen`,
  problem: (problem) => {
    if (problem.kind === 'long') return `Höchstens ${some(problem.most, 'Byte', 'Bytes')}`
    if (problem.kind === 'pattern') return `Muss zu ${problem.pattern} passen`
    return {
      required: 'Erforderlich',
      dash: 'Darf nicht mit einem Strich beginnen',
      characters: 'Enthält Zeichen, die nicht gesendet werden können',
      base64: 'Muss Base64 sein',
    }[problem.kind]
  },
  data: 'Daten als JSON',
  dataDetail: 'Ein Objekt. Die Werte oben werden hinzugefügt.',
  badData: 'Das ist kein JSON-Objekt',
  token: 'Token',
  tokenOfWebhook: 'Das Token des Webhooks',
  wrongToken: 'Das Token ist falsch',
  tokenTitle: 'Die Webhooks brauchen ein Token',
  tokenDetail:
    'Geben Sie das Token eines Webhooks ein, um ihn zu sehen und zu starten, oder das des Administrators, um alle Läufe zu sehen. Dieser Tab vergisst es, wenn er geschlossen wird.',
  showToken: 'Token zeigen',
  open: 'Öffnen',
  forgetToken: 'Token vergessen',
  notServed: 'Die Webhooks sind nicht hier',
  notServedDetail: 'Nennen Sie consoleRoutes() ihren Pfad in der Option paths.',
  cancel: 'Lauf abbrechen',
  cancelTitle: 'Diesen Lauf abbrechen?',
  cancelDetail:
    'Jeder Prozess des Kommandos bekommt SIGTERM, und SIGKILL, wenn er nicht endet. Was schon getan ist, bleibt.',
  keep: 'Weiterlaufen lassen',
  canceling: 'Der Lauf wird beendet.',
  again: 'Noch einmal starten',
  againDetail: 'Der Server behält keine Werte eines Laufs. Füllen Sie sie noch einmal aus.',
  copyLink: 'Link kopieren',
  gone: 'Diesen Lauf gibt es nicht',
  goneDetail: 'Einträge werden nach einiger Zeit entfernt, oder wenn es zu viele sind.',
  exit: 'Exit-Code',
  address: 'Gesendet von',
  command: 'Kommando',
  attempts: 'Starts',
  output: 'Ausgabe',
  download: 'Herunterladen',
  search: 'In der Ausgabe suchen',
  found: (at, all, isAll) =>
    all === 0
      ? 'Nichts gefunden'
      : `Zeile ${at} von ${some(all, 'Zeile', 'Zeilen')}${isAll ? '' : ' oder mehr'}`,
  next: 'Nächste Zeile',
  previous: 'Vorige Zeile',
  toEnd: 'Zum Ende',
  noOutput: 'Keine Ausgabe',
  noOutputYet: 'Noch keine Ausgabe',
  outputStates: {
    loading: 'Lädt…',
    live: 'Live',
    ended: 'Vollständig',
    waiting: 'Die Verbindung ist abgebrochen. Die Seite verbindet sich neu…',
    failed: 'Die Ausgabe kann nicht gelesen werden',
  },
  dropped: (n) =>
    `${some(n, 'frühere Zeile wird', 'frühere Zeilen werden')} nicht gezeigt, um Speicher zu sparen. Laden Sie die Ausgabe herunter, um alles zu sehen, was der Server behält.`,
  cut: (stream, size) =>
    `Der Server hat nicht alles von ${stream} behalten: das Kommando schrieb ${size}.`,
  separate:
    'Von dem, was geschrieben war, bevor Sie diese Seite öffneten, kommt stdout zuerst, dann stderr.',
  errorMark: 'err',
  fold: (n) => `${some(n, 'weiteres Zeichen', 'weitere Zeichen')} zeigen`,
  durations: 'Dauern',
  summary: (count, failed, median, most, longest) =>
    `${some(count, 'Lauf', 'Läufe')}, ${failed} fehlgeschlagen · Median ${median} · 95 % unter ${most} · längster ${longest}`,
  asTable: 'Als Tabelle',
  range: 'Bereich',
  upTo: (to) => `unter ${to}`,
  from: (from) => `${from} und mehr`,
  between: (from, to) => `${from} bis ${to}`,
  failedRuns: 'Fehlgeschlagen',
}
