/** A text from a variable of the server, or from a file without the newline at its end; a relative path counts from the working directory. */
export type WrittenReference = { readonly env: string } | { readonly file: string }

/** A secret: a text in which `${env:NAME}`, `${file:PATH}` and `${cred:NAME}` stand for values from outside, or one such value. */
export type WrittenSecret = string | WrittenReference
