import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { WebSocketServer } from 'ws'
import { describeSockets } from '../../../test-support/describe-sockets.ts'
import { expressAdapter, expressUpgrade } from '../src/index.ts'

describeSockets('express', (routes) => {
  const server = createServer(express().use('/sub', expressAdapter(routes)))
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1_024 })
  server.on('upgrade', expressUpgrade(routes, { server: sockets, mountPath: '/sub' }))
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      resolve({
        url: `http://127.0.0.1:${port}/sub`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed())
            server.closeAllConnections()
          }),
      })
    })
  })
})
