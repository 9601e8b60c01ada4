import type {
  AuthProvider,
  OAuthClientProvider,
  PriorDiscovery,
} from '@modelcontextprotocol/client';
import type { ToolCall } from '../tool.ts';
import type { ResourceSession } from './offers/resource-session.ts';
import type { SkillSession } from './skill-session.ts';

/** `fetch` for HTTP servers. */
export type McpFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Authenticates a user at a server. */
export type McpAuth = UserAuth | OAuthClientProvider;

export interface UserAuth extends AuthProvider {
  /** Throws `SignInRequired` if a new sign-in can grant this scope. */
  askForMore?(scope: string): Promise<void>;
}

/** Detected protocol era of a server, reused to skip detection. */
export type Era = PriorDiscovery;

/** An open connection to a server, independent of transport and protocol era. */
export interface ServerSession {
  era: 'modern' | 'legacy';
  /** For stdio servers: passed to the next connection to skip detection. */
  verdict: Era | undefined;
  /** Tools as the server describes them; the number of pages is limited. */
  listTools(signal: AbortSignal, timeoutMs: number): Promise<unknown[]>;
  /** Prompts as the server describes them; empty if unsupported. */
  listPrompts(signal: AbortSignal, timeoutMs: number): Promise<unknown[]>;
  /** Returns the server's raw result. */
  getPrompt(name: string, values: Record<string, string>, signal: AbortSignal): Promise<unknown>;
  resources: ResourceSession;
  skills: SkillSession;
  /** Returns the server's raw result. Throws transport and protocol errors. */
  call(call: SessionCall): Promise<unknown>;
  /** Resolves once everything is released. Never throws. */
  close(): Promise<void>;
}

export interface SessionCall extends Pick<ToolCall, 'signal' | 'progress' | 'ask'> {
  name: string;
  input: Record<string, unknown>;
  /** The schema of the arguments. */
  parameters: Record<string, unknown>;
}
