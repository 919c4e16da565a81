import type { Words } from './words.ts'

export const de: Words = {
  proofs: {
    verification: {
      subject: 'Bestätigen Sie Ihre Adresse',
      code: '{Code} ist Ihr Code, um Ihre Adresse bei {Name} zu bestätigen.',
      above: 'Mit diesem Code bestätigen Sie Ihre Adresse bei {Name}:',
      link: 'Öffnen Sie diesen Link, um Ihre Adresse zu bestätigen:',
      button: 'Adresse bestätigen',
    },
    setUp: {
      subject: 'Bestätigen Sie diese Adresse',
      code: '{Code} ist Ihr Code, um sich bei {Name} künftig mit dieser Adresse anzumelden.',
      above: 'Mit diesem Code richten Sie diese Adresse für die Anmeldung bei {Name} ein:',
      link: 'Öffnen Sie diesen Link, um sich künftig mit dieser Adresse anzumelden:',
      button: 'Adresse bestätigen',
    },
    signIn: {
      subject: 'Anmeldung',
      code: '{Code} ist Ihr Code für die Anmeldung bei {Name}.',
      above: 'Mit diesem Code melden Sie sich bei {Name} an:',
      link: 'Öffnen Sie diesen Link, um sich anzumelden:',
      button: 'Anmelden',
    },
    recovery: {
      subject: 'Neues Passwort',
      code: '{Code} ist Ihr Code, um Ihr Passwort bei {Name} zurückzusetzen.',
      above: 'Mit diesem Code setzen Sie Ihr Passwort bei {Name} zurück:',
      link: 'Öffnen Sie diesen Link, um Ihr Passwort zurückzusetzen:',
      button: 'Passwort zurücksetzen',
    },
    lifetime: 'Gültigkeit: {Lifetime}.',
    ignore: 'Wenn Sie das nicht angefordert haben, können Sie diese Nachricht ignorieren.',
  },
  notices: {
    newSignIn: {
      subject: 'Neue Anmeldung in Ihrem Konto',
      fact: 'Jemand hat sich am {Time}{Where} in Ihrem Konto bei {Name} angemeldet.',
    },
    password: {
      subject: 'Ihr Passwort wurde geändert',
      fact: 'Das Passwort Ihres Kontos bei {Name} wurde am {Time}{Where} geändert.',
    },
    address: {
      subject: 'Ihre Adressen wurden geändert',
      fact: 'Die Adressen Ihres Kontos bei {Name} wurden am {Time}{Where} geändert.',
    },
    factor: {
      subject: 'Ihre Anmeldemethoden wurden geändert',
      fact: 'Die Anmeldemethoden Ihres Kontos bei {Name} wurden am {Time}{Where} geändert.',
    },
    apiKey: {
      subject: 'Ein neuer API-Schlüssel für Ihr Konto',
      fact: 'Für Ihr Konto bei {Name} wurde am {Time}{Where} ein API-Schlüssel erstellt.',
    },
    impersonation: {
      subject: 'Die Verwaltung hat sich in Ihrem Konto angemeldet',
      fact: 'Die Verwaltung von {Name} hat sich am {Time}{Where} in Ihrem Konto angemeldet.',
    },
    device: ' mit {Device}',
    place: ' (Land: {PlaceName})',
    calm: 'Wenn Sie es waren, müssen Sie nichts tun.',
    remedy:
      'Wenn nicht, setzen Sie sofort Ihr Passwort zurück, und beenden Sie Ihre anderen Sitzungen.',
    remedyLink:
      'Wenn nicht, setzen Sie Ihr Passwort zurück, und beenden Sie Ihre anderen Sitzungen:',
    endSession: 'Wenn nicht, beenden Sie sofort diese Sitzung, und ändern Sie Ihr Passwort.',
    endSessionLink: 'Wenn nicht, beenden Sie diese Sitzung, und ändern Sie Ihr Passwort:',
    revokeKey:
      'Wenn nicht, widerrufen Sie den Schlüssel, und setzen Sie sofort Ihr Passwort zurück.',
    revokeKeyLink: 'Wenn nicht, widerrufen Sie den Schlüssel, und setzen Sie Ihr Passwort zurück:',
    askOperators: 'Wenn Sie den Grund nicht kennen, fragen Sie dort nach.',
    notMe: 'Das war ich nicht',
  },
  deletion: {
    subject: 'Ihr Konto wird gelöscht',
    fact: 'Am {Time} wurde{Where} die Löschung Ihres Kontos bei {Name} beantragt.',
    when: 'Das Konto und seine Daten werden am {DeleteAt} gelöscht.',
    keep: 'Wenn Sie es sich anders überlegen oder es nicht waren, behalten Sie das Konto:',
    button: 'Konto behalten',
  },
  taken: {
    subject: 'Jemand wollte sich mit Ihrer Adresse registrieren',
    fact: 'Jemand wollte sich bei {Name} mit dieser Adresse registrieren, für die es schon ein Konto gibt.',
    calm: 'Wenn Sie es waren, melden Sie sich stattdessen an. Wenn nicht, müssen Sie nichts tun.',
  },
  invitation: {
    subject: 'Sie sind eingeladen',
    fact: 'Sie sind zu {Name} eingeladen.',
    accept: 'Nehmen Sie die Einladung an, um Ihr Konto zu erstellen:',
    button: 'Einladung annehmen',
    until: 'Die Einladung gilt bis {Time}.',
    ignore: 'Wenn Sie nicht wissen, worum es geht, können Sie diese Nachricht ignorieren.',
  },
  browser: { named: '{browser} unter {system}', unknown: 'ein unbekannter Browser' },
  pages: {
    confirmTitle: 'Sind Sie das?',
    confirmFact:
      'Jemand hat auf diesem oder einem anderen Gerät diesen Link angefordert, um zu bestätigen, dass Ihre Adresse ihm gehört.',
    confirmRequest: 'Browser: {browser}. Ort: {place}. Zeit: {time}.',
    confirmWarning:
      'Bestätigen Sie nur, wenn Sie es waren. Mit der Bestätigung geht es dort weiter.',
    confirmButton: 'Ja, bestätigen',
    notMeTitle: 'Waren das nicht Sie?',
    notMeFact:
      'Wenn Sie sich nicht angemeldet haben, beenden Sie diese Sitzung. Der Browser wird sofort abgemeldet, ebenso jeder, der sich danach angemeldet hat.',
    notMeButton: 'Diese Sitzung beenden',
    disownedTitle: 'Die Sitzung ist beendet',
    disownedAdvice: 'Ändern Sie jetzt Ihr Passwort: Jemand könnte es kennen.',
    disownedLink: 'Passwort ändern',
    keepTitle: 'Konto behalten?',
    keepFact:
      'Ihr Konto soll am {time} gelöscht werden. Wenn Sie es behalten, wird nichts gelöscht.',
    keepButton: 'Konto behalten',
    keptTitle: 'Ihr Konto bleibt bestehen',
    keptFact:
      'Es wird nicht gelöscht. Wenn Sie die Löschung nicht beantragt haben, melden Sie sich an, und ändern Sie Ihr Passwort.',
    approvedTitle: 'Bestätigt',
    approvedAdvice:
      'Gehen Sie dorthin zurück, wo Sie den Link angefordert haben. Sie können diese Seite schließen.',
    recoveryTitle: 'Passwort zurücksetzen',
    recoveryAdvice:
      'Gehen Sie dorthin zurück, wo Sie den Link angefordert haben, und geben Sie diesen Code ein:',
    deadTitle: 'Dieser Link gilt nicht mehr',
    deadAdvice:
      'Er wurde schon verwendet oder ist abgelaufen. Gehen Sie dorthin zurück, wo Sie ihn angefordert haben, und fordern Sie einen neuen an.',
    replacedAdvice:
      'An seiner Stelle wurde ein neuerer Link gesendet. Öffnen Sie den Link in der neuesten Nachricht. Wenn Sie ihn nicht angefordert haben, ignorieren Sie beide.',
    failedTitle: 'Das hat nicht geklappt',
    failedAdvice: 'Bei uns ist etwas schiefgegangen. Laden Sie die Seite gleich noch einmal.',
    foreignAdvice:
      'Das kam von einer Seite einer anderen Website und wurde deshalb abgelehnt. Öffnen Sie den Link in Ihrer Nachricht noch einmal.',
    insecureAdvice: 'Diese Seite muss über eine Adresse geöffnet werden, die mit https beginnt.',
    notYoursFact: 'Sie sind angemeldet, aber diese Seite ist nicht für Sie.',
    language: 'Sprache',
  },
}
