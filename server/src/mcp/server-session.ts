import type {
  AuthProvider,
  OAuthClientProvider,
  PriorDiscovery,
} from '@modelcontextprotocol/client';
import type { ToolCall } from '../tools/tool-source.ts';
import type { ResourceSession } from './offers/resource-session.ts';
import type { SkillSession } from './skill-session.ts';

/** Makes requests to servers that are reached by an address. */
export type McpFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Signs in to a server for somebody. */
export type McpAuth = UserAuth | OAuthClientProvider;

export interface UserAuth extends AuthProvider {
  /** Throws `SignInRequired` where a new sign-in can give these rights, which are asked for in it. */
  askForMore?(scope: string): Promise<void>;
}

/** Which of the two eras of the protocol a server speaks, so that it need not be found out again. */
export type Era = PriorDiscovery;

/** An open connection to a server, whatever it goes over and whatever era it speaks. */
export interface ServerSession {
  era: 'modern' | 'legacy';
  /** To be handed in the next time; of a server that is started here. */
  verdict: Era | undefined;
  /** Its tools as it describes them; at most so many pages. */
  listTools(signal: AbortSignal, timeoutMs: number): Promise<unknown[]>;
  /** Its prompts as it describes them; none where it has none. */
  listPrompts(signal: AbortSignal, timeoutMs: number): Promise<unknown[]>;
  /** Gives what the server answered. */
  getPrompt(name: string, values: Record<string, string>, signal: AbortSignal): Promise<unknown>;
  resources: ResourceSession;
  /** What it can do with the server's skills. */
  skills: SkillSession;
  /** Gives what the server answered. Throws what went wrong on the way. */
  call(call: SessionCall): Promise<unknown>;
  /** Resolves when nothing of it is left. Never throws. */
  close(): Promise<void>;
}

export interface SessionCall extends Pick<ToolCall, 'signal' | 'progress' | 'ask'> {
  name: string;
  input: Record<string, unknown>;
  /** The schema that its arguments have. */
  parameters: Record<string, unknown>;
}
