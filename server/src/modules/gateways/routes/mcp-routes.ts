import { mcpApi } from '@knowhow/shared/config/mcp';
import { problem } from '@knowhow/shared/problem';
import { isPersonalSkillId } from '@knowhow/shared/skills/skill-id';
import type { Request, RequestHandler, Response, Router } from 'express';
import { boundedQueue } from '../../../platform/http/bounded-queue.ts';
import { rejectUnknownToken } from '../../../platform/http/reject-unknown-token.ts';
import { parseCall, register, route } from '../../../platform/http/route.ts';
import type { Log } from '../../../platform/lib/log.ts';
import { callWithoutConversation, type ModelList, visibleApps } from '../../chat/index.ts';
import type { Contents } from '../../content/index.ts';
import {
  type Caller,
  getSkillOwner,
  grants,
  type OidcSignIn,
  type Quotas,
} from '../../identity/index.ts';
import { getBaseUrl } from '../../identity/routes/base-url.ts';
import {
  createSkillView,
  type SkillRanking,
  type SkillStore,
  type SkillView,
  toolFile,
} from '../../skills/index.ts';
import {
  type CallServices,
  dedupeAudit,
  loadMcpServer,
  type McpOffer,
  type OwnTool,
  type OwnTools,
} from '../../tools/index.ts';

interface Dependencies extends ResourceDependencies {
  contents: () => Contents;
  skills: SkillStore;
  ranking: SkillRanking;
  version: string;
  log: Log;
  callServices: CallServices;
  models: ModelList;
  quotas: Pick<Quotas, 'begin'>;
}

/** Each may read and hash files. */
const limits = { maxConcurrent: 4, maxWaiting: 200, maxPerCaller: 50, label: 'MCP requests' };

export function mcpRoutes(router: Router, dependencies: Dependencies): void {
  const enqueue = boundedQueue(limits);
  const reads = dedupeAudit(dependencies.callServices.audit);
  const resource = resourceRoutes(router, dependencies);
  router.use(mcpApi.call.path, rejectUnknownToken(resource.metadataOf), jsonOnly);
  register(router, mcpApi.call, async (request, response) => {
    const call = parseCall(mcpApi.call, request, response);
    await enqueue(request, async (signal) => {
      // Loaded lazily: the module is 1 MB.
      const { answerMcp } = await loadMcpServer();
      const offer = createOffer({ ...dependencies, reads }, call.caller, call.language);
      await send(await answerMcp(webRequest(request, signal), call.body, offer), response);
    });
  });
  register(router, mcpApi.listen, refuseMethod);
  // Clients of older protocol versions send DELETE to end a session; this server has no sessions.
  router.all(mcpApi.call.path, refuseMethod);
}

function refuseMethod(): never {
  throw problem('wrong-method', 'Use POST. This server sends no unsolicited messages.');
}

interface Offering extends Dependencies {
  /** Records reads in the audit log. */
  reads: CallServices['audit'];
}

/** Everything that a caller may use, across all of their apps. */
function createOffer(dependencies: Offering, caller: Caller, language: string) {
  const { contents, skills, ranking, version, log, callServices, reads } = dependencies;
  const current = contents();
  const view = createSkillView({
    store: skills,
    ranking,
    config: current.skills,
    grant: caller.permissions.skills,
    groups: caller.groups,
    owner: getSkillOwner(caller),
    apps: visibleApps(caller, current),
  });
  const prompts = [...current.prompts.values()].filter(
    ({ id, enabled }) => enabled !== false && grants(caller.permissions.prompts, id),
  );
  const called: McpOffer['called'] = async (name, input, { isError, ms }) => {
    const { skill_name, uri } = input;
    const skill = skill_name ?? (typeof uri === 'string' ? skillInUri(uri) : undefined);
    const isNamed = typeof skill === 'string' && !isPersonalSkillId(skill);
    const receipt = isNamed ? { skill: skill.slice(0, 200) } : undefined;
    const result = { isError, summary: 'failed' };
    const record = activates(name) ? callServices.audit : reads;
    await record({ caller, offered: { id: `mcp/${name}` }, input, result, receipt, ms });
  };
  const ownTools = () => findOwnTools(dependencies, caller, view);
  return { view, prompts, language, version, log, ownTools, called };
}

/** Tools that skills provide, each in the first app in which the caller may use it. */
async function findOwnTools(
  { contents, skills, callServices, models, quotas }: Offering,
  caller: Caller,
  view: SkillView,
): Promise<OwnTools> {
  const found = new Map<string, OwnTool>();
  if (!view.skills.some(({ metadata }) => metadata.tool === toolFile)) {
    return found;
  }
  const current = contents();
  const services = { callServices, models, takeTurn: quotas.begin };
  for (const app of visibleApps(caller, current)) {
    const grant = caller.permissions.skills;
    const { groups } = caller;
    const inApp = createSkillView({
      store: skills,
      config: current.skills,
      grant,
      groups,
      apps: [app],
    });
    const others = await callServices.toolbox.list({ caller, app, view: inApp });
    for (const offered of others.filter(({ source }) => source.kind === 'skills')) {
      const [skill] = offered.tool.skills ?? [];
      if (skill !== undefined && !found.has(skill)) {
        const run: OwnTool['run'] = async (input, signal) => {
          const call = { caller, app, view: inApp, others, signal };
          return (await callWithoutConversation(offered, input, call, services)).result;
        };
        found.set(skill, { tool: offered.tool, run });
      }
    }
  }
  return found;
}

/** The skill's folder in a `skill://` URI. */
function skillInUri(uri: string): string | undefined {
  return /^skill:\/\/([^/]+)\//.exec(uri)?.[1];
}

/** Whether a tool returns a skill's instructions; other tools only read, repeatedly. */
function activates(name: string): boolean {
  return name === 'activate_skill' || name.startsWith('skill_');
}

const jsonOnly: RequestHandler = (request, _response, next) => {
  if (request.method === 'POST' && !request.is('application/json')) {
    throw problem('unsupported-type', 'Send JSON, with Content-Type: application/json.');
  }
  next();
};

const acceptedTypes = ['application/json', 'text/event-stream'];

/** Converts the request for the MCP SDK. The body is already parsed. */
function webRequest(request: Request, signal: AbortSignal): globalThis.Request {
  const { method } = request;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(request.headersDistinct)) {
    for (const value of values) {
      headers.append(name, value);
    }
  }
  if (acceptedTypes.every((kind) => request.accepts(kind))) {
    // Also for clients that accept anything, such as `curl`.
    headers.set('Accept', acceptedTypes.join(', '));
  }
  return new globalThis.Request('http://localhost/mcp', { method, headers, signal: signal });
}

/** Sends the complete response; the SDK streams nothing before its end. */
async function send(answer: globalThis.Response, response: Response): Promise<void> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  response.status(answer.status);
  const type = answer.headers.get('content-type');
  if (type !== null) {
    response.setHeader('Content-Type', type);
  }
  response.end(bytes);
}

interface ResourceDependencies {
  oidc: Pick<OidcSignIn, 'tokenIssuers'>;
  publicUrl: string | undefined;
}

/** OAuth protected resource metadata of `/mcp`: which servers issue tokens for it (RFC 9728). */
function resourceRoutes(
  router: Router,
  { oidc, publicUrl }: ResourceDependencies,
): { metadataOf: (request: Request) => string | undefined } {
  const describe = (request: Request) => {
    const authorization_servers = oidc.tokenIssuers();
    if (authorization_servers.length === 0) {
      throw problem('not-found', 'No identity provider issues tokens for this server.');
    }
    const resource = new URL(mcpApi.call.path, getBaseUrl(request, publicUrl)).href;
    return {
      resource,
      authorization_servers,
      resource_name: 'Knowhow',
      bearer_methods_supported: ['header'],
    };
  };
  route(router, mcpApi.resource, ({ request }) => describe(request));
  route(router, mcpApi.anyResource, ({ request }) => describe(request));
  return {
    metadataOf: (request) =>
      oidc.tokenIssuers().length === 0
        ? undefined
        : new URL(mcpApi.resource.path, getBaseUrl(request, publicUrl)).href,
  };
}
