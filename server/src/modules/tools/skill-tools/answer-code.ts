import { z } from 'zod';
import { getErrorMessage } from '../../../platform/lib/get-error-message.ts';
import { isListedHost } from '../../../platform/lib/outbound/is-listed-host.ts';
import type { VisibleSkill } from '../../skills/index.ts';
import type { ToolCall } from '../tool.ts';
import type { FlowServices } from './run-flow.ts';

export interface AnswerServices {
  /** Returns network access; calls `checkAddress` for the first address and for every redirect. */
  reach(checkAddress: (url: URL) => void): FlowServices;
  /** Host allowlist for a skill's code, configured by an admin, in the format of `isListedHost`. */
  hostsOf(skill: string): readonly string[];
}

/** A request of the code. */
export type CodeRequest = { kind: 'fetch' | 'page' | 'model' | 'approval'; what: unknown };

/** The response to a request, or why it was rejected. */
export type Answer = { value: unknown } | { error: string };
export type Reply = Answer & { key: string };

interface Answering {
  skill: VisibleSkill;
  means: AnswerServices;
  call: ToolCall;
}

/** Maximum size of one response in bytes, since all of them are copied into the sandbox. */
const maxBytes = 1024 * 1024;

const requestSchema = z.object({
  url: z.string().max(8000),
  method: z.string().max(20),
  headers: z.array(z.tuple([z.string(), z.string()])).max(100),
  body: z.string().optional(),
});

/** Serves a request of the code. Rejections are returned as errors, never thrown. */
export async function answerCodeRequest(asked: CodeRequest, answering: Answering): Promise<Answer> {
  const { call } = answering;
  try {
    return { value: await valueFor(asked, answering) };
  } catch (error) {
    call.signal.throwIfAborted();
    return { error: getErrorMessage(error) };
  }
}

async function valueFor({ kind, what }: CodeRequest, answering: Answering): Promise<unknown> {
  switch (kind) {
    case 'fetch':
      return request(requestSchema.parse(what), answering);
    case 'page':
      return page(z.object({ url: z.string().max(8000) }).parse(what).url, answering);
    case 'model': {
      const { prompt } = z.object({ prompt: z.string() }).parse(what);
      if (!answering.call.model) {
        throw new Error('No model can be asked here.');
      }
      return answering.call.model(prompt);
    }
    case 'approval':
      return approval(what, answering);
  }
}

async function request(
  { url, method, headers, body }: z.infer<typeof requestSchema>,
  { skill, means, call }: Answering,
): Promise<unknown> {
  const check = hostCheck(means.hostsOf(skill.id));
  check(parseAddress(url));
  call.progress(`${skill.id}: ${new URL(url).host}`);
  const response = await means.reach(check).fetch(url, {
    method,
    headers,
    signal: call.signal,
    ...(body === undefined ? {} : { body: Buffer.from(body, 'base64') }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (bytes.length > maxBytes) {
    throw new Error(`${new URL(url).host} answers with more than ${maxBytes} bytes.`);
  }
  return {
    url: response.url || url,
    status: response.status,
    // The body is already decompressed.
    headers: [...response.headers].filter(([name]) => !/^content-(?:encoding|length)$/.test(name)),
    body: bytes.toString('base64'),
  };
}

/** Compatible with AnythingLLM's scraper. */
async function page(url: string, { skill, means, call }: Answering): Promise<unknown> {
  const check = hostCheck(means.hostsOf(skill.id));
  check(parseAddress(url));
  const text = await means.reach(check).readPage({ url, as: 'text' }, call);
  return { success: text !== '', content: text.slice(0, maxBytes) };
}

function parseAddress(url: string): URL {
  if (!URL.canParse(url)) {
    throw new Error('This is not an address.');
  }
  return new URL(url);
}

function hostCheck(hosts: readonly string[]): (url: URL) => void {
  return (url) => {
    if (!hosts.some((entry) => isListedHost(url, entry))) {
      throw new Error(
        `An administrator does not let this skill reach ${url.host}: skills.<name>.tool.hosts in config/skills.json.`,
      );
    }
  };
}

async function approval(what: unknown, { skill, call }: Answering): Promise<unknown> {
  const { payload, description } = z
    .object({ payload: z.unknown(), description: z.string() })
    .parse(what);
  const details = JSON.stringify(payload).slice(0, 2000);
  const message = `${skill.displayName}: ${description.slice(0, 500)} ${details}`;
  const { action } = await call.ask({ message, fields: [] });
  const approved = action === 'accept';
  return { approved, message: approved ? 'Approved by the user.' : 'The user did not approve it.' };
}
