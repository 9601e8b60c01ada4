import { connectionsApi } from '@knowhow/shared/config/connections';
import { escapeXml } from '@knowhow/shared/escape-xml';
import { fillIn } from '@knowhow/shared/fill-in';
import { Problem, problem } from '@knowhow/shared/problem';
import type { Request, Router } from 'express';
import { paginate } from '../../../platform/http/paginate.ts';
import { plainPage } from '../../../platform/http/plain-page.ts';
import { rejectGuest } from '../../../platform/http/reject-guest.ts';
import { parseCall, register, route } from '../../../platform/http/route.ts';
import { findLanguage, findTexts } from '../../../platform/lib/locales.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { Caller } from '../../identity/index.ts';
import { getBaseUrl } from '../../identity/routes/base-url.ts';
import { type ClientIdentity, clientMetadata } from '../mcp/oauth/oauth-client.ts';
import type { OAuthServer } from '../mcp/oauth/oauth-server.ts';
import type { OAuthConnections } from '../mcp/oauth/open-oauth.ts';

interface Dependencies {
  connections: OAuthConnections;
  /** Tool servers with user sign-in that a caller may use. */
  signInServers: (caller: Caller) => readonly OAuthServer[];
  publicUrl: string | undefined;
  audit: AuditLog;
}

const guestMessage = 'Guests cannot connect to other servers.';

/** Routes for users' OAuth connections to tool servers. */
export function connectionRoutes(router: Router, dependencies: Dependencies): void {
  const { connections, signInServers, publicUrl, audit } = dependencies;
  const titleOf = (caller: Caller, id: string) =>
    signInServers(caller).find((server) => server.id === id)?.title ?? id;
  const record = (by: Caller, action: string, target: string) =>
    audit.record({ by, action, kind: 'connection', target });

  route(router, connectionsApi.list, async ({ caller, query }) => {
    const own = caller.anonymous ? [] : await connections.list(caller.id);
    const offered = caller.anonymous ? [] : signInServers(caller);
    const isOffered = (id: string) => offered.some((server) => server.id === id);
    const made = own.map(({ server, issuer, ...rest }) => ({
      server,
      title: titleOf(caller, server),
      issuer: new URL(issuer).host,
      ...rest,
      isOffered: isOffered(server),
    }));
    const open = offered
      .filter(({ id }) => !own.some(({ server }) => server === id))
      .map(({ id, title }) => ({
        server: id,
        title,
        status: 'signed-out' as const,
        isOffered: true,
      }));
    return paginate([...made, ...open], query);
  });

  route(router, connectionsApi.begin, async ({ caller, params, request }) => {
    rejectGuest(caller, guestMessage);
    const server = signInServers(caller).find(({ id }) => id === params.server);
    if (!server) {
      throw problem('not-found', `There is no server "${params.server}".`);
    }
    return {
      url: await connections.begin(caller.id, server, createIntroduction(request, publicUrl)),
    };
  });

  register(router, connectionsApi.callback, async (request, response) => {
    const { caller, query, language } = parseCall(connectionsApi.callback, request, response);
    rejectGuest(caller, guestMessage);
    try {
      const server = await connections.end(caller.id, query);
      await record(caller, 'signed-in', server);
      response.type('html').send(connectionPage(language, { title: titleOf(caller, server) }));
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error;
      }
      const page = connectionPage(language, { failure: error.message });
      response.status(error.status).type('html').send(page);
    }
  });

  route(router, connectionsApi.remove, async ({ caller, params: { server } }) => {
    const own = caller.anonymous ? [] : await connections.list(caller.id);
    if (!own.some((each) => each.server === server)) {
      throw problem('not-found', `You are not signed in to a server "${server}".`);
    }
    const revoked = await connections.remove(caller.id, server);
    await record(caller, 'signed-out', server);
    return { revoked };
  });

  route(router, connectionsApi.client, () => {
    const client_id = clientUrl(publicUrl);
    if (publicUrl === undefined || client_id === undefined) {
      throw problem('not-found', 'This server has no public address with https: set PUBLIC_URL.');
    }
    const redirectUrl = callbackUrl(publicUrl);
    return { client_id, client_uri: publicUrl, ...clientMetadata({ redirectUrl }) };
  });
}

function createIntroduction(request: Request, publicUrl: string | undefined): ClientIdentity {
  const redirectUrl = callbackUrl(getBaseUrl(request, publicUrl));
  return { redirectUrl, metadataUrl: clientUrl(publicUrl) };
}

function callbackUrl(base: string): string {
  return new URL(connectionsApi.callback.path, base).href;
}

/** Client metadata that an authorization server fetches must be at an https address. */
function clientUrl(publicUrl: string | undefined): string | undefined {
  return publicUrl?.startsWith('https:')
    ? new URL(connectionsApi.client.path, publicUrl).href
    : undefined;
}

/** The page shown after a sign-in to a tool server (OAuth callback). */
function connectionPage(wanted: string, outcome: { title: string } | { failure: string }): string {
  const texts = findTexts(wanted).connectionPage;
  const isDone = 'title' in outcome;
  const words = isDone ? fillIn(texts.doneText, { server: outcome.title }) : outcome.failure;
  return plainPage(
    { title: isDone ? texts.done : texts.failed, language: findLanguage(wanted) },
    `<p>${escapeXml(words)}</p><p><a href="/">${escapeXml(texts.back)}</a></p>`,
  );
}
