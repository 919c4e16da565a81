import type { Words } from './words.ts'

export const es: Words = {
  proofs: {
    verification: {
      subject: 'Confirme su dirección',
      code: '{Code} es su código para confirmar su dirección en {Name}.',
      above: 'Este es su código para confirmar su dirección en {Name}:',
      link: 'Abra este enlace para confirmar su dirección:',
      button: 'Confirmar la dirección',
    },
    setUp: {
      subject: 'Confirme esta dirección',
      code: '{Code} es su código para iniciar sesión con esta dirección en {Name}.',
      above: 'Este es su código para iniciar sesión con esta dirección en {Name}:',
      link: 'Abra este enlace para usar esta dirección al iniciar sesión:',
      button: 'Confirmar la dirección',
    },
    signIn: {
      subject: 'Inicio de sesión',
      code: '{Code} es su código para iniciar sesión en {Name}.',
      above: 'Este es su código para iniciar sesión en {Name}:',
      link: 'Abra este enlace para iniciar sesión:',
      button: 'Iniciar sesión',
    },
    recovery: {
      subject: 'Restablezca su contraseña',
      code: '{Code} es su código para restablecer su contraseña en {Name}.',
      above: 'Este es su código para restablecer su contraseña en {Name}:',
      link: 'Abra este enlace para restablecer su contraseña:',
      button: 'Restablecer la contraseña',
    },
    lifetime: 'Validez: {Lifetime}.',
    ignore: 'Si no lo ha solicitado, puede ignorar este mensaje.',
  },
  notices: {
    newSignIn: {
      subject: 'Nuevo inicio de sesión en su cuenta',
      fact: 'Alguien inició sesión en su cuenta de {Name} el {Time}{Where}.',
    },
    password: {
      subject: 'Su contraseña ha cambiado',
      fact: 'La contraseña de su cuenta de {Name} cambió el {Time}{Where}.',
    },
    address: {
      subject: 'Sus direcciones han cambiado',
      fact: 'Las direcciones de su cuenta de {Name} cambiaron el {Time}{Where}.',
    },
    factor: {
      subject: 'Sus métodos de inicio de sesión han cambiado',
      fact: 'Los métodos de inicio de sesión de su cuenta de {Name} cambiaron el {Time}{Where}.',
    },
    apiKey: {
      subject: 'Una nueva clave de API para su cuenta',
      fact: 'Se creó una clave de API para su cuenta de {Name} el {Time}{Where}.',
    },
    impersonation: {
      subject: 'Un administrador inició sesión en su cuenta',
      fact: 'Un administrador de {Name} inició sesión en su cuenta el {Time}{Where}.',
    },
    device: ' con {Device}',
    place: ' (país: {PlaceName})',
    calm: 'Si ha sido usted, no tiene que hacer nada.',
    remedy: 'Si no, restablezca su contraseña y cierre sus otras sesiones de inmediato.',
    remedyLink: 'Si no, restablezca su contraseña y cierre sus otras sesiones:',
    endSession: 'Si no, cierre esa sesión y cambie su contraseña de inmediato.',
    endSessionLink: 'Si no, cierre esa sesión y cambie su contraseña:',
    revokeKey: 'Si no, revoque la clave y restablezca su contraseña de inmediato.',
    revokeKeyLink: 'Si no, revoque la clave y restablezca su contraseña:',
    askOperators: 'Si no sabe por qué, consulte a los responsables.',
    notMe: 'No he sido yo',
  },
  deletion: {
    subject: 'Su cuenta se eliminará',
    fact: 'Se solicitó la eliminación de su cuenta de {Name} el {Time}{Where}.',
    when: 'La cuenta y sus datos se eliminarán el {DeleteAt}.',
    keep: 'Si cambia de opinión, o si no ha sido usted, conserve la cuenta:',
    button: 'Conservar mi cuenta',
  },
  taken: {
    subject: 'Alguien ha intentado registrarse con su dirección',
    fact: 'Alguien ha intentado registrarse en {Name} con esta dirección, que ya tiene una cuenta.',
    calm: 'Si ha sido usted, inicie sesión. Si no, no tiene que hacer nada.',
  },
  invitation: {
    subject: 'Tiene una invitación',
    fact: 'Tiene una invitación para unirse a {Name}.',
    accept: 'Acepte la invitación para crear su cuenta:',
    button: 'Aceptar la invitación',
    until: 'La invitación es válida hasta el {Time}.',
    ignore: 'Si no sabe de qué se trata, puede ignorar este mensaje.',
  },
  browser: { named: '{browser} en {system}', unknown: 'un navegador desconocido' },
  pages: {
    confirmTitle: '¿Es usted?',
    confirmFact:
      'Alguien ha solicitado este enlace para demostrar que su dirección le pertenece, en este dispositivo o en otro.',
    confirmRequest: 'Navegador: {browser}. Lugar: {place}. Fecha: {time}.',
    confirmWarning:
      'Confirme solo si ha sido usted. Al confirmar, permite que esa persona continúe.',
    confirmButton: 'Sí, confirmar',
    notMeTitle: '¿No ha sido usted?',
    notMeFact:
      'Si no ha iniciado sesión, cierre esa sesión. Ese navegador queda desconectado de inmediato, igual que todos los que iniciaron sesión después.',
    notMeButton: 'Cerrar esa sesión',
    disownedTitle: 'Esa sesión se ha cerrado',
    disownedAdvice: 'Cambie ahora su contraseña: es posible que alguien la conozca.',
    disownedLink: 'Cambiar la contraseña',
    keepTitle: '¿Conservar su cuenta?',
    keepFact: 'Su cuenta se eliminará el {time}. Si la conserva, no se elimina nada.',
    keepButton: 'Conservar mi cuenta',
    keptTitle: 'Su cuenta se conserva',
    keptFact:
      'No se eliminará. Si no ha solicitado su eliminación, inicie sesión y cambie su contraseña.',
    approvedTitle: 'Confirmado',
    approvedAdvice: 'Vuelva al lugar donde solicitó el enlace. Puede cerrar esta página.',
    recoveryTitle: 'Restablezca su contraseña',
    recoveryAdvice: 'Vuelva al lugar donde solicitó el enlace e introduzca este código:',
    deadTitle: 'Este enlace ya no es válido',
    deadAdvice: 'Ya se ha usado o ha caducado. Vuelva al lugar donde lo solicitó y pida otro.',
    replacedAdvice:
      'Se ha enviado un enlace más reciente en su lugar. Abra el enlace del último mensaje. Si no lo ha solicitado, ignore ambos.',
    failedTitle: 'No ha funcionado',
    failedAdvice:
      'Algo ha fallado por nuestra parte. Vuelva a cargar la página dentro de un momento.',
    foreignAdvice:
      'Esto lo envió una página de otro sitio, por lo que se ha rechazado. Abra de nuevo el enlace de su mensaje.',
    insecureAdvice: 'Esta página debe abrirse con una dirección que empiece por https.',
    notYoursFact: 'Ha iniciado sesión, pero esta página no es para usted.',
    language: 'Idioma',
  },
}
