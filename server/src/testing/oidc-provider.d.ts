/** Types for the parts used by tests; the package has none. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    Grant: new (of: {
      accountId: string;
      clientId: string;
    }) => Grant;
    Client: {
      find(id: string): Promise<{ backchannelLogout(sub: string, sid: string): Promise<void> }>;
    };
    AccessToken: {
      find(
        token: string,
      ): Promise<{ aud?: unknown; accountId?: string; scope?: string } | undefined>;
    };
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ params: Record<string, unknown> }>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: unknown,
    ): Promise<void>;
    on(event: string, listener: (...values: unknown[]) => void): this;
  }
}
