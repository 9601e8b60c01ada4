import type { Router } from 'express';

/** Adds endpoints to a router. `Services` is what they need. */
type AddRoutes<Services> = (router: Router, services: Services) => void;

/** The routes of a module. `modules.ts` lists all modules. */
export interface Module<Services = never> {
  /** In the order in which they are matched. */
  routes: readonly AddRoutes<Services>[];
}

/** The services that the routes of some modules need. */
export type ServicesOf<Modules extends readonly Module[]> = [
  Modules[number]['routes'][number],
] extends [AddRoutes<infer Services>]
  ? Services
  : never;
