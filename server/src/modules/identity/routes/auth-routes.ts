import { authApi, type Me } from '@knowhow/shared/access/auth';
import { problem } from '@knowhow/shared/problem';
import type { Request, Router } from 'express';
import { addressBlock } from '../../../platform/http/address-block.ts';
import { route } from '../../../platform/http/route.ts';
import { getSession } from '../../../platform/http/session.ts';
import { ignore } from '../../../platform/lib/ignore.ts';
import { findLanguage } from '../../../platform/lib/locales.ts';
import type { MailSettings } from '../../skills/index.ts';
import { type Caller, signedInCaller } from '../caller.ts';
import { getMinPasswordLength } from '../check-new-password.ts';
import { getSkillOwner } from '../get-skill-owner.ts';
import { mayShare } from '../may-share.ts';
import type { OidcSignIn } from '../oidc/open-oidc.ts';
import { heldRights } from '../rights/admin-rights.ts';
import { getBaseUrl } from './base-url.ts';
import { type BeginSessionDependencies, beginSession } from './begin-session.ts';
import { checkSignIn, type PasswordDependencies } from './check-password.ts';

interface Dependencies extends PasswordDependencies, BeginSessionDependencies {
  hasAdmin: () => boolean;
  oidc: Pick<OidcSignIn, 'signOutUrl' | 'providerOf'>;
  publicUrl: string | undefined;
  /** Undefined if the server sends no e-mail. */
  mail: object | undefined;
  mailSettings: Pick<MailSettings, 'noteLanguage'>;
  /** Called with the ID of the user who has signed out. */
  onSignOut: (userId: string) => void;
}

export function authRoutes(router: Router, dependencies: Dependencies): void {
  const { accounts, contents, hasAdmin, oidc, sessionCookies, signInAudit, onSignOut } =
    dependencies;
  const { mail, mailSettings } = dependencies;

  route(router, authApi.login, async ({ body, request, response }) => {
    const { localAuth } = contents().platform;
    if (!localAuth.enabled) {
      throw problem('forbidden', 'Password sign-in is disabled.');
    }
    if (!hasAdmin()) {
      throw problem('not-ready', 'The server is starting. Try again in a few seconds.', {
        retryAfter: 2,
      });
    }
    const address = addressBlock(request);
    const account = await checkSignIn(dependencies, { ...body, code: body.code, address });
    const user = toNamedUser(account, body.username.toLowerCase());
    await beginSession(dependencies, { request, response }, user);
    return describeMe(dependencies, signedInCaller(account, contents()));
  });

  route(router, authApi.logout, async ({ request, response }) => {
    const { caller, id: sessionId } = getSession(request);
    const app = caller.embeddedIn;
    const url = app === undefined ? await signOutUrl(dependencies, request) : undefined;
    onSignOut(caller.id);
    if (sessionId !== undefined) {
      const provider = await oidc.providerOf(sessionId);
      await accounts.endSession(sessionId);
      const username = (await accounts.usernameOf(caller.id)) ?? caller.id;
      await signInAudit.signedOut(toNamedUser(caller, username), addressBlock(request), provider);
    }
    sessionCookies.clear(response, app);
    if (app === undefined) {
      response.set('Clear-Site-Data', clearedSiteData);
    }
    return url === undefined ? undefined : { url };
  });

  route(router, authApi.me, async ({ caller, language }) => {
    if (mail && !caller.anonymous && caller.embeddedIn === undefined) {
      // Best effort: a full disk must not block the pages.
      await mailSettings.noteLanguage(caller.id, findLanguage(language)).catch(ignore);
    }
    return describeMe(dependencies, caller);
  });
}

/** The URL of RP-initiated logout at the identity provider, if the session came from one. */
async function signOutUrl({ oidc, publicUrl }: Dependencies, request: Request) {
  const { id: sessionId } = getSession(request);
  return sessionId === undefined
    ? undefined
    : oidc.signOutUrl(sessionId, () => new URL('/', getBaseUrl(request, publicUrl)).href);
}

/**
 * Storage of pages, such as drafts. Not "cache": the API is not cached, and browsers take seconds to clear
 * it. Not "cookies": that would sign people out of all hosts of the same domain.
 */
const clearedSiteData = '"storage"';

function toNamedUser({ id, name }: { id: string; name: string }, username: string) {
  return { id, name, username };
}

async function describeMe({ accounts, contents, mail }: Dependencies, caller: Caller): Promise<Me> {
  const hasMadePassword = !caller.anonymous && (await accounts.hasMadePassword(caller.id));
  const signsInWith = caller.anonymous ? undefined : await accounts.signsInWith(caller.id);
  const { platform } = contents();
  const passwordMinLength = getMinPasswordLength(platform);
  const imageHosts = platform.answers.imageHosts;
  const speech = (['input', 'output'] as const).filter((kind) => platform.speech[kind]);
  return {
    id: caller.id,
    name: caller.name,
    groups: caller.groups,
    ...heldRights(caller.permissions.adminAccess),
    anonymous: caller.anonymous,
    mayChat: caller.mayUse,
    ...(signsInWith === undefined ? {} : { signsInWith }),
    ...(hasMadePassword ? { hasMadePassword: true } : {}),
    ...(caller.anonymous ? {} : { passwordMinLength }),
    ...(mayShare(caller, platform) ? { mayShare: true } : {}),
    ...(getSkillOwner(caller) === undefined ? {} : { mayWriteSkills: true }),
    ...(mail && !caller.anonymous ? { hasMail: true } : {}),
    ...(imageHosts.length === 0 ? {} : { imageHosts }),
    ...(speech.length === 0 ? {} : { speech }),
  };
}
