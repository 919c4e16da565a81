import type { OidcWords } from './words.ts'

export const de: OidcWords = {
  consent: {
    title: (app) => `${app} den Zugriff auf Ihr Konto erlauben?`,
    signedInAs: 'Angemeldet als',
    otherAccount: 'Anderes Konto verwenden',
    asks: 'Die App bittet um',
    asksOf: (api) => `Bei ${api} bittet die App um`,
    uncheckedAt: (host) =>
      `Diese App hat sich selbst registriert, ihr Name wurde nicht geprüft. Erlauben Sie den Zugriff nur, wenn Sie das selbst begonnen haben und ${host} vertrauen.`,
    uncheckedHere:
      'Diese App hat sich selbst registriert, ihr Name wurde nicht geprüft. Erlauben Sie den Zugriff nur, wenn Sie das selbst in einer App auf diesem Gerät begonnen haben.',
    goesTo: (host) => `Nach Ihrer Antwort geht es weiter bei ${host}.`,
    goesHere: 'Nach Ihrer Antwort geht es in einer App auf diesem Gerät weiter.',
    goesToDevice: 'Nach Ihrer Antwort geht es auf Ihrem anderen Gerät weiter.',
    allow: 'Erlauben',
    deny: 'Ablehnen',
    policy: 'Datenschutz',
    terms: 'Nutzungsbedingungen',
  },
  scopes: {
    openid: 'Eine Kennung, an der sie Sie wiedererkennt',
    profile: 'Ihr Name, Ihr Bild und Ihr übriges Profil',
    email: 'Ihre E-Mail-Adresse',
    phone: 'Ihre Telefonnummer',
    address: 'Ihre Postanschrift',
    roles: 'Ihre Rollen',
    groups: 'Ihre Gruppen',
    offline_access: 'Zugriff auch in Ihrer Abwesenheit, bis Sie ihn widerrufen',
  },
  device: {
    title: 'Gerät verbinden',
    text: 'Geben Sie den Code ein, den Ihr Gerät anzeigt.',
    label: 'Code',
    next: 'Weiter',
    problems: {
      missing: 'Geben Sie den Code ein.',
      wrong: 'Diesen Code gibt es nicht. Vergleichen Sie ihn mit dem auf Ihrem Gerät.',
      expired: 'Dieser Code ist abgelaufen. Beginnen Sie auf Ihrem Gerät von vorn.',
      used: 'Dieser Code wurde schon verwendet. Beginnen Sie auf Ihrem Gerät von vorn.',
      other: 'Das hat nicht geklappt. Geben Sie den Code noch einmal ein.',
    },
    confirmTitle: (app) => `Ein Gerät mit ${app} verbinden?`,
    compare: 'Ihr Gerät muss diesen Code anzeigen:',
    device: 'Gerät',
    place: 'Ort',
    warning:
      'Verbinden Sie es nur, wenn Sie das selbst auf einem eigenen Gerät begonnen haben. Wenn Ihnen jemand den Code gesendet hat, käme diese Person damit in Ihr Konto.',
    confirm: 'Verbinden',
    cancel: 'Abbrechen',
    doneTitle: 'Ihr Gerät ist verbunden',
    doneText: (app) => `Dort geht es mit ${app} weiter. Sie können diese Seite schließen.`,
    deniedTitle: 'Das Gerät wurde nicht verbunden',
    deniedText: 'Es hat keinen Zugriff auf Ihr Konto. Sie können diese Seite schließen.',
  },
  logout: {
    title: 'Abmelden?',
    text: 'Sie werden hier und in den Apps abgemeldet, die Sie mit diesem Konto geöffnet haben.',
    askedBy: (app) =>
      `${app} möchte Sie abmelden. Sie werden hier und in den Apps abgemeldet, die Sie mit diesem Konto geöffnet haben.`,
    confirm: 'Abmelden',
    stay: 'Angemeldet bleiben',
    doneTitle: 'Sie sind abgemeldet',
    doneText: 'Sie können diese Seite schließen.',
    stayedTitle: 'Sie sind weiter angemeldet',
    stayedText:
      'Nur die App, die gefragt hat, hat ihre Sitzung beendet. Sie können diese Seite schließen.',
  },
  failure: {
    title: 'Das hat nicht geklappt',
    advice: {
      request:
        'Die App hat eine Anfrage gesendet, die nicht beantwortet werden kann. Gehen Sie zur App zurück, und versuchen Sie es noch einmal. Hilft das nicht, wenden Sie sich an die Betreiber.',
      expired:
        'Diese Seite ist abgelaufen, oder sie wurde schon beantwortet. Gehen Sie zur App zurück, und beginnen Sie von vorn.',
      foreign:
        'Das kam von einer Seite einer anderen Website und wurde deshalb abgelehnt. Gehen Sie zur App zurück, und beginnen Sie von vorn.',
      many: 'Das waren zu viele Versuche. Warten Sie einige Minuten, und versuchen Sie es dann noch einmal.',
      impersonated:
        'Sie sind im Namen einer anderen Person angemeldet. Apps bekommen auf diesem Weg keinen Zugriff auf deren Konto.',
      fault:
        'Bei uns ist etwas schiefgegangen. Gehen Sie zur App zurück, und versuchen Sie es gleich noch einmal.',
    },
    detail: 'Für Entwickler',
  },
}
