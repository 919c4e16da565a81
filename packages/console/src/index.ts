export {
  type ConsoleOptions,
  type ConsoleServices,
  consoleRoutes,
} from './server/console-routes.ts'
