import { secondFactorApi } from '@knowhow/shared/access/second-factor';
import { problem } from '@knowhow/shared/problem';
import type { Request, Router } from 'express';
import { addressBlock } from '../../../platform/http/address-block.ts';
import { route } from '../../../platform/http/route.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { Caller } from '../caller.ts';
import { checkPassword, type PasswordDependencies } from './check-password.ts';

interface Dependencies extends PasswordDependencies {
  audit: AuditLog;
}

/** Routes for the user's own second factor. Every change requires the password. */
export function secondFactorRoutes(router: Router, dependencies: Dependencies): void {
  const { accounts, secondFactors, audit } = dependencies;
  const record = (caller: Caller, action: string, target: string) =>
    audit.record({ by: caller, action, kind: 'user', target });
  const requireUsername = async (caller: Caller) => {
    const username = caller.anonymous ? undefined : await accounts.usernameOf(caller.id);
    if (username === undefined) {
      throw problem('not-signed-in', 'Sign in first: a guest has no password.');
    }
    const provider = await accounts.signsInWith(caller.id);
    if (provider !== undefined) {
      throw problem('conflict', `You sign in with ${provider}. Set up a second factor there.`);
    }
    return username;
  };
  /** Verifies the password and returns the username. */
  const verifyPassword = async (caller: Caller, password: string, request: Request) => {
    const username = await requireUsername(caller);
    const address = addressBlock(request);
    await checkPassword(dependencies, { username, password, address });
    return username;
  };

  route(router, secondFactorApi.get, ({ caller }) => secondFactors.state(caller.id));

  route(router, secondFactorApi.begin, async ({ caller, body, request }) =>
    secondFactors.begin(caller.id, await verifyPassword(caller, body.password, request)),
  );

  route(router, secondFactorApi.confirm, async ({ caller, body }) => {
    const username = await requireUsername(caller);
    const recoveryCodes = await secondFactors.confirm(caller.id, body.code);
    await record(caller, 'second-factor-on', username);
    return { recoveryCodes };
  });

  route(router, secondFactorApi.renewRecoveryCodes, async ({ caller, body, request }) => {
    const username = await verifyPassword(caller, body.password, request);
    const recoveryCodes = await secondFactors.renewRecoveryCodes(caller.id);
    await record(caller, 'recovery-codes-renewed', username);
    return { recoveryCodes };
  });

  route(router, secondFactorApi.remove, async ({ caller, body, request }) => {
    const username = await verifyPassword(caller, body.password, request);
    if (await secondFactors.remove(caller.id)) {
      await record(caller, 'second-factor-off', username);
    }
  });
}
