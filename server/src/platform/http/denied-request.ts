import type { ProblemCode } from '@knowhow/shared/problem';

/** Every problem that denies access. `second-factor-required` is a step of a sign-in, `read-only` a property of a file. */
const denials: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'not-signed-in',
  'wrong-credentials',
  'password-expired',
  'wrong-code',
  'forbidden',
  'foreign-origin',
  'not-found',
  'too-many-requests',
  'quota-used-up',
]);

/** Whether a problem of this code denies access. Hidden resources are `not-found`, like those that do not exist. */
export function isDenial(code: ProblemCode): boolean {
  return denials.has(code);
}

/** A request that was denied. It holds no path, query or body: those may contain secrets. */
export interface DeniedRequest {
  /** A signed-in user; undefined for an anonymous caller, who is known by address. */
  user: { id: string; name: string } | undefined;
  /** As `addressBlock` gives it. */
  address: string;
  method: string;
  /** The route pattern of the contract; undefined if the request was denied before routing. */
  route: string | undefined;
  reason: ProblemCode;
}
