#!/usr/bin/env node
// Before anything else is loaded: without a listener for this signal, Node opens its debugger to every local user.
process.on('SIGUSR1', () => {})
// A closed log pipe must not end a server.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

const { runProgram } = await import('./program.ts')
await runProgram()
