import type { Words } from './words.ts'

export const en: Words = {
  proofs: {
    verification: {
      subject: 'Confirm your address',
      code: '{Code} is your code to confirm your address at {Name}.',
      above: 'This is your code to confirm your address at {Name}:',
      link: 'Open this link to confirm your address:',
      button: 'Confirm the address',
    },
    setUp: {
      subject: 'Confirm this address',
      code: '{Code} is your code to use this address for signing in at {Name}.',
      above: 'This is your code to use this address for signing in at {Name}:',
      link: 'Open this link to use this address for signing in:',
      button: 'Confirm the address',
    },
    signIn: {
      subject: 'Sign in',
      code: '{Code} is your code to sign in at {Name}.',
      above: 'This is your code to sign in at {Name}:',
      link: 'Open this link to sign in:',
      button: 'Sign in',
    },
    recovery: {
      subject: 'Reset your password',
      code: '{Code} is your code to reset your password at {Name}.',
      above: 'This is your code to reset your password at {Name}:',
      link: 'Open this link to reset your password:',
      button: 'Reset the password',
    },
    lifetime: 'It is valid for {Lifetime}.',
    ignore: 'If you did not ask for it, you can ignore this message.',
  },
  notices: {
    newSignIn: {
      subject: 'New sign-in to your account',
      fact: 'Someone signed in to your account at {Name} on {Time}{Where}.',
    },
    password: {
      subject: 'Your password was changed',
      fact: 'The password of your account at {Name} changed on {Time}{Where}.',
    },
    address: {
      subject: 'Your addresses were changed',
      fact: 'The addresses of your account at {Name} changed on {Time}{Where}.',
    },
    factor: {
      subject: 'Your ways to sign in were changed',
      fact: 'The ways to sign in to your account at {Name} changed on {Time}{Where}.',
    },
    apiKey: {
      subject: 'A new API key for your account',
      fact: 'An API key was created for your account at {Name} on {Time}{Where}.',
    },
    impersonation: {
      subject: 'An operator signed in to your account',
      fact: 'An operator of {Name} signed in to your account on {Time}{Where}.',
    },
    device: ' with {Device}',
    place: ' from {PlaceName}',
    calm: 'If it was you, there is nothing you need to do.',
    remedy: 'If it was not, reset your password and end your other sessions at once.',
    remedyLink: 'If it was not, reset your password and end your other sessions:',
    endSession: 'If it was not, end that session and change your password at once.',
    endSessionLink: 'If it was not, end that session and change your password:',
    revokeKey: 'If it was not, revoke the key and reset your password at once.',
    revokeKeyLink: 'If it was not, revoke the key and reset your password:',
    askOperators: 'If you do not know why, ask the operators.',
    notMe: 'It was not me',
  },
  deletion: {
    subject: 'Your account will be deleted',
    fact: 'The deletion of your account at {Name} was requested on {Time}{Where}.',
    when: 'The account and its data will be deleted on {DeleteAt}.',
    keep: 'If you change your mind, or if it was not you, keep the account:',
    button: 'Keep my account',
  },
  taken: {
    subject: 'Someone tried to sign up with your address',
    fact: 'Someone tried to sign up at {Name} with this address, which has an account already.',
    calm: 'If it was you, sign in instead. If it was not, there is nothing you need to do.',
  },
  invitation: {
    subject: 'You are invited',
    fact: 'You are invited to {Name}.',
    accept: 'Accept the invitation to create your account:',
    button: 'Accept the invitation',
    until: 'The invitation is valid until {Time}.',
    ignore: 'If you do not know what this is about, you can ignore this message.',
  },
  browser: { named: '{browser} on {system}', unknown: 'an unknown browser' },
  pages: {
    confirmTitle: 'Is it you?',
    confirmFact:
      'Someone requested this link to prove that your address is theirs, on this device or on another one.',
    confirmRequest: 'Browser: {browser}. Place: {place}. Time: {time}.',
    confirmWarning: 'Confirm only if it was you. Confirming lets them continue.',
    confirmButton: 'Yes, confirm',
    notMeTitle: 'Was it not you?',
    notMeFact:
      'If you did not sign in, end that session. That browser is signed out at once, and so is every other browser that signed in after it.',
    notMeButton: 'End that session',
    disownedTitle: 'That session has ended',
    disownedAdvice: 'Now change your password: someone may know it.',
    disownedLink: 'Change the password',
    keepTitle: 'Keep your account?',
    keepFact: 'Your account is to be deleted on {time}. If you keep it, nothing is deleted.',
    keepButton: 'Keep my account',
    keptTitle: 'Your account stays',
    keptFact:
      'It will not be deleted. If you did not ask for its deletion, sign in and change your password.',
    approvedTitle: 'Confirmed',
    approvedAdvice: 'Go back to where you asked for the link. You can close this page.',
    recoveryTitle: 'Reset your password',
    recoveryAdvice: 'Go back to where you asked for the link, and enter this code:',
    deadTitle: 'This link is no longer valid',
    deadAdvice:
      'It was used before, or it has expired. Go back to where you asked for it, and ask again.',
    replacedAdvice:
      'A newer link was sent in its place. Open the link in the newest message. If you did not ask for it, ignore both.',
    failedTitle: 'This did not work',
    failedAdvice: 'Something went wrong on our side. Load the page again in a moment.',
    foreignAdvice:
      'A page of another site sent this, so it was refused. Open the link in your message again.',
    insecureAdvice: 'This page must be opened by an address that begins with https.',
    notYoursFact: 'You are signed in, but this page is not for you.',
    language: 'Language',
  },
}
